// One game, watched move by move: it plays by itself at the pace that is wanted, and can be stopped and stepped through.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { useAnswer } from "../shared/server.js";
import { Board, cellNames } from "../shared/board.js";
import { comment } from "../shared/history.js";
import { useStepKeys } from "../shared/keys.js";
import { ValueIcon } from "../shared/marks.js";
import { Choice } from "../shared/setup.js";
import { titleOf } from "./tab.js";

const PACES = { slow: 1600, normal: 750, fast: 200 }; // milliseconds a move
const ICONS = {
  first: "M7 5v14M18 5l-8 7 8 7Z",
  back: "M16 5l-8 7 8 7Z",
  play: "M8 5l10 7-10 7Z",
  pause: "M9 5v14M15 5v14",
  next: "M8 5l8 7-8 7Z",
  last: "M17 5v14M6 5l8 7-8 7Z",
};

export function Watch({ table, more, game, names, number, field, played, running, onBack }) {
  const moves = (played?.moves || []).map((text) => {
    const [mark, move] = text.split(" ");
    return { mark, move };
  });
  const over = Boolean(played?.over);
  const pace = PACES[more.pace] ? more.pace : "normal";
  // The account of a game that is over: which moves threw something away.
  const review = useAnswer(over && "/review", { game, moves: moves.map(({ move }) => move) }).answer;
  const { at, furthest, playing, go, toggle } = usePlayback(moves.length, over, PACES[pace], more.ply);
  const keep = (to) => {
    go(to);
    table.note({ ply: String(Math.max(0, Math.min(moves.length, to))) });
  };
  const pause = () => {
    toggle();
    table.note({ ply: playing ? String(at) : null });
  };
  useStepKeys({ at, last: moves.length, go: keep, toggle: pause }, "[role=grid], .match-games");

  const { board } = field;
  const cells = cellNames(board);
  const cellOf = new Map(cells.map((name, cell) => [name, cell]));
  const marks = Array.from({ length: cells.length }, () => ".");
  for (const { mark, move } of moves.slice(0, at)) marks[cellOf.get(move)] = mark;
  const last = moves[at - 1];
  const ended = over && at === moves.length;
  const seats = played?.a === "O" ? { X: names.b, O: names.a } : { X: names.a, O: names.b };
  const title = (mark) => titleOf(field, seats[mark]);
  const verdict = ended
    ? played.winner
      ? `${title(played.winner)} (${played.winner}) won`
      : "A draw"
    : last
      ? `${title(last.mark)} (${last.mark}) played ${last.move}`
      : "The board is empty";
  const waits = running && !over && at === moves.length;
  const button = (name, words, act, disabled, key) =>
    html`<button
      class="icon"
      onClick=${act}
      disabled=${disabled}
      aria-label=${words}
      title=${key ? `${words} (${key})` : words}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" class=${`icon-${name}`}><path d=${ICONS[name]} /></svg>
    </button>`;
  const analyse = { game, moves: moves.map(({ move }) => move), at };
  return html`<section class="match-watch" aria-labelledby="watch-title">
    <div class="table">
      <header class="match-seats">
        <h2 id="watch-title">
          <span class="sr">Game ${number}: </span><b class="by-x">X</b> ${title("X")}${" "}
          <span class="soft">against</span>${" "}<b class="by-o">O</b> ${title("O")}
        </h2>
        <p class="watch-status" role="status">
          ${verdict}${waits && html`<span class="match-thinking"> · thinking …</span>`}
        </p>
      </header>
      <${Board}
        board=${{ ...board, marks: marks.join("") }}
        notes=${new Map(last && !ended ? [[cellOf.get(last.move), { last: true }]] : [])}
        lines=${ended ? played.lines.map((line) => line.map((name) => cellOf.get(name))) : []}
        playable=${new Set()}
        onPlay=${() => {}}
        describe=${(cell) => `${cells[cell]}, ${marks[cell] === "." ? "empty" : marks[cell]}`}
        label=${`Board of ${board.rows} rows and ${board.columns} columns, game ${number}`}
      />
      <div class="match-transport" role="group" aria-label="Playing the moves">
        ${button("first", "To the start", () => keep(0), at === 0)}
        ${button("back", "One move back", () => keep(at - 1), at === 0, "←")}
        ${button(playing ? "pause" : "play", playing ? "Pause" : ended ? "Play it again" : "Play on", pause, false, "space")}
        ${button("next", "One move on", () => keep(at + 1), at >= moves.length, "→")}
        ${button("last", "To the end", () => keep(moves.length), at >= moves.length)}
      </div>
    </div>
    <div class="watch-side">
      <${Choice}
        legend="Pace"
        name="pace"
        value=${pace}
        options=${[
          ["slow", "Slow"],
          ["normal", "Normal"],
          ["fast", "Fast"],
        ]}
        onChoose=${(name) => table.note({ pace: name === "normal" ? null : name })}
      />
      <${MoveList} moves=${moves.slice(0, furthest)} ...${{ at, review, onGo: keep }} />
      ${at > 0 && review && html`<p class="note">${comment(review, at)}</p>`}
      <div class="row">
        ${moves.length > 0 && html`<${AnalyseLink} ...${{ table, ...analyse }} />`}
        ${onBack && html`<button onClick=${onBack}>Close this game</button>`}
      </div>
    </div>
  </section>`;
}

