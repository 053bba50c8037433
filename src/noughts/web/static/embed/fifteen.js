// The game of fifteen: nine numbers lie on the table, and who first has three that make fifteen wins. It is tic-tac-toe on a
// magic square, whose numbers the server says: a number is a cell, and taking it is the move there.
import { html, useState } from "../vendor/preact-htm.js";
import { to, useAnswer } from "../shared/server.js";
import { cellNames } from "../shared/board.js";
import { Problem } from "../shared/waiting.js";
import { Grid } from "../algorithms/scene.js";

export const TITLE = "The game of fifteen";
export const STYLED_AS = "algorithms"; // whose picture of a square is drawn here
const LABELLED = "magic_square";

// The same game where the square is seen at work.
export const explained = (table) => table.linkTo("algorithms", { detector: LABELLED });

export function View({ table, state }) {
  const { analysis, problem, thinking } = state;
  const square = useAnswer(to("/detect", { detector: LABELLED })).answer?.steps[0].scene[0][0];
  const [shown, setShown] = useState(false);
  if (!analysis || !square) return problem ? html`<${Problem} problem=${problem} />` : html`<p class="loading" role="status">One moment …</p>`;
  const { board, moves, turn, status, winner, winning_lines: lines } = analysis;
  const cells = new Map(cellNames(board).map((name, cell) => [name, cell]));
  const numberAt = (cell) => Number(square.texts[cell]);
  const hand = (mark) => state.moves.slice(0, state.at).filter((each) => each.mark === mark).map(({ move }) => numberAt(cells.get(move)));
  const sums = lines.map((line) => line.map((move) => numberAt(cells.get(move))));
  const free = new Map(moves.map(({ cell, move }) => [cell, move]));
  const yours = status === "ongoing" && !thinking && table.isPerson(turn);
  const name = (mark) => (table.isPerson(mark) && table.you ? "You" : table.isPerson(mark) ? mark : "The computer");
  const said = winner
    ? `${name(winner)} ${name(winner) === "You" ? "have" : "has"} ${sums[0].join(" + ")} = ${sums[0].reduce((a, b) => a + b)}, and won.`
    : status === "draw"
      ? "All numbers are taken, and nobody has fifteen: a draw."
      : yours
        ? "Take a number. Whoever first has three that make fifteen wins."
        : `${name(turn)} is thinking …`;
  const order = Array.from(cells.values()).sort((a, b) => numberAt(a) - numberAt(b));
  const marksOf = (mark) => order.filter((cell) => board.marks[cell] === mark);
  return html`<section class="fifteen stack" aria-label=${TITLE}>
    <p role="status"><b>${said}</b></p>
    <div class="row numbers" role="group" aria-label="Numbers on the table">
      ${order.map(
        (cell) =>
          html`<button key=${cell} disabled=${!yours || !free.has(cell)} data-taken=${board.marks[cell]} onClick=${() => table.play(free.get(cell))}>
            ${numberAt(cell)}
          </button>`,
      )}
    </div>
    ${["X", "O"].map((mark) => html`<p key=${mark} class=${`hand by-${mark.toLowerCase()}`}>${name(mark)}: <b>${hand(mark).join(", ") || "nothing yet"}</b></p>`)}
    <${Problem} problem=${problem} />
    <div class="row">
      <button onClick=${() => table.undo()} disabled=${table.undoTo === null}>Undo</button>
      <button onClick=${() => table.newGame()}>New game</button>
      <button aria-expanded=${String(shown)} onClick=${() => setShown(!shown)}>${shown ? "Hide the square" : "What game is this?"}</button>
    </div>
    ${
      shown &&
      html`<div class="revealed">
        <${Grid} ...${square} marks=${{ X: marksOf("X"), O: marksOf("O") }} paths=${lines.map((line) => line.map((move) => cells.get(move)))} />
        <p>Every row, column and diagonal of this square makes fifteen, and no other three of its numbers do. So taking a number is a move of tic-tac-toe.</p>
      </div>`
    }
  </section>`;
}
