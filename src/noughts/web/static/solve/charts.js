// What a solve has counted, as two charts: how far away the end is, and who is winning as the board fills. Each has its
// numbers as a table.
import { html, useState } from "../vendor/preact-htm.js";
import { ValueIcon } from "../shared/marks.js";
import { Chart, axis, bars } from "../shared/chart.js";
import { inShort, percent, whole } from "../shared/quantities.js";

const OUTCOMES = ["win", "tie", "loss"];

export function Charts({ summary, more, onNote }) {
  return html`<div class="solve-charts">
    <${Remoteness}
      ...${{ summary, log: more.scale === "log" }}
      onScale=${(log) => onNote({ scale: log ? "log" : null })}
    />
    <${Shares} summary=${summary} />
  </div>`;
}

function Remoteness({ summary, log, onScale }) {
  const [at, setAt] = useState(null);
  const { win, loss } = summary.by_remoteness;
  const last = Math.max(0, ...Object.keys(win).map(Number), ...Object.keys(loss).map(Number));
  const plies = Array.from({ length: last + 1 }, (_, i) => i);
  const rows = plies.map((each) => ({ plies: each, win: win[each] || 0, loss: loss[each] || 0 }));
  const most = Math.max(1, ...rows.map((row) => Math.max(row.win, row.loss)));
  const decades = Math.ceil(Math.log10(most) + 0.05);
  const powers = Array.from({ length: decades + 1 }, (_, i) => i)
    .filter((i) => decades < 7 || i % 2 === 0)
    .map((i) => 10 ** i);
  const make = (colour) => {
    const floor = { fillTo: (plot) => (log ? plot.scales.y.min : 0) };
    return {
      data: [plies, rows.map((row) => row.win || null), rows.map((row) => row.loss || null)],
      options: {
        padding: [12, 4, 0, 0],
        scales: {
          x: { time: false, range: () => [-0.6, last + 0.6] },
          y: log ? { distr: 3, range: () => [0.7, 10 ** decades] } : { range: () => [0, most * 1.05] },
        },
        axes: [
          axis(colour, { label: "moves to the end", size: 26, grid: { show: false }, incrs: [1, 2, 5, 10] }),
          axis(colour, {
            size: 52,
            values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : inShort(tick))),
            ...(log ? { splits: () => powers } : {}),
          }),
        ],
        series: [{}, { ...bars(colour, "win"), ...floor }, { ...bars(colour, "loss"), ...floor }],
      },
    };
  };
  const shown = at === null ? null : rows[at];
  const said =
    shown && [shown.win && `${whole(shown.win)} won`, shown.loss && `${whole(shown.loss)} lost`].filter(Boolean);
  return html`<section class="card chart-card" aria-labelledby="remoteness-title">
    <div class="chart-head">
      <h2 id="remoteness-title">How far away is the end?</h2>
      <label class="tick"
        ><input type="checkbox" checked=${log} onChange=${(event) => onScale(event.target.checked)} />
        Logarithmic</label
      >
    </div>
    <p class="note">
      Won and lost positions by the moves left when the winner hurries and the loser delays. A tie always fills the
      board.
    </p>
    <${Chart}
      ...${{ make, onPoint: setAt, changes: [summary, log] }}
      label="Bar chart: won and lost positions by the number of moves to the end. The numbers are in the table below."
    />
    <p class="chart-readout">
      ${shown ? html`<b>${shown.plies} ${shown.plies === 1 ? "move" : "moves"}</b> ${said.length ? said.join(", ") : "no position"}` : html`<${Legend} names=${["win", "loss"]} />`}
    </p>
    <${Numbers} name="Positions by the number of moves to the end" head=${["Moves to the end", "Win", "Loss"]}>
      ${rows.map(
        (row) =>
          html`<tr key=${row.plies}>
            <th scope="row">${row.plies}</th>
            <td>${whole(row.win)}</td>
            <td>${whole(row.loss)}</td>
          </tr>`,
      )}
    <//>
  </section>`;
}

function Shares({ summary }) {
  const [at, setAt] = useState(null);
  const levels = summary.by_marks;
  const share = (level, ...names) => (100 * names.reduce((sum, name) => sum + level[name], 0)) / (level.positions || 1);
  const make = (colour) => ({
    // Stacked: each series reaches from the ground to its upper edge, and the next covers its lower part.
    data: [
      levels.map(({ marks }) => marks),
      levels.map((level) => share(level, "win", "tie", "loss") || null),
      levels.map((level) => share(level, "win", "tie") || null),
      levels.map((level) => share(level, "win") || null),
    ],
    options: {
      padding: [12, 4, 0, 0],
      scales: { x: { time: false, range: () => [-0.6, levels.length - 0.4] }, y: { range: () => [0, 100] } },
      axes: [
        axis(colour, { label: "marks on the board", size: 26, grid: { show: false }, incrs: [1, 2, 5, 10] }),
        axis(colour, { size: 52, values: (_, ticks) => ticks.map((tick) => `${tick} %`) }),
      ],
      series: [{}, ...["loss", "tie", "win"].map((name) => bars(colour, name, { size: [0.9, 80] }))],
    },
  });
  const shown = at === null ? null : levels[at];
  return html`<section class="card chart-card" aria-labelledby="shares-title">
    <div class="chart-head"><h2 id="shares-title">Who is winning as the board fills?</h2></div>
    <p class="note">
      The share of positions that are won, tied and lost for the player to move, by marks on the board.
    </p>
    <${Chart}
      ...${{ make, onPoint: setAt, changes: [summary] }}
      label="Bar chart: the share of won, tied and lost positions by the number of marks. The numbers are in the table below."
    />
    <p class="chart-readout">
      ${
        shown
          ? html`<b>${shown.marks} ${shown.marks === 1 ? "mark" : "marks"}</b>
              ${OUTCOMES.map((name) => `${name} ${percent(shown[name], shown.positions)}`).join(", ")}`
          : html`<${Legend} names=${OUTCOMES} />`
      }
    </p>
    <${Numbers}
      name="Positions by the number of marks"
      head=${["Marks", "Positions", "Up to symmetry", "Win", "Tie", "Loss"]}
    >
      ${levels.map(
        (level) =>
          html`<tr key=${level.marks}>
            <th scope="row">${level.marks}</th>
            ${["positions", "classes", ...OUTCOMES].map((name) => html`<td key=${name}>${whole(level[name])}</td>`)}
          </tr>`,
      )}
    <//>
  </section>`;
}

const Legend = ({ names }) =>
  html`<span class="value-legend">
    ${names.map((name) => html`<span key=${name} class=${`value-tag value-${name}`}><${ValueIcon} value=${name} />${name}</span>`)}
    <span class="note">for the player to move</span>
  </span>`;

// The same for those who want it exactly, or do not see the picture.
function Numbers({ name, head, children }) {
  return html`<details class="chart-numbers">
    <summary>Show the numbers</summary>
    <div class="side-scroll" tabindex="0" role="region" aria-label=${name}>
      <table>
        <thead>
          <tr>
            ${head.map((title) => html`<th key=${title} scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${children}
        </tbody>
      </table>
    </div>
  </details>`;
}
