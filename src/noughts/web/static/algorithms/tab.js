// Algorithms: each way to see a win, step by step, on the board in front of you.
import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { to, useAnswer } from "../shared/server.js";
import { Controls } from "../shared/controls.js";
import { GameBoard } from "../shared/gameboard.js";
import { useStepKeys } from "../shared/keys.js";
import { Miniboard } from "../shared/miniboard.js";
import { isCalm, show, useInSight } from "../shared/place.js";
import { whole } from "../shared/quantities.js";
import { Quiz, useQuiz } from "../shared/quiz.js";
import { Choice } from "../shared/setup.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { Scene } from "./scene.js";
import { END, PlayerBar, usePlayer } from "./player.js";
import { Costs, Exhibits } from "./cards.js";

export const about =
  "Eight ways to see whether somebody has won, each at work on the board in front of you. Step through one, play on, and watch what it does and what it costs.";
export const guide = "explanation/who-has-won";
export const keys = ["u", "r", "n"];
export const fresh = { step: END };

const WORDS = { hit: "found", look: "looked at", want: "would complete a line", miss: "stops the walk" };
const ORDER = ["later", "miss", "look", "want", "hit"]; // where a cell has several roles the last one shows

// `alone`: one of them at work, without the others, examples and costs.
export function View({ table, state, alone = false }) {
  const { start, moves, at, more } = state;
  const played = moves.slice(0, at).map(({ move }) => move);
  const asked = start && { position: start, moves: played.join() };
  const all = useAnswer(asked && to("/detectors", asked)).last;
  const exhibits = useAnswer(alone ? null : "/exhibits").answer?.exhibits;
  const shown = useLast([state.analysis, all].find((each) => each && each.position === table.position));
  const known = all?.detectors || [];
  const entry = known.find(({ detector }) => detector === more.detector) || known.find(({ supports }) => supports);
  const chosen = entry?.detector;
  const entries = known.filter(({ detector, exhibit }) => !exhibit || detector === chosen);
  const ready = asked && entry && all.game === state.game;
  const refused = ready && !entry.supports;
  const question = refused
    ? entry.proof && to("/labelling", { game: state.game })
    : ready && to("/detect", { ...asked, detector: chosen });
  const walk = useAnswer(question);

  const steps = (!walk.problem && walk.last?.steps) || [];
  const waits = walk.of !== (question || null); // what is shown answers the question before
  const between = Number(more.step) > 1 && Number(more.step) < steps.length; // whoever leads has gone on
  const quiz = useQuiz(table, more, waits || between ? null : questionOf(walk.answer));
  const player = usePlayer(steps.length, more.step, (change) => table.note(change), waits, quiz);
  useStepKeys(player, "[role=grid]");
  const work = useRef();
  const shownNext = useArrival(state.openings, Boolean(question) && !waits, () => {
    if (!isCalm()) player.setPlaying(true);
    work.current?.querySelector(".step-play")?.focus({ preventScroll: true }); // the next Space pauses
    requestAnimationFrame(() => show(work.current)); // once what stands above it has found its place
  });
  const opened = Boolean(shown); // at first the steps are looked at from their beginning
  useEffect(() => void (opened && !more.step && table.note({ step: "1" })), [opened]);

  if (!shown) return html`<${Waiting} ...${{ table, state }} as="h2" />`;
  const step = steps[player.at];
  const choose = (detector) => {
    player.setPlaying(false);
    table.note({ detector, step: "1" });
    show(work.current);
  };
  const open = ({ detector, ...what }) => {
    player.setPlaying(false);
    shownNext.current = state.openings;
    table.open({ view: "algorithms", ...what, more: { detector, step: isCalm() ? END : "1" } });
  };
  const example = ({ game, moves, detector }) => open({ game, moves: moves.split(","), detector });
  const exhibit = ({ position, detector }) => open({ position, detector });
  return html`<div class="stage">
      <section class="table" aria-label="The board">
        <${Turn} ...${shown} problem=${state.problem} asks=${Boolean(quiz.pending)} />
        <${Playable} ...${{ table, state, shown }} step=${waits || quiz.pending ? null : step} />
        <${Controls} ...${{ table, state }} hint=${false} />
      </section>
      ${
        !alone &&
        html`<${Examples}
          examples=${all?.examples || []}
          open=${example}
          prominent=${!/[XO]/.test(shown.board.marks)}
        />`
      }
      <section class="at-work stack" ref=${work} aria-label="The algorithm at work">
        ${!alone && html`<${Chooser} ...${{ entries, chosen, choose }} />`}
        <${Stage} ...${{ walk, player, step, entry, refused, table, quiz }} />
        ${!alone && entries.length > 0 && html`<${Costs} ...${{ entries, chosen, choose }} lab=${table.linkTo("lab")} />`}
      </section>
    </div>
    ${!alone && html`<div class="page"><${Exhibits} ...${{ exhibits, chosen }} open=${exhibit} /></div>`}`;
}

// What was there before, while nothing is.
function useLast(thing) {
  const last = useRef(null);
  if (thing) last.current = thing;
  return last.current;
}

// Once the board opened after the one numbered in `.current` has its steps, `greet`.
function useArrival(openings, ready, greet) {
  const after = useRef(null);
  useEffect(() => {
    if (after.current === null || openings === after.current || !ready) return;
    after.current = null;
    greet();
  }, [openings, ready]);
  return after;
}

