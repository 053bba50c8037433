// The benchmark: the methods race on one board after another, and the bars grow while they do.
import { html, useRef } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { RunButton, Select, Tick } from "../shared/controls.js";
import { Figures as FigureTable } from "../shared/figures.js";
import { useInSight } from "../shared/place.js";
import { useRun } from "../shared/runs.js";
import { Choice } from "../shared/setup.js";
import { Miniboard } from "../shared/miniboard.js";
import { Problem } from "../shared/waiting.js";
import { whole } from "../shared/quantities.js";
import { Take } from "../shared/take.js";
import { Prose } from "../shared/words.js";
import { Bars, duration } from "./bars.js";
import { Growth } from "./growth.js";
import { Stage, VerdictIcon, verdictOf } from "./verdict.js";

const TRIALS = ["5", "10", "30", "100"];
const USUAL = "10";
const NINE = "row_win,column_win,diagonal_win,draw,early_game,win_4x4,win_5x5,win_15x15,draw_15x15";

const WORDS = {
  checking: "First every method is checked",
  "timing the scenarios": "The clock runs",
  "weighing calls": "Weighing the memory of a call",
  "weighing processes": "Weighing whole processes",
  "preparing boards": "Preparing the boards",
  "timing growth": "The clock runs",
};

// What the address asks for, as the server takes it.
function pathOf({ experiment, boards, trials, paper, memory }) {
  const asked = new URLSearchParams();
  const growth = experiment === "growth";
  if (growth) asked.set("experiment", "growth");
  if (!growth && boards === "all") asked.set("scenario", NINE);
  if (!growth && memory) asked.set("memory", "true");
  if (!growth && paper) asked.set("paper", "true");
  else if (trials && trials !== USUAL) asked.set("trials", trials);
  return `/bench${asked.size ? `?${asked}` : ""}`;
}

export function Bench({ table, state }) {
  const { more } = state;
  const path = pathOf(more);
  const run = useRun("lab", path, more.run);
  const growth = more.experiment === "growth";
  const [plan] = run.events;
  const found = run.summary || run.last;
  const measured = plan && found !== plan;
  return html`<div class="bench stack">
    <${Settings} ...${{ table, more, disabled: run.status === "running" }} />
    <div class="row">
      <${RunButton} ...${{ run, table }} title=${run.status === "idle" ? "Run the benchmark" : "Run it again"} />
      <${Progress} ...${{ run, found, measured }} />
    </div>
    <${Problem} problem=${run.problem && measured ? `${run.problem}: below is what had been measured` : run.problem} />
    ${run.status === "idle" && html`<${Promised} growth=${growth} />`}
    ${measured && !growth && html`<${Race} ...${{ table, more, run, plan, found }} />`}
    ${measured && growth && html`<${Growth} ...${{ run, found }} />`}
    ${run.summary && html`<${Findings} findings=${run.summary.findings} />`}
    ${plan && html`<${Machine} ...${{ plan, summary: run.summary }} />`}
  </div>`;
}

// What will happen, before it does.
const STEPS = {
  race: [
    [
      "Checked",
      "Every method is asked who has won, on every position of 3 × 3 and on random larger ones: is it right?",
    ],
    ["Timed", "Then on a few boards, over and over, all in turn and shuffled, so that what disturbs one disturbs all."],
    ["Compared", "The bars grow as the clock runs. On a machine that does nothing else it takes about ten seconds."],
  ],
  growth: [
    [
      "A move",
      "On boards from 3 × 3 to 200 × 200: has the last move won? It almost completes a line in every direction.",
    ],
    ["Three ways", "Look at the whole board, walk along the lines through the move, or keep counters."],
    ["A slope", "On logarithmic scales a power of n is a straight line: its slope says how the cost grows."],
  ],
};

function Promised({ growth }) {
  return html`<ol class="tiles promised">
    ${STEPS[growth ? "growth" : "race"].map(
      ([title, text], number) =>
        html`<li key=${title} class="card">
          <h2><span aria-hidden="true">${number + 1}</span> ${title}</h2>
          <p class="note">${text}</p>
        </li>`,
    )}
  </ol>`;
}

