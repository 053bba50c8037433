// What each way to search costs, side by side; and what each move at the root came to.
import { html } from "../vendor/preact-htm.js";
import { counted, scoreText } from "./model.js";

const ORDERS = { centre: "centre first", evaluation: "best evaluation first", "best-known": "best known first" };

const wayWords = ({ algorithm, order, table, symmetry }) =>
  [algorithm === "minimax" ? "Minimax" : "Alpha-beta", ORDERS[order], table && "table", symmetry && "symmetry"].filter(
    Boolean,
  );

export function SideBySide({ found, onChoose }) {
  if (!found)
    return html`<section class="card counts">
      <h2>Side by side</h2>
      <p class="note" role="status">Counting …</p>
    </section>`;
  const most = Math.max(...found.ways.map(({ nodes }) => nodes || 0));
  return html`<section class="card counts" aria-labelledby="counts-title">
    <h2 id="counts-title">Side by side</h2>
    <p class="note">
      The same score every time${found.score === null ? "" : ` (${scoreText({ score: found.score, bound: "exact" })})`};
      what differs is how many nodes are looked at. Press one to see its tree.
    </p>
    <ol class="ways">
      ${found.ways.map(
        (way, number) =>
          html`<li key=${number}>
            <button class="way" aria-current=${number === found.asked ? "true" : null} onClick=${() => onChoose(way)}>
              <span class="way-name"
                >${wayWords(way).map((word, i) => html`<span key=${word}>${i ? "+ " : ""}${word}</span>`)}</span
              >
              <span class="way-bar" aria-hidden="true"
                ><span style=${{ width: `${way.nodes === null ? 0 : Math.max(0.4, (100 * way.nodes) / most)}%` }}></span
              ></span>
              ${
                way.nodes === null
                  ? html`<span class="way-nodes" title=${way.refused}>over the limit</span>`
                  : html`<span class="way-nodes"
                        ><b>${way.nodes.toLocaleString("en")}</b><span class="sr"> nodes</span></span
                      ><span class="way-prunes">${counted(way.prunes, "prune")}</span>`
              }
            </button>
          </li>`,
      )}
    </ol>
  </section>`;
}

export function RootMoves({ answer, onSelect }) {
  return html`<section class="card root-moves" aria-labelledby="root-moves-title">
    <h2 id="root-moves-title">Every move</h2>
    <p class="note">
      ${answer.window === "each" || answer.algorithm === "minimax" ? "Each score is exact." : "≤ and ≥ are only bounds: enough to know that the move is no better than one before it."}
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Scores, nodes and prunes of the moves">
      <table>
        <thead>
          <tr>
            <th scope="col">move</th>
            <th scope="col">score</th>
            <th scope="col">nodes</th>
            <th scope="col">prunes</th>
          </tr>
        </thead>
        <tbody>
          ${answer.moves.map((each) => {
            const best = answer.best.includes(each.move);
            return html`<tr key=${each.move} class=${best ? "best" : ""}>
              <th scope="row">
                <button class="chip" onClick=${() => onSelect(each.merged_with || each.move)}>${each.move}</button
                >${best && html` <span class="note">best</span>`}
              </th>
              <td>${scoreText(each)}</td>
              ${
                each.merged_with
                  ? html`<td colspan="2" class="note">like ${each.merged_with}</td>`
                  : html`<td>${each.nodes.toLocaleString("en")}</td>
                      <td>${each.prunes.toLocaleString("en")}</td>`
              }
            </tr>`;
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${answer.window === "carried" ? "all, with the root" : "all"}</th>
            <td>${scoreText({ score: answer.score, bound: "exact" })}</td>
            <td>${answer.nodes.toLocaleString("en")}</td>
            <td>${answer.prunes.toLocaleString("en")}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  </section>`;
}