// What a class is asked before a walk begins.
function questionOf(answer) {
  if (!answer || !("truth" in answer)) return null;
  const options = [["X", "X"], ["O", "O"], ["", "nobody"]];
  const question = answer.game.endsWith("m") ? "Who has completed a line here?" : "Who has won here?";
  return { key: `${answer.position} ${answer.detector}`, question, options, right: answer.truth || "" };
}

function Turn({ status, turn, winner, problem, asks }) {
  const said = asks ? "Who has won here?" : winner ? `${winner} has won` : status === "draw" ? "A draw" : `${turn} to move`;
  return html`<div class="whose-turn">
    <h2>${said}</h2>
    <${Problem} problem=${problem} />
  </div>`;
}

// The board itself: press to play on, for both sides; what the step looks at is marked.
function Playable({ table, state, step, shown: { board, turn } }) {
  const { moves, at, analysis } = state;
  const notes = new Map();
  for (const role of ORDER) for (const cell of step?.cells[role] || []) notes.set(cell, { role });
  return html`<${GameBoard}
    ...${{ board, turn, notes, last: moves[at - 1]?.move, moves: analysis?.moves }}
    say=${({ role }) => WORDS[role]}
    onPlay=${(move) => table.play(move)}
    about=": play on it, for both sides"
  />`;
}

const Examples = ({ examples, open, prominent }) =>
  html`<section class=${`algo-examples ${prominent ? "first-look" : ""}`} aria-labelledby="examples-title">
    <h2 id="examples-title">${prominent ? "Begin with an example" : "Examples"}</h2>
    <ul>
      ${examples.map(
        (each) =>
          html`<li key=${each.title}>
            <button onClick=${() => open(each)}>
              <${Miniboard} ...${each.board} side=${44} />
              <span><b>${each.title}</b><small class="small">${each.summary}</small></span>
            </button>
          </li>`,
      )}
    </ul>
  </section>`;

function Chooser({ entries, chosen, choose }) {
  const place = useRef();
  useInSight(place, "input:checked", [chosen]); // where they do not all fit side by side
  const options = entries.map(({ detector, title, supports, exhibit }) => [
    detector,
    html`${title}${exhibit && html` <em>wrong</em>`}${!supports && html`<span class="sr"> (not on this board)</span>`}`,
    null,
    false,
    supports ? null : "refused",
  ]);
  return html`<${Choice}
    ...${{ options, place }}
    kind="algo-chooser"
    legend="Algorithm"
    quiet
    name="detector"
    value=${chosen}
    onChoose=${choose}
  />`;
}

function Stage({ walk, player, step, entry, refused, table, quiz }) {
  const { problem, of } = walk;
  const answer = problem ? null : walk.last;
  const about = refused ? entry : answer;
  return html`<div class="card stage-card stack">
    ${about?.idea && html`<p class="soft">${about.idea}</p>`}
    ${refused && html`<${Refusal} ...${{ entry, table }} proof=${answer?.impossible} />`}
    <${Problem} problem=${problem} />
    ${
      step
        ? html`<${PlayerBar} ...${{ player, quiz, found: quiz.pending ? null : answer.found }} steps=${answer.steps} />
            <${Quiz} quiz=${quiz} />
            ${
              !quiz.pending &&
              html`<p class="step-say" role="status">${step.say}</p>
                <${Scene} key=${`${of} ${player.at}`} rows=${step.scene} />
                ${"verdict" in answer && html`<${Outcome} ...${{ answer, player }} />`}`
            }
            <p class="step-keys small keys">
              <kbd>Space</kbd> play <kbd>←</kbd><kbd>→</kbd> step <kbd>Home</kbd><kbd>End</kbd> ends
            </p>`
        : !problem && !refused && html`<p class="loading" role="status">Looking …</p>`
    }
  </div>`;
}

function Refusal({ entry, table, proof }) {
  const home = () =>
    table.open({ view: "algorithms", game: entry.home, more: { detector: entry.detector, step: "1" } });
  return html`<div class="spread">
    <p class="problem">${entry.refusal}.</p>
    ${proof && html`<p><b>Why it cannot work here:</b></p>`}
    ${entry.home && html`<button onClick=${home}>Show it on ${entry.home}</button>`}
  </div>`;
}

function Outcome({ answer, player }) {
  const { verdict, truth, sentence, found, operations, total, follows, left_out } = answer;
  const wrong = verdict !== truth;
  const spent = answer.steps.slice(0, player.at + 1).reduce((sum, step) => sum + step.operations, 0);
  return html`<div class=${`judgement ${wrong ? "wrong" : verdict ? "won" : ""}`}>
    <p>
      <b>${sentence}</b>${" "}
      ${
        found !== null &&
        html`<button class="link" onClick=${() => player.go(found)} disabled=${player.at === found}>
          Found in step ${found + 1}
        </button>`
      }
    </p>
    <p class="note">
      ${whole(spent)} of ${whole(total)} operations so
      far${follows && total > operations ? `; the last move alone takes ${whole(operations)}` : ""}.
      ${left_out > 0 && ` ${whole(left_out)} steps in the middle are left out.`}
    </p>
  </div>`;
}