function Settings({ table, more, disabled }) {
  const growth = more.experiment === "growth";
  const change = (name) => (value) => table.note({ [name]: value || null, run: null });
  const tick = (name, text, title) =>
    html`<${Tick} ...${{ title, disabled }} checked=${Boolean(more[name])} onChoose=${(on) => change(name)(on && "1")}>
      ${text}
    <//>`;
  return html`<div class="row settings">
    <${Choice}
      legend="Question"
      name="experiment"
      value=${growth ? "growth" : ""}
      ...${{ disabled }}
      options=${{ "": "Which is fastest?", growth: "How does the cost grow?" }}
      onChoose=${change("experiment")}
    />
    ${
      !growth &&
      html`<${Choice}
        legend="Boards"
        name="boards"
        value=${more.boards === "all" ? "all" : ""}
        ...${{ disabled }}
        options=${[
          ["", "The paper's five", "The five boards of the prajoda source, 3 × 3"],
          ["all", "And four larger", "Boards of 4 × 4, 5 × 5 and 15 × 15 as well"],
        ]}
        onChoose=${change("boards")}
      />`
    }
    <details open=${Boolean(more.paper || more.memory || more.trials)}>
      <summary>More options</summary>
      <div class="row">
        <${Select}
          title="Trials"
          disabled=${disabled || Boolean(more.paper && !growth)}
          value=${more.trials || USUAL}
          options=${[...new Set([...TRIALS, more.trials || USUAL])].map((trials) => [trials, trials])}
          onChoose=${(trials) => change("trials")(trials === USUAL ? null : trials)}
        />
        ${!growth && tick("paper", "As in the paper: 5 trials of 100,000 calls (minutes)", "The protocol of the prajoda source")}
        ${!growth && tick("memory", "Measure memory, too", "What a call allocates")}
      </div>
    </details>
  </div>`;
}

function Progress({ run, found, measured }) {
  const running = run.status === "running";
  const { level, done, total } = found || {};
  const words = run.summary
    ? `Done in ${run.summary.seconds.toFixed(1)} s${run.summary.partial ? ", cut short at the time limit" : ""}.`
    : running && (measured ? `${WORDS[level]}: ${whole(done)} of ${whole(total)}.` : "Starting …");
  const share = running && (measured ? done / total : 0);
  return html`<${Stage} label=${WORDS[level] || "Starting"} ...${{ share, words }} />`;
}

// One board at a time

function Race({ table, more, run, plan, found }) {
  const board = plan.boards.find(({ scenario }) => scenario === more.board) || plan.boards[0];
  const measured = found.scenarios.find(({ scenario }) => scenario === board.scenario);
  const place = useRef();
  useInSight(place, "input:checked", [board.scenario]);
  const results = timed(measured);
  return html`<${Checks} ...${{ table, run, found, methods: plan.methods }} />
    <section class="stack race" aria-label="Times">
      <${Choice}
        kind="cards"
        ...${{ place }}
        legend="Asked: who has won here?"
        name="scenario"
        value=${board.scenario}
        options=${plan.boards.map((each) => [each.scenario, html`<${Miniboard} ...${each.board} side=${60} />${each.title}`])}
        onChoose=${(scenario) => table.note({ board: scenario })}
      />
      <${Bars}
        ...${{ results, methods: plan.methods, baseline: measured?.baseline, done: Boolean(run.summary) }}
        log=${more.scale === "log"}
        onScale=${(log) => table.note({ scale: log ? "log" : null })}
        title=${board.title}
      />
    </section>
    ${run.summary && html`<${Figures} ...${{ title: board.title, measured, memory: run.summary.options.memory }} />`}`;
}

// Some cannot be timed, or have not been yet.
const timed = (measured) => (measured?.results || []).filter(({ mean_ns }) => Number.isFinite(mean_ns));

