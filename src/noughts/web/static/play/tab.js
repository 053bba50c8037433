// Play: the board at once, the settings beside it, and at the end the account of the game.
import { html } from "../vendor/preact-htm.js";
import { Controls } from "../shared/controls.js";
import { GameBoard } from "../shared/gameboard.js";
import { hasThreats, ThreatTick, threatsOn, useThreats } from "../shared/threats.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { capital } from "../shared/words.js";
import { Account } from "./account.js";
import { OpeningCard } from "./opening.js";
import { Setup } from "./setup.js";

export const keys = ["h", "u", "r", "n"];

export function View({ table, state, offers }) {
  const { analysis, hint, thinking, moves, at } = state;
  const [threats, setThreats] = useThreats("play");
  if (!analysis) return html`<${Waiting} ...${{ table, state }} />`;
  const { board } = analysis;
  const myTurn = analysis.status === "ongoing" && !thinking && table.isPerson(analysis.turn);
  const hinted = analysis.moves.filter(({ move }) => hint?.moves.includes(move));
  const over = analysis.status !== "ongoing" && at === moves.length;
  return html`<div class="stage at-table">
    <section class="table" aria-label="The board">
      <${Status} ...${{ table, state }} />
      <${GameBoard}
        ...${{ board, last: moves[at - 1]?.move, lines: analysis.winning_lines, turn: analysis.turn }}
        moves=${myTurn ? analysis.moves : []}
        notes=${hinted.map(({ cell }) => [cell, { hint: true }])}
        say=${(note) => note.hint && "hint"}
        onPlay=${(move) => table.play(move)}
        busy=${Boolean(thinking)}
        layer=${threats && hasThreats(board) ? threatsOn(analysis.shapes) : null}
        about=${`, ${inARow(board)} ${board.misere ? "lose" : "win"}`}
      />
      <${Controls} ...${{ table, state }} />
      <p class="hint-words" role="status">${hint && hintWords(hint)}</p>
    </section>
    <aside class="stack panel" aria-label="Game">
      ${state.more.opening && html`<${OpeningCard} ...${{ table, state }} />`}
      ${over && html`<${Account} ...${{ table, state }} />`}
      ${hasThreats(board) && html`<${ThreatTick} checked=${threats} onChoose=${setThreats} />`}
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
  let [head, more] = [`${turn} to move`, ""];
  if (status === "draw") head = "A draw";
  else if (winner) head = you ? (winner === you ? "You won" : "You lost") : `${winner} won`;
  else if (thinking) head = `${capital(table.playerOf(thinking).replace(/-/g, " "))} is thinking …`;
  else if (turn === you) head = "Your turn";
  if (status === "ongoing") more = you ? `You are ${you}; ${goal}.` : `${capital(goal)}.`;
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

function hintWords({ looking, sure, all, moves, value, reasons, must }) {
  if (looking) return "Looking for a good move …";
  if (!sure) return `Level 5 would play ${moves[0]}. That is a good guess: this board is too large to be sure.`;
  if (all)
    return `Hint: ${{ win: "every move wins", tie: "every move keeps the draw", loss: "every move loses" }[value]}.`;
  const names = moves.length > 4 ? `${moves.slice(0, 4).join(", ")} or another marked one` : moves.join(" or ");
  const why = must.length ? ` ${capital(must[0])}.` : reasons.length ? ` ${capital(reasons[0])}.` : "";
  const worth = { win: "It wins.", tie: "It keeps the draw.", loss: "It holds out longest.", unknown: "Every other move is known to be worse." };
  return `Hint: ${names}.${why} ${worth[value]}`;
}