// The moves that were seen so far, each with what it kept and a question mark where it threw something away.
function MoveList({ moves, at, review, onGo }) {
  const list = useRef();
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current]");
    if (current) list.current.scrollTop = current.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [at]);
  return html`<ol class="move-list" ref=${list} aria-label="Moves">
    ${moves.map(
      ({ mark, move }, i) =>
        html`<li key=${i}>
          <button
            class=${i < at ? "" : "to-come"}
            aria-current=${i + 1 === at ? "step" : null}
            onClick=${() => onGo(i + 1)}
          >
            <span class="number">${i + 1}</span><b class=${`by-${mark.toLowerCase()}`}>${mark}</b> ${move}
            <${Judgement} step=${review?.moves[i]} />
          </button>
        </li>`,
    )}
  </ol>`;
}

function Judgement({ step }) {
  if (!step || step.value === "unknown") return null;
  const slip = html`<span class="slip"><span class="sr">, a mistake</span><span aria-hidden="true">?</span></span>`;
  return html`${step.slipped && slip} <${ValueIcon} value=${step.value} />`;
}

function AnalyseLink({ table, game, moves, at }) {
  const href = `/?view=analyse&game=${game}&moves=${moves.join(",")}${at < moves.length ? `&at=${at}` : ""}`;
  const open = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    table.open({ game, moves, at, view: "analyse", more: {} });
  };
  return html`<a class="button" ...${{ href }} onClick=${open}>Analyse this game</a>`;
}

// Which move is shown: the next one after a while, until somebody stops it or the game is over.
function usePlayback(known, over, pause, ply) {
  const fixed = ply === undefined ? null : Number.parseInt(ply, 10) || 0;
  const [at, setAt] = useState(fixed ?? 0);
  const [playing, setPlaying] = useState(fixed === null);
  const seen = useRef(0);
  const shown = Math.min(at, known);
  seen.current = Math.max(seen.current, shown);
  useEffect(() => {
    if (!playing || shown >= known) return undefined;
    const timer = setTimeout(() => setAt(shown + 1), pause);
    return () => clearTimeout(timer);
  }, [playing, shown, known, pause]);
  useEffect(() => {
    if (playing && over && shown === known) setPlaying(false);
  }, [playing, over, shown, known]);
  return {
    at: shown,
    furthest: seen.current, // what comes after is not given away
    playing,
    go: (to) => {
      setPlaying(false);
      setAt(Math.max(0, Math.min(known, to)));
    },
    toggle: () => {
      if (!playing && over && shown === known) setAt(0);
      setPlaying(!playing);
    },
  };
}
