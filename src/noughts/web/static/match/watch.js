// One game, watched move by move: it plays by itself at the pace that is wanted, and can be stopped and stepped through.
import { html, useRef, useState } from "../vendor/preact-htm.js";
import { useAnswer } from "../shared/server.js";
import { cellNames } from "../shared/board.js";
import { GameBoard } from "../shared/gameboard.js";
import * as address from "../shared/address.js";
import { Link, Transport } from "../shared/controls.js";
import { useStepKeys } from "../shared/keys.js";
import { comment, MoveList } from "../shared/moves.js";
import { usePlayback } from "../shared/playback.js";
import { Choice } from "../shared/setup.js";
import { titleOf } from "./tab.js";

const PACES = { slow: 1600, normal: 750, fast: 200 }; // milliseconds a move
export function Watch({ table, more, game, names, number, field, played, running, onBack }) {
  const moves = (played?.moves || []).map((text) => {
    const [mark, move] = text.split(" ");
    return { mark, move };
  });
  const over = Boolean(played?.over);
  const pace = PACES[more.pace] ? more.pace : "normal";
  // The account of a game that is over: which moves threw something away.
  const review = useAnswer(over && "/review", { game, moves: moves.map(({ move }) => move) }).answer;
  const fixed = more.ply === undefined ? null : Number.parseInt(more.ply, 10) || 0;
  const [shown, setShown] = useState(fixed ?? 0);
  const at = Math.min(shown, moves.length);
  const seen = useRef(0);
  seen.current = Math.max(seen.current, at); // what comes after is not given away
  const player = usePlayback({
    ...{ at, last: moves.length, go: setShown, pause: PACES[pace], isOver: over, begins: fixed === null },
  });
  const go = (to) => {
    player.go(to);
    table.note({ ply: String(Math.max(0, Math.min(moves.length, to))) });
  };
  const toggle = () => {
    player.toggle();
    table.note({ ply: player.playing ? String(at) : null });
  };
  const transport = { ...player, go, toggle };
  useStepKeys(transport, "[role=grid], .match-games");

  const { board } = field;
  const cells = cellNames(board);
  const marks = cells.map(() => ".");
  for (const { mark, move } of moves.slice(0, at)) marks[cells.indexOf(move)] = mark;
  const last = moves[at - 1];
  const ended = over && at === moves.length;
  const seats = played?.a === "O" ? { X: names.b, O: names.a } : { X: names.a, O: names.b };
  const title = (mark) => titleOf(field, seats[mark]);
  const verdict = ended
    ? played.winner
      ? `${title(played.winner)} (${played.winner}) won${played.forfeit ? `. The other broke the rules: ${played.forfeit}` : ""}`
      : "A draw"
    : last
      ? `${title(last.mark)} (${last.mark}) played ${last.move}`
      : "The board is empty";
  const waits = running && !over && at === moves.length;
  const analysed = { view: "analyse", game, moves: moves.map(({ move }) => move), at, more: {} };
  return html`<section class="match-watch stack" aria-labelledby="watch-title">
    <div class="table">
      <header class="match-seats">
        <h2 id="watch-title">
          <span class="sr">Game ${number}: </span><b class="by-x">X</b> ${title("X")}${" "}
          <span class="soft">against</span>${" "}<b class="by-o">O</b> ${title("O")}
        </h2>
        <p class="watch-status soft" role="status">
          ${verdict}${waits && html`<span class="match-thinking"> · thinking …</span>`}
        </p>
      </header>
      <${GameBoard}
        board=${{ ...board, marks: marks.join("") }}
        last=${ended ? null : last?.move}
        lines=${ended ? played.lines : []}
        about=${`, game ${number}`}
      />
      <${Transport} ...${transport} play=${ended ? "Play it again" : "Play on"} canPlay />
    </div>
    <div class="watch-side stack">
      <${Choice}
        legend="Pace"
        name="pace"
        value=${pace}
        options=${{ slow: "Slow", normal: "Normal", fast: "Fast" }}
        onChoose=${(name) => table.note({ pace: name === "normal" ? null : name })}
      />
      <${MoveList} moves=${moves.slice(0, seen.current)} ...${{ at, review, onGo: go }} />
      ${at > 0 && review && html`<p class="note">${comment(review, at)}</p>`}
      <div class="row">
        ${moves.length > 0 && html`<${Link} class="button" href=${address.write({ ...address.USUAL, ...analysed })} onFollow=${() => table.open(analysed)}>Analyse this game<//>`}
        ${onBack && html`<button onClick=${onBack}>Close this game</button>`}
      </div>
    </div>
  </section>`;
}