// What was checked before the clock ran.
function Checks({ run, found, methods }) {
  const { checks } = found;
  const wrong = checks.filter(({ misjudged }) => misjudged);
  const asked = Math.max(0, ...checks.map(({ checked }) => checked));
  const all = new Set(checks.map(({ detector }) => detector)).size;
  const liars = new Set(wrong.map(({ detector }) => detector)).size;
  if (!checks.length) return null;
  return html`<section class="checks card stack" aria-label="Are they right?">
    <p>
      <${VerdictIcon} verdict="true" />
      <span>
        <strong>${all - liars} methods agree</strong> with the rules on every board they were asked about, up to
        ${" "}${whole(asked)} of a game.
      </span>
    </p>
    ${wrong.map(
      ({ detector, misjudged, checked, example }) =>
        html`<p key=${detector} class="mistaken">
          <${VerdictIcon} verdict="false" />
          <span>
            <strong><code>${detector}</code> is wrong</strong> on ${whole(misjudged)} of ${whole(checked)} boards, as
            printed in the paper. ${methods.find((each) => each.detector === detector)?.why_wrong}${" "}<a
              href=${`/?view=algorithms&position=${example}&detector=${detector}`}
              >See it fail</a
            >
          </span>
        </p>`,
    )}
  </section>`;
}

// The figures of `noughts bench --json`
function Figures({ title, measured, memory }) {
  const rows = timed(measured).sort((a, b) => a.mean_ns - b.mean_ns);
  const note = html`Gain is the time saved against <code>${measured.baseline}</code>, as the paper counts it: 50 % is
  half the time, −100 % twice. ± is the 95 % interval of the mean.`;
  return html`<${Card} title=${`${title}: the figures`} kind="results" ...${{ note }}>
    <${FigureTable}
      label="Table of figures"
      head=${["Method", "A call", "±", "Std dev", "Gain", "Ratio", ...(memory ? ["Memory"] : [])]}
      rows=${rows.map((row) => ({ key: row.detector, cells: cellsOf(row, measured.baseline, memory) }))}
    />
    <${Take}
      of=${`the table: ${title}`}
      ...${{ name: "figures", title: `${title}: the figures`, head: FIGURES }}
      rows=${rows.map((row) => FIGURES.map((key) => row[key]))}
    />
  <//>`;
}

const FIGURES = ["detector", "mean_ns", "stdev_ns", "improvement_percent", "ratio", "allocated_bytes"];
const orDash = (number, text) => (number === null || number === undefined ? "–" : text(number));

const cellsOf = (row, baseline, memory) => [
  html`<code>${row.detector}</code>`,
  duration(row.mean_ns),
  orDash(row.interval_ns, ([low, high]) => duration((high - low) / 2)),
  orDash(row.stdev_ns, duration),
  row.detector === baseline
    ? "–"
    : html`${gain(row.improvement_percent)}${row.differs === false && html`<span title="no more than chance explains"> ?</span>`}`,
  orDash(row.ratio, (ratio) => `${ratio.toPrecision(3)} ×`),
  ...(memory ? [orDash(row.allocated_bytes, (bytes) => `${whole(bytes)} B`)] : []),
];

const gain = (percent) =>
  percent === null ? "–" : `${percent > 0.5 ? "+" : percent < -0.5 ? "−" : ""}${whole(Math.abs(percent))} %`;

// What the numbers say

function Findings({ findings }) {
  const shown = findings.filter(({ topic }) => topic !== "exponent");
  if (!shown.length) return null;
  const tag = ({ key, here }) =>
    html`<span class=${`tag verdict-${key}`}><${VerdictIcon} verdict=${key} />${here}</span>`;
  return html`<${Card} title="What the numbers say" kind="findings">
    <ul>
      ${shown.map(
        (finding, number) =>
          html`<li key=${number}>
            ${finding.claim && tag(verdictOf(finding))} <span><${Prose} text=${finding.text} /></span>
          </li>`,
      )}
    </ul>
  <//>`;
}

function Machine({ plan: { machine, versions, commit }, summary }) {
  const made = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.os}`,
    `${versions.implementation} ${versions.python}`,
    versions.numpy && `numpy ${versions.numpy}`,
    `noughts ${versions.noughts || ""}${commit ? ` at ${commit.slice(0, 12)}` : ""}`,
    summary && `an empty loop takes ${duration(summary.empty_loop_ns)} a turn, which is taken off`,
  ];
  return html`<p class="note machine"><strong>Measured on</strong> ${made.filter(Boolean).join("; ")}.</p>`;
}
