// What each way to search costs, side by side; and what each move at the root came to.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { BarRow, Figures } from "../shared/figures.js";
import { whole } from "../shared/quantities.js";
import { counted } from "../shared/words.js";
import { scoreText } from "./model.js";

export const ORDERS = { centre: "centre first", evaluation: "best evaluation first", "best-known": "best known first" };

function WayName({ algorithm, order, table, symmetry }) {
  const name = algorithm === "minimax" ? "Minimax" : "Alpha-beta";
  const words = [name, ORDERS[order], table && "table", symmetry && "symmetry"];
  return html`<span class="row way-name">
    ${words.filter(Boolean).map((word, i) => html`<span key=${word}>${i ? "+ " : ""}${word}</span>`)}
  </span>`;
}

export function SideBySide({ found, onChoose }) {
  const title = "Side by side";
  if (!found) return html`<${Card} ...${{ title }}><p class="note" role="status">Counting …</p><//>`;
  const most = Math.max(...found.ways.map(({ nodes }) => nodes || 0));
  const score = found.score === null ? "" : ` (${scoreText({ score: found.score, bound: "exact" })})`;
  const note = `The same score every time${score}; what differs is how many nodes are looked at.`;
  return html`<${Card} ...${{ title }} note=${`${note} Press one to see its tree.`}>
    <ol class="bar-list">
      ${found.ways.map(
        (way, number) =>
          html`<${BarRow}
            key=${number}
            kind="way"
            aria-current=${number === found.asked ? "true" : null}
            onClick=${() => onChoose(way)}
            name=${html`<${WayName} ...${way} />`}
            share=${(way.nodes || 0) / most}
          >
            ${
              way.nodes === null
                ? html`<span class="way-nodes" title=${way.refused}>over the limit</span>`
                : html`<span class="way-nodes"><b>${whole(way.nodes)}</b><span class="sr"> nodes</span></span>
                    <span class="way-prunes soft">${counted(way.prunes, "prune")}</span>`
            }
          <//>`,
      )}
    </ol>
  <//>`;
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
  const bounds = "≤ and ≥ are only bounds: enough to know that the move is no better than one before it.";
  const note = window === "each" || algorithm === "minimax" ? "Each score is exact." : bounds;
  return html`<${Card} title="Every move" kind="root-moves" ...${{ note }}>
    <${Figures}
      label="Scores, nodes and prunes of the moves"
      head=${["move", "score", "nodes", "prunes"]}
      rows=${moves.map(row)}
      foot=${{ cells: [window === "carried" ? "all, with the root" : "all", ...all] }}
    />
  <//>`;
}
