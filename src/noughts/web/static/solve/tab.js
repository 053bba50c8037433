// Solve: choose a game, see what it takes, watch its levels being solved, and read what was found.
//
//   in the address: solve, the game if it is not the one on the board; run=1 while and after it is solved;
//   scale, of the first chart; rule, the one that the atlas shows

import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import * as server from "../shared/server.js";
import { useRun } from "../shared/runs.js";
import { Choice, CustomBoard } from "../shared/setup.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { ValueIcon } from "../shared/marks.js";
import { show } from "../shared/place.js";
import { ProgressBar } from "../shared/progress.js";
import { Levels } from "./levels.js";
import { Charts } from "./charts.js";
import { Atlas } from "./atlas.js";
import { bytes, duration, inWords, percent, whole } from "../shared/quantities.js";

const PRESETS = [
  ["3x3k3", "3 × 3"],
  ["3x3k3m", "3 × 3 misère"],
  ["4x4k3", "4 × 4, three in a row"],
  ["4x4k4", "4 × 4, four"],
  ["4x5k4", "4 × 5, four"],
  ["5x5k4", "5 × 5, four"],
];

export function View({ table, state, offers }) {
  const { more } = state;
  const game = more.solve || state.game;
  const prospect = useProspect(game);
  const run = useRun("solve", `/solve?game=${encodeURIComponent(game)}`);
  const top = useRef();
  const place = useRef();
  useEffect(() => {
    if (more.run && game && run.status === "idle") run.start();
  }, [more.run, game]);
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

  const start = (again) => {
    table.note({ run: "1" });
    run.start(again);
    show(place.current);
  };
  const stop = () => {
    run.stop();
    table.note({ run: null });
  };
  return html`<div class="solve">
    <section class="solve-setup" aria-labelledby="solve-game">
      <h2 id="solve-game" class="sr" tabindex="-1" ref=${top}>The game to solve: ${game}</h2>
      <${Chooser} ...${{ game, prospect, onChoose: choose, most: offers.max_side }} />
      <${Cost} ...${{ prospect, run }} />
      <div class="row">
        ${
          run.status === "running"
            ? html`<button class="primary" onClick=${stop}>Stop</button>`
            : html`<button
                class="primary"
                onClick=${() => start(run.status !== "idle")}
                disabled=${!prospect.answer || Boolean(prospect.answer.refusal)}
              >
                ${run.status === "done" ? "Solve again" : `Solve ${game}`}
              </button>`
        }
        ${(!prospect.problem || prospect.isGame) && html`<${PlayLink} ...${{ table, game }} />`}
      </div>
    </section>
    <section class="solve-run" aria-label="Solving" ref=${place}>
      <${Headline} ...${{ run, prospect }} />
      <${Figures} run=${run} />
      <${Levels} ...${{ run, prospect: prospect.answer }} />
    </section>
    ${run.summary && html`<${Charts} ...${{ summary: run.summary, more, onNote: (change) => table.note(change) }} />`}
    ${atlas}
  </div>`;
}

// What a solve will take, asked when the game changes; `board` is the last one that was told about.
function useProspect(game) {
  const [found, setFound] = useState({});
  useEffect(() => {
    if (!game) return undefined;
    const abort = new AbortController();
    server.ask(`/prospect?game=${encodeURIComponent(game)}`, { signal: abort.signal }).then(
      (answer) => setFound({ game, answer, board: answer }),
      (problem) =>
        abort.signal.aborted ||
        setFound(({ board }) => ({
          ...{ game, board, problem: problem.message },
          isGame: problem instanceof server.Lost, // for all that is known
        })),
    );
    return () => abort.abort();
  }, [game]);
  return found.game === game ? found : { board: found.board };
}

function Chooser({ game, prospect, onChoose, most }) {
  const [custom, setCustom] = useState(false);
  const offered = PRESETS.some(([name]) => name === game);
  const value = custom || !offered ? "custom" : game;
  const choose = (name) => {
    setCustom(name === "custom");
    if (name !== "custom") onChoose(name);
  };
  return html`<div>
    <${Choice}
      legend="Game"
      name="solve-game"
      value=${value}
      options=${[...PRESETS, ["custom", "Custom"]]}
      onChoose=${choose}
    />
    ${
      value === "custom" &&
      prospect.board &&
      html`<${CustomBoard} key=${prospect.board.game} board=${prospect.board} most=${most} onChoose=${onChoose} />`
    }
  </div>`;
}

