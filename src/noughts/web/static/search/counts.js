// What each way to search costs, side by side; and what each move at the root came to.
import { html } from "../vendor/preact-htm.js";
import { Figures } from "../shared/figures.js";
import { whole } from "../shared/quantities.js";
import { counted, scoreText } from "./model.js";

export const ORDERS = { centre: "centre first", evaluation: "best evaluation first", "best-known": "best known first" };

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
    <ol class="bar-list">
      ${found.ways.map(
        (way, number) =>
          html`<li key=${number}>
            <button class="bar-row way" aria-current=${number === found.asked ? "true" : null} onClick=${() => onChoose(way)}>
              <span class="row way-name"
                >${wayWords(way).map((word, i) => html`<span key=${word}>${i ? "+ " : ""}${word}</span>`)}</span
              >
              <span class="bar" aria-hidden="true"
                ><span style=${{ width: `${(100 * (way.nodes || 0)) / most}%` }}></span
              ></span>
              ${
                way.nodes === null
                  ? html`<span class="way-nodes" title=${way.refused}>over the limit</span>`
                  : html`<span class="way-nodes"
                        ><b>${whole(way.nodes)}</b><span class="sr"> nodes</span></span
                      ><span class="way-prunes">${counted(way.prunes, "prune")}</span>`
              }
            </button>
          </li>`,
      )}
    </ol>
  </section>`;
}

export function RootMoves({ answer, onSelect }) {
  const { best, window, algorithm, moves } = answer;
  const row = (each) => ({
    key: each.move,
    kind: best.includes(each.move) && "best",
    cells: [
      html`<button class="chip" onClick=${() => onSelect(each.merged_with || each.move)}>${each.move}</button
        >${best.includes(each.move) && html` <span class="note">best</span>`}`,
      scoreText(each),
      ...(each.merged_with ? [`like ${each.merged_with}`, ""] : [whole(each.nodes), whole(each.prunes)]),
    ],
  });
  const all = [scoreText({ ...answer, bound: "exact" }), whole(answer.nodes), whole(answer.prunes)];
  return html`<section class="card root-moves" aria-labelledby="root-moves-title">
    <h2 id="root-moves-title">Every move</h2>
    <p class="note">
      ${window === "each" || algorithm === "minimax" ? "Each score is exact." : "≤ and ≥ are only bounds: enough to know that the move is no better than one before it."}
    </p>
    <${Figures}
      label="Scores, nodes and prunes of the moves"
      head=${["move", "score", "nodes", "prunes"]}
      rows=${moves.map(row)}
      foot=${{ cells: [window === "carried" ? "all, with the root" : "all", ...all] }}
    />
  </section>`;
}
