// Puzzle: a position with exactly one right move, one a day. The server has the position and judges every try; what was
// solved is kept in this browser.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Transport } from "../shared/controls.js";
import { GameBoard } from "../shared/gameboard.js";
import { usePlayback } from "../shared/playback.js";
import { ask, Refused, to, useAnswer } from "../shared/server.js";
import { Choice } from "../shared/setup.js";
import { Problem } from "../shared/waiting.js";
import { daysBefore, recall, record, streak } from "./record.js";

export const about =
  "One move is right, and only one. There is a new position every day, the same for everyone, easy on Monday and hard on Sunday.";
export const guide = "how-to/puzzles";

const LEVELS = [1, 2, 3, 4, 5].map((level) => [String(level), String(level)]);
const PACE = 900; // milliseconds a move
const given = (asked) => Object.fromEntries(Object.entries(asked).filter(([, text]) => text));

export function View({ table, state }) {
  const { date, level } = state.more;
  const asked = given({ date, level });
  const { answer, problem } = useAnswer(to("/puzzle", asked));
  if (!answer) return html`<div class="page"><${Problem} problem=${problem} />${!problem && html`<p role="status">One moment …</p>`}</div>`;
  return html`<${Puzzle} key=${`${answer.date} ${answer.level}`} ...${{ table, puzzle: answer }} own=${!level} first=${!date} />`;
}

// `own`: it is of the level that its day has, and counts; `first`: nobody has chosen a day, so that it is today's.
function Puzzle({ table, puzzle, own, first }) {
  const [tries, setTries] = useState([]);
  const [found, setFound] = useState(null); // what the server says of the last try, or the solution
  const [shown, setShown] = useState(0); // moves of what is played on the board
  const [problem, setProblem] = useState(null);
  const [kept, setKept] = useState(recall);
  const { date, level, board, turn, task, sight, cells, game } = puzzle;
  const gaveUp = found && !tries.length;
  const done = found && (found.right || gaveUp);
  const last = found ? found.played.length - 1 : 0;
  const playback = usePlayback({ at: shown, last, go: setShown, pause: PACE });
  useEffect(() => void (found && last > 0 && playback.setPlaying(!matchMedia("(prefers-reduced-motion: reduce)").matches)), [found]);

  const hear = async (moves) => {
    try {
      setProblem(null);
      const answer = await ask(to("/puzzle/attempt", { date, level, moves: moves.join() }));
      setTries(moves);
      setShown(0);
      setFound(answer);
      if (own && answer.right && moves.length && !kept[date]) setKept(record(date, answer.share));
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      setProblem(refusal.message);
    }
  };
  const again = () => {
    playback.setPlaying(false);
    setFound(null);
  };
  const text = found && found.played[shown];
  const marks = text ? text.slice(text.indexOf(":") + 1).replaceAll("/", "") : board.marks;
  const names = found ? [found.move, ...found.line] : [];
  return html`<div class="stage at-table">
    <section class="table" aria-label="The board">
      <p class="task">${task}</p>
      <${GameBoard}
        ...${{ turn, board: { ...board, marks }, last: names[shown] }}
        moves=${found ? [] : cells.map((cell) => ({ cell }))}
        onPlay=${(move) => hear([...tries, move])}
        about=": find the one right move"
      />
      ${found && last > 0 && html`<${Transport} ...${playback} last=${last} play="Play it out" />`}
    </section>
    <aside class="stack panel" aria-label="The puzzle">
      <${Card} title=${`Puzzle of ${date}`}>
        <p>${game}, level ${level} of 5: one sees it ${sight} moves ahead, counting both sides.</p>
        <div role="status" class="stack said">
          ${found && !gaveUp && html`<p class=${found.right ? "right" : "wrong"}><b>${found.right ? "Right" : "Not this one"}</b></p>`}
          ${found?.sentences.map((sentence) => html`<p key=${sentence}>${sentence}</p>`)}
        </div>
        <${Problem} problem=${problem} />
        <div class="row">
          ${found && !done && html`<button class="primary" onClick=${again}>Try again</button>`}
          ${found && !done && html`<button onClick=${() => hear([])}>Show the solution</button>`}
          ${!found && html`<button onClick=${() => (setTries([]), hear([]))}>Show the solution</button>`}
        </div>
      <//>
      ${found?.right && !gaveUp && html`<${Share} text=${withStreak(found.share, own ? streak(kept, date) : 0)} />`}
      <${Days} ...${{ table, date, level, kept, first }} />
    </aside>
  </div>`;
}

const withStreak = (text, days) => (days > 1 ? `${text}, ${days} days in a row` : text);

function Share({ text }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), () => setCopied(false));
  return html`<${Card} title="Share it" note="It gives nothing away.">
    <output class="share-text">${text}</output>
    <div class="row"><button onClick=${copy}>${copied ? "Copied" : "Copy"}</button></div>
  <//>`;
}

// The days before, and other levels.
function Days({ table, date, level, kept, first }) {
  const days = streak(kept, date);
  const go = (by) => table.note({ date: daysBefore(date, by), level: null });
  return html`<${Card} title="Other puzzles" kind="days">
    <p>${days ? `Solved ${days === 1 ? "one day" : `${days} days`} in a row.` : "Solve today’s, and tomorrow’s, and a row begins."}</p>
    <${Choice} legend="Level" name="level" value=${String(level)} options=${LEVELS} onChoose=${(to) => table.note({ date, level: to })} />
    <div class="row">
      <button onClick=${() => go(1)}>The day before</button>
      <button onClick=${() => table.note({ date: null, level: null })} disabled=${first}>Today</button>
    </div>
  <//>`;
}
