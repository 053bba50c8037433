// Play: the board at once, the settings beside it, and at the end the account of the game.
import { html } from "../vendor/preact-htm.js";
import { Board, cellNames } from "../shared/board.js";
import { Controls } from "../shared/controls.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { Account } from "./account.js";
import { Setup } from "./setup.js";

export const keys = ["h", "u", "r", "n"];

export function View({ table, state, offers }) {
  const { analysis, hint, thinking, moves, at } = state;
  if (!analysis) return html`<${Waiting} ...${{ table, state }} />`;
  const { board } = analysis;
  const names = cellNames(board);
  const cellOf = new Map(names.map((name, cell) => [name, cell]));
  const myTurn = analysis.status === "ongoing" && !thinking && table.isPerson(analysis.turn);
  const playable = new Set(myTurn ? analysis.moves.map(({ cell }) => cell) : []);
  const notes = new Map();
  const note = (name, what) => notes.set(cellOf.get(name), { ...notes.get(cellOf.get(name)), ...what });
  if (at) note(moves[at - 1].move, { last: true });
  for (const move of hint?.moves || []) note(move, { hint: true });
  const describe = (cell) => {
    const mark = board.marks[cell] === "." ? "empty" : board.marks[cell];
    return `${names[cell]}, ${mark}${notes.get(cell)?.hint ? ", hint" : ""}`;
  };
  const over = analysis.status !== "ongoing" && at === moves.length;
  return html`<div class="stage at-table">
    <section class="table" aria-label="The board">
      <${Status} ...${{ table, state }} />
      <${Board}
        ...${{ board, notes, playable, describe }}
        lines=${analysis.winning_lines.map((line) => line.map((name) => cellOf.get(name)))}
        onPlay=${(cell) => table.play(names[cell])}
        busy=${Boolean(thinking)}
        label=${`Board of ${board.rows} rows and ${board.columns} columns, ${inARow(board)} ${board.misere ? "lose" : "win"}`}
      />
      <${Controls} ...${{ table, state }} />
      <${HintWords} hint=${hint} />
    </section>
    <aside class="panel" aria-label="Game">
      ${over && html`<${Account} ...${{ table, state }} />`}
      <${Setup} ...${{ table, state, offers }} />
    </aside>
  </div>`;
}

const inARow = ({ k, exact }) => `${exact ? "exactly " : ""}${k} in a row`;

function Status({ table, state }) {
  const { analysis, thinking, problem } = state;
  const { status, winner, turn, board } = analysis;
  const { you } = table;
  const loser = ["X", "O"].find((mark) => mark !== winner);
  const goal = board.misere ? `whoever gets ${inARow(board)} loses` : `${inARow(board)} wins`;
  let head;
  let more = "";
  if (status === "draw") head = "A draw";
  else if (winner) head = you ? (winner === you ? "You won" : "You lost") : `${winner} won`;
  else if (thinking) head = `${capital(table.playerOf(thinking).replace(/-/g, " "))} is thinking …`;
  else head = you ? (turn === you ? "Your turn" : `${turn} to move`) : `${turn} to move`;
  if (status === "ongoing") more = you ? `You are ${you}; ${goal}.` : `${goal[0].toUpperCase()}${goal.slice(1)}.`;
  else if (winner && board.misere) more = `${loser} completed ${board.k} in a row.`;
  const last = state.at > 0 && state.moves[state.at - 1];
  return html`<div class="status">
    <div role="status">
      ${last && !table.isPerson(last.mark) && html`<span class="sr">${last.mark} played ${last.move}. </span>`}
      <h1>${head}</h1>
      <p>${more}</p>
    </div>
    <${Problem} problem=${problem} />
  </div>`;
}

function HintWords({ hint }) {
  return html`<p class="hint-words" role="status">${hint ? hintWords(hint) : ""}</p>`;
}

function hintWords({ looking, sure, all, moves, value, reasons }) {
  if (looking) return "Looking for a good move …";
  if (!sure) return `Level 5 would play ${moves[0]}. That is a good guess: this board is too large to be sure.`;
  if (all)
    return `Hint: ${{ win: "every move wins", tie: "every move keeps the draw", loss: "every move loses" }[value]}.`;
  const names = moves.length > 4 ? `${moves.slice(0, 4).join(", ")} or another marked one` : moves.join(" or ");
  const why = reasons.length ? ` ${capital(reasons[0])}.` : "";
  return `Hint: ${names}.${why} ${{ win: "It wins.", tie: "It keeps the draw.", loss: "It holds out longest." }[value]}`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
