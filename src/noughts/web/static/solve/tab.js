// Solve: choose a game, see what it takes, watch its levels being solved, and read what was found.
//
//   in the address: solve, the game if it is not the one on the board; run=1 while and after it is solved;
//   scale, of the first chart; rule, the one that the atlas shows; against, the game whose proof is played against, and
//   tried, the moves that were tried there

import { html, useMemo, useRef } from "../vendor/preact-htm.js";
import { to, useAnswer } from "../shared/server.js";
import { useRun } from "../shared/runs.js";
import { GameChoice } from "../shared/setup.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { ValueIcon } from "../shared/marks.js";
import { show } from "../shared/place.js";
import { ProgressBar } from "../shared/figures.js";
import { Link, RunButton } from "../shared/controls.js";
import { Levels } from "./levels.js";
import { Charts } from "./charts.js";
import { Atlas } from "./atlas.js";
import { Proven } from "./proven.js";
import { bytes, duration, inWords, percent, whole } from "../shared/quantities.js";

export const about =
  "To solve a game is to know the value of every position that can arise. The computer begins with the full boards and works back, level by level, to the empty one.";
export const guide = "explanation/how-5x5-is-solved";

// short: as it is called on its button
const PRESETS = [
  ["3x3k3", "3 × 3"],
  ["3x3k3m", "3 × 3 misère"],
  ["4x4k3", "4 × 4, three in a row"],
  ["4x4k4", "4 × 4, four"],
  ["4x5k4", "4 × 5, four"],
  ["5x5k4", "5 × 5, four"],
  ["4x5k4g", "4 × 5, four, marks fall"],
].map(([game, short]) => ({ game, short }));

export function View({ table, state, offers }) {
  const { more } = state;
  const game = more.solve || state.game;
  const prospect = useAnswer(game && to("/prospect", { game })); // what a solve will take
  const run = useRun("solve", to("/solve", { game }), game && more.run);
  const top = useRef();
  const place = useRef();
  const choose = (name) => table.note({ solve: name === state.game ? null : name, run: null });
  const chooseFromAtlas = (name) => {
    choose(name);
    top.current.focus({ preventScroll: true });
    show(top.current);
  };
  // Progress comes ten times a second, and hundreds of cells need not be looked at again each time.
  const atlas = useMemo(
    () =>
      html`<${Atlas}
        ...${{ current: game, rule: more.rule, onRule: (rule) => table.note({ rule }), onChoose: chooseFromAtlas }}
      />`,
    [game, state.game, more.rule],
  );
  if (!state.game) return html`<${Waiting} ...${{ table, state }} />`;

  return html`<div class="page beside">
    <section class="stack" aria-labelledby="solve-game">
      <h2 id="solve-game" class="sr" tabindex="-1" ref=${top}>The game to solve: ${game}</h2>
      <${GameChoice}
        ...${{ game, games: PRESETS, board: prospect.last, most: offers.max_side, onChoose: choose }}
        legend="Game"
        name="solve-game"
        quiet
      />
      <${Cost} ...${{ prospect, run }} />
      <div class="row">
        <${RunButton}
          ...${{ run, table }}
          title=${run.status === "done" ? "Solve again" : `Solve ${game}`}
          disabled=${!prospect.answer || Boolean(prospect.answer.refusal)}
          onStart=${() => show(place.current)}
        />
        ${
          !prospect.problem &&
          html`<${Link}
            class="button"
            href=${`/?game=${game}`}
            onFollow=${() => table.open({ game, view: "play", more: {} })}
            >Play ${game}<//
          >`
        }
      </div>
    </section>
    <section class="stack" aria-label="Solving" ref=${place}>
      <${Headline} ...${{ run, prospect }} />
      <${Figures} run=${run} />
      <${Levels} ...${{ run, prospect: prospect.answer }} />
    </section>
    ${run.summary && html`<${Charts} ...${{ summary: run.summary, more, onNote: (change) => table.note(change) }} />`}
    ${atlas}
    <${Proven} ...${{ table, more }} />
  </div>`;
}

