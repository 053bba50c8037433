// What a solve has counted, as two charts: how far away the end is, and who is winning as the board fills. Each has its
// numbers as a table.
import { html, useState } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Tick } from "../shared/controls.js";
import { Figures, OUTCOMES } from "../shared/figures.js";
import { ValueTag } from "../shared/marks.js";
import { inShort, percent, whole } from "../shared/quantities.js";
import { Take } from "../shared/take.js";
import { counted } from "../shared/words.js";
import { Chart, axis, bars } from "./chart.js";

const upTo = (last) => Array.from({ length: last + 1 }, (_, i) => i);

export const Charts = ({ summary, more, onNote }) =>
  html`<div class="tiles solve-charts">
    <${Remoteness}
      ...${{ summary, log: more.scale === "log" }}
      onScale=${(log) => onNote({ scale: log ? "log" : null })}
    />
    <${Shares} summary=${summary} />
  </div>`;

// A chart in its card: `say(i)` tells of the point that the mouse is at, [name, words]; `numbers` is the table.
function ChartCard({ title, note, tools, label, say, names, numbers, taken, ...chart }) {
  const [at, setAt] = useState(null);
  const said = at === null ? null : say(at);
  return html`<${Card} kind="chart-card stack" ...${{ title, note, tools }}>
    <${Chart} ...${chart} onPoint=${setAt} label=${`Bar chart: ${label}. The numbers are in the table below.`} />
    <p class="chart-readout">${said ? html`<b>${said[0]}</b> ${said[1]}` : html`<${Legend} names=${names} />`}</p>
    <details class="chart-numbers">
      <summary>Show the numbers</summary>
      <${Figures} ...${numbers} />
    </details>
    <${Take} of=${label} ...${taken} />
  <//>`;
}

const Legend = ({ names }) =>
  html`<span class="row value-legend">
    ${names.map((name) => html`<${ValueTag} key=${name} value=${name} />`)}
    <span class="note">for the player to move</span>
  </span>`;

// The frame of both: along the bottom 0 … last, up the side the scale `y` with what its axis needs.
const framed = (colour, label, last, y, up) => ({
  padding: [12, 4, 0, 0],
  scales: { x: { time: false, range: () => [-0.6, last + 0.6] }, y },
  axes: [
    axis(colour, { label, size: 26, grid: { show: false }, incrs: [1, 2, 5, 10] }),
    axis(colour, { size: 52, ...up }),
  ],
});

function Remoteness({ summary, log, onScale }) {
  const { win, loss } = summary.by_remoteness;
  const last = Math.max(0, ...Object.keys(win).map(Number), ...Object.keys(loss).map(Number));
  const rows = upTo(last).map((plies) => ({ plies, win: win[plies] || 0, loss: loss[plies] || 0 }));
  const most = Math.max(1, ...rows.map((row) => Math.max(row.win, row.loss)));
  const decades = Math.ceil(Math.log10(most) + 0.05);
  const powers = upTo(decades).filter((i) => decades < 7 || i % 2 === 0).map((i) => 10 ** i);
  const make = (colour) => {
    const series = (name) => ({ ...bars(colour, name), fillTo: (plot) => (log ? plot.scales.y.min : 0) });
    const values = (_, ticks) => ticks.map((tick) => (tick === null ? "" : inShort(tick)));
    const y = log ? { distr: 3, range: () => [0.7, 10 ** decades] } : { range: () => [0, most * 1.05] };
    return {
      data: [upTo(last), rows.map((row) => row.win || null), rows.map((row) => row.loss || null)],
      options: {
        ...framed(colour, "moves to the end", last, y, { values, ...(log ? { splits: () => powers } : {}) }),
        series: [{}, series("win"), series("loss")],
      },
    };
  };
  const say = (i) => {
    const words = [rows[i].win && `${whole(rows[i].win)} won`, rows[i].loss && `${whole(rows[i].loss)} lost`];
    return [counted(i, "move"), words.filter(Boolean).join(", ") || "no position"];
  };
  return html`<${ChartCard}
    title="How far away is the end?"
    note="Won and lost positions by the moves left when the winner hurries and the loser delays. A tie always fills the board."
    tools=${html`<${Tick} kind="note" checked=${log} onChoose=${onScale}>Logarithmic<//>`}
    label="won and lost positions by the number of moves to the end"
    ...${{ make, say, names: ["win", "loss"], changes: [summary, log] }}
    numbers=${{
      label: "Positions by the number of moves to the end",
      head: ["Moves to the end", "Win", "Loss"],
      rows: rows.map(({ plies, win, loss }) => ({ key: plies, cells: [plies, whole(win), whole(loss)] })),
    }}
    taken=${{
      ...{ name: `${summary.game}-remoteness`, title: `${summary.game}: how far away the end is`, kind: "columns", log },
      head: ["plies to the end", "win", "loss"],
      rows: rows.map(({ plies, win, loss }) => [plies, win, loss]),
    }}
  />`;
}

function Shares({ summary }) {
  const levels = summary.by_marks;
  const share = (level, names) => (100 * names.reduce((sum, name) => sum + level[name], 0)) / (level.positions || 1);
  const make = (colour) => ({
    // Stacked: each series reaches from the ground to its upper edge, and the next covers its lower part.
    data: [
      levels.map(({ marks }) => marks),
      ...[3, 2, 1].map((count) => levels.map((level) => share(level, OUTCOMES.slice(0, count)) || null)),
    ],
    options: {
      ...framed(colour, "marks on the board", levels.length - 1, { range: () => [0, 100] }, {
        values: (_, ticks) => ticks.map((tick) => `${tick} %`),
      }),
      series: [{}, ...["loss", "tie", "win"].map((name) => bars(colour, name, { size: [0.9, 80] }))],
    },
  });
  const say = (i) => [
    counted(levels[i].marks, "mark"),
    OUTCOMES.map((name) => `${name} ${percent(levels[i][name], levels[i].positions)}`).join(", "),
  ];
  const columns = ["marks", "positions", "classes", ...OUTCOMES];
  return html`<${ChartCard}
    title="Who is winning as the board fills?"
    note="The share of positions that are won, tied and lost for the player to move, by marks on the board."
    label="the share of won, tied and lost positions by the number of marks"
    ...${{ make, say, names: OUTCOMES, changes: [summary] }}
    numbers=${{
      label: "Positions by the number of marks",
      head: ["Marks", "Positions", "Up to symmetry", "Win", "Tie", "Loss"],
      rows: levels.map((level) => ({ key: level.marks, cells: columns.map((name) => whole(level[name])) })),
    }}
    taken=${{
      ...{ name: `${summary.game}-marks`, title: `${summary.game}: who is winning as the board fills`, kind: "stacked" },
      head: ["marks", ...OUTCOMES],
      rows: levels.map((level) => [level.marks, ...OUTCOMES.map((name) => level[name])]),
    }}
  />`;
}