function Cost({ prospect: { answer, problem }, run }) {
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!answer) return html`<p class="note solve-cost">Working out what it takes …</p>`;
  const { game, positions, memory, seconds, threads, backend, known, refusal } = answer;
  return html`<div class="solve-cost">
    ${
      positions !== null &&
      html`<dl>
        <div>
          <dt>Positions</dt>
          <dd>about ${inWords(positions)}</dd>
        </div>
        <div>
          <dt>Memory</dt>
          <dd>${bytes(memory)}</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>${seconds >= 0.001 && "about "}${duration(seconds)}</dd>
        </div>
        <div>
          <dt>With</dt>
          <dd>${threads === 1 ? "1 thread" : `${threads} threads`}${backend === "python" && ", in plain Python"}</dd>
        </div>
      </dl>`
    }
    <${Problem} problem=${refusal} />
    ${known && !run.summary && html`<p class="note">The atlas knows: ${known.sentence}</p>`}
    ${!known && !refusal && html`<p class="note">${game} is not in the atlas: you would be the one to find out.</p>`}
  </div>`;
}

function PlayLink({ table, game }) {
  const open = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    table.open({ game, view: "play", more: {} });
  };
  return html`<a class="button" href=${`/?game=${game}`} onClick=${open}>Play ${game}</a>`;
}

// One line that says where things stand, and under it how far it is or what to do.
function Headline({ run, prospect }) {
  const { status, summary, events, problem } = run;
  const last = events[events.length - 1];
  const share = last ? (100 * last.done) / last.size : 0;
  const refused = prospect.answer?.refusal;
  const noGame = prospect.problem && !prospect.isGame;
  const told = events.length > 0 || !(refused || prospect.problem); // what never began was refused for the same reason
  const words = { done: summary?.sentence, running: "Solving, from the full board down" };
  return html`<div class="solve-headline">
    <div role="status">
      <h2>
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
              ? "There are too many positions to know them all. The atlas below has what can be known."
              : "One bar a level, as wide as it has positions. Press Solve and watch them fill from the top."
        }
      </p>`
    }
  </div>`;
}

// Counts, rate and time: so far while it runs, in all when it is done.
function Figures({ run }) {
  const { summary, events, status } = run;
  const last = events[events.length - 1];
  if (!last) return null;
  const levels = summary ? summary.by_marks : events.map(({ found }) => found).filter(Boolean);
  const sum = (name) => levels.reduce((total, level) => total + level[name], 0);
  const [positions, win, tie, loss] = ["positions", "win", "tie", "loss"].map(sum);
  const seconds = summary ? summary.seconds : last.seconds;
  const left = last.done ? (last.seconds * (last.size - last.done)) / last.done : 0;
  const entry = (name, figure, icon) =>
    html`<div class=${`solve-figure ${icon ? `value-${icon}` : ""}`}>
      <dt>${icon && html`<${ValueIcon} value=${icon} />`}${name}</dt>
      <dd>${figure}</dd>
    </div>`;
  return html`<dl class="solve-figures">
    ${entry("Positions", whole(positions))} ${summary && entry("Up to symmetry", whole(summary.classes))}
    ${entry("Win", html`${whole(win)} <small>${percent(win, positions)}</small>`, "win")}
    ${entry("Tie", html`${whole(tie)} <small>${percent(tie, positions)}</small>`, "tie")}
    ${entry("Loss", html`${whole(loss)} <small>${percent(loss, positions)}</small>`, "loss")}
    ${entry("Time", duration(seconds))}
    ${status === "running" && entry("Rate", html`${inWords(last.rate)} <small>positions/s</small>`)}
    ${status === "running" && last.seconds > 1 && entry("Left", `about ${duration(left)}`)}
    ${summary && entry("Rate", html`${inWords(positions / Math.max(summary.seconds, 1e-6))} <small>positions/s</small>`)}
    ${summary?.peak_rss_bytes > 0 && entry("Whole process", bytes(summary.peak_rss_bytes))}
  </dl>`;
}