const fact = (name, figure, value) =>
  html`<div class=${value ? `value-${value}` : null}>
    <dt class="note">${value && html`<${ValueIcon} value=${value} />`}${name}</dt>
    <dd>${figure}</dd>
  </div>`;

function Cost({ prospect: { answer, problem }, run }) {
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!answer) return html`<p class="note solve-cost">Working out what it takes …</p>`;
  const { game, positions, memory, seconds, threads, backend, known, refusal } = answer;
  return html`<div class="solve-cost stack">
    ${
      positions !== null &&
      html`<dl class="facts">
        ${fact("Positions", `about ${inWords(positions)}`)} ${fact("Memory", bytes(memory))}
        ${fact("Time", `${seconds >= 0.001 ? "about " : ""}${duration(seconds)}`)}
        ${fact("With", `${threads === 1 ? "1 thread" : `${threads} threads`}${backend === "python" ? ", in plain Python" : ""}`)}
      </dl>`
    }
    <${Problem} problem=${refusal} />
    ${known && !run.summary && html`<p class="note">The atlas knows: ${known.sentence}</p>`}
    ${!known && !refusal && html`<p class="note">${game} is not in the atlas: you would be the one to find out.</p>`}
  </div>`;
}

// One line that says where things stand, and under it how far it is or what to do.
function Headline({ run, prospect }) {
  const { status, summary, events, problem, last } = run;
  const share = last ? (100 * last.done) / last.size : 0;
  const refused = prospect.answer?.refusal;
  const noGame = prospect.problem;
  const told = events.length > 0 || !(refused || prospect.problem); // what never began was refused for the same reason
  const words = { done: summary?.sentence, running: "Solving, from the full board down" };
  return html`<div class="solve-headline stack">
    <div role="status">
      <h2 class="headline">
        ${status === "done" && html`<${ValueIcon} value=${summary.value} />`}
        <span>${words[status] || (noGame ? "Nothing to solve" : refused ? "Out of reach" : "Not solved yet")}</span>
      </h2>
    </div>
    ${status === "running" && html`<${ProgressBar} label="Solved so far" ...${{ share }} />`}
    ${status === "problem" && told && html`<${Problem} problem=${problem} />`}
    ${
      (status === "idle" || (status === "problem" && !told)) &&
      html`<p class="note">
        ${
          noGame
            ? "Choose another game, or one of the atlas below."
            : refused
              ? "The reason stands with the game. The atlas below has what can be known."
              : "One bar a level, as wide as it has positions. Press Solve and watch them fill from the top."
        }
      </p>`
    }
  </div>`;
}

// Counts, rate and time: so far while it runs, in all when it is done.
function Figures({ run }) {
  const { summary, events, status, last } = run;
  if (!last) return null;
  const levels = summary ? summary.by_marks : events.map(({ found }) => found).filter(Boolean);
  const sum = (name) => levels.reduce((total, level) => total + level[name], 0);
  const [positions, win, tie, loss] = ["positions", "win", "tie", "loss"].map(sum);
  const seconds = summary ? summary.seconds : last.seconds;
  const left = last.done ? (last.seconds * (last.size - last.done)) / last.done : 0;
  const share = (name, number) => fact(name, html`${whole(number)} <small class="soft">${percent(number, positions)}</small>`, name.toLowerCase());
  const rate = (number) => fact("Rate", html`${inWords(number)} <small class="soft">positions/s</small>`);
  return html`<dl class="solve-figures">
    ${fact("Positions", whole(positions))} ${summary && fact("Up to symmetry", whole(summary.classes))}
    ${share("Win", win)} ${share("Tie", tie)} ${share("Loss", loss)} ${fact("Time", duration(seconds))}
    ${status === "running" && rate(last.rate)}
    ${status === "running" && last.seconds > 1 && fact("Left", `about ${duration(left)}`)}
    ${summary && rate(positions / Math.max(summary.seconds, 1e-6))}
    ${summary?.peak_rss_bytes > 0 && fact("Whole process", bytes(summary.peak_rss_bytes))}
  </dl>`;
}
