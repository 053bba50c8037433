// The account of a finished game: how it ended, where the value slipped, and what would have kept it.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Miniboard } from "../shared/miniboard.js";
import { LookingBack } from "../shared/moves.js";

const MOST = 3; // mistakes shown; the analysis has them all

export function Account({ table, state }) {
  const { review, analysis } = state;
  if (!review) return html`<section class="account card"><${LookingBack} ...${state} /></section>`;
  const { rows, columns } = review.board;
  const drawable = rows * columns <= 49;
  return html`<${Card} title=${titleOf(table, review, analysis)} kind="account">
    <p>${review.summary}</p>
    ${
      review.board.misere && review.turning_points.length > 0
        ? html`<details>
            <summary>Where the value slipped, move by move</summary>
            <${Slips} ...${{ table, review, drawable }} />
          </details>`
        : html`<${Slips} ...${{ table, review, drawable }} />`
    }
    ${review.lost_from && html`<${LostFrom} ...${{ table, review }} />`}
    ${review.turning_points.length > MOST && html`<p class="note">There were ${review.turning_points.length} mistakes; these are the last ${MOST}.</p>`}
    <div class="row">
      <button class="primary" onClick=${() => table.newGame()}>Play again</button>
      <button onClick=${() => table.look("analyse")}>Analyse the game</button>
    </div>
  <//>`;
}

// The moves that threw something away. In misere they stand behind what a child sees, that a line was completed.
const Slips = ({ table, review, drawable }) =>
  html`<ol class="stack" hidden=${!review.turning_points.length}>
    ${review.turning_points.slice(-MOST).map(
      (point) =>
        html`<li key=${point.number}>
          ${
            drawable &&
            html`<${Miniboard}
              ...${{ ...point.board, played: point.cell, mark: point.turn, keeping: point.keeping_cells }}
              value=${review.moves[point.number - 1].best}
            />`
          }
          <div>
            <h3>Move ${point.number}: ${point.turn} ${point.move}</h3>
            ${point.sentences.map((sentence) => html`<p key=${sentence}>${sentence}</p>`)}
            <button class="link" onClick=${() => table.lookAt(point.number - 1)}>Show it on the board</button>
          </div>
        </li>`,
    )}
  </ol>`;

// On a large board: from which move on it was lost, and that win as something to try to refute.
function LostFrom({ table, review }) {
  const { number, turn, move, sentences } = review.lost_from;
  return html`<div class="lost-from">
    <h3>Move ${number}: ${turn} ${move}</h3>
    ${sentences.map((sentence) => html`<p key=${sentence}>${sentence}</p>`)}
    <div class="row">
      <button class="link" onClick=${() => table.lookAt(number, { show: "win" })}>Show me the win</button>
      <button class="link" onClick=${() => table.lookAt(number - 1)}>The position before</button>
    </div>
  </div>`;
}

function titleOf({ you }, { turning_points, lost_from }, { winner }) {
  if (!turning_points.length && !lost_from) return "How it went";
  if (you && winner && winner !== you) return "Why you lost";
  if (you && winner === you) return "Why you won";
  return "Where it turned";
}
