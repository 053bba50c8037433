// How the cost of a move grows with the board: on logarithmic scales a power of n is a straight line, its slope the power.
import { html } from "../vendor/preact-htm.js";
import { Figures } from "../shared/figures.js";
import { Take } from "../shared/take.js";
import { duration, roundDuration } from "./bars.js";

const FAMILIES = [
  ["k=n", "A whole line wins", "k = n"],
  ["k=5", "Five in a row win", "k = 5"],
];
const ORDER = ["line_sums", "shifts", "last_move_play", "line_counts_play"];
const [WIDTH, HEIGHT] = [520, 340];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 16, 16, 52];

export function Growth({ run, found }) {
  const series = found.growth.filter(({ points }) => points.length);
  const times = series.flatMap(({ points }) => points.map(({ quickest_ns }) => quickest_ns)).filter((ns) => ns > 0);
  if (!times.length) return html`<p class="note">No time has been taken yet.</p>`;
  const low = Math.floor(Math.log10(Math.min(...times)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...times))));
  const y = (ns) => TOP + ((high - Math.log10(ns)) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const x = (n) => LEFT + (Math.log10(n / 3) / Math.log10(200 / 3)) * (WIDTH - LEFT - RIGHT);
  const decades = Array.from({ length: high - low + 1 }, (_, number) => 10 ** (low + number));
  return html`<section class="growth">
    <ul class="row note colours" aria-label="Methods">
      ${ORDER.map(
        (name, number) =>
          html`<li key=${name} class=${`row series-${number}`}>
            <svg viewBox="-7 -7 14 14" aria-hidden="true"><path class="point" d=${POINTS[number]} /></svg
            ><code>${name}</code>
          </li>`,
      )}
    </ul>
    <div class="tiles growth-charts">
      ${FAMILIES.map(([family, title, rule]) => {
        const own = series.filter((each) => each.family === family);
        return html`<figure key=${family} class="card">
          <figcaption>${title} <span class="note">${rule}</span></figcaption>
          <svg
            viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
            role="img"
            aria-label=${`${title}: time of a move against the side of the board`}
          >
            ${decades.map(
              (ns) =>
                html`<g key=${ns} class="grid">
                  <path d=${`M${LEFT} ${y(ns)}H${WIDTH - RIGHT}`} />
                  <text x=${LEFT - 8} y=${y(ns) + 4} text-anchor="end">${roundDuration(ns)}</text>
                </g>`,
            )}
            ${[3, 5, 10, 20, 40, 80, 160].map(
              (n) => html`<text key=${n} class="side" x=${x(n)} y=${HEIGHT - 28} text-anchor="middle">${n}</text>`,
            )}
            <text class="side" x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6} text-anchor="middle">
              side of the board, n
            </text>
            ${own.map(({ detector, points }) => {
              const number = ORDER.indexOf(detector);
              const shown = points.filter(({ quickest_ns }) => quickest_ns > 0);
              return html`<g key=${detector} class=${`series-${number}`}>
                <path
                  class="curve"
                  d=${shown.map(({ n, quickest_ns }, at) => `${at ? "L" : "M"}${x(n)} ${y(quickest_ns)}`).join("")}
                />
                ${shown.map(({ n, quickest_ns }) => html`<path key=${n} class="point" d=${POINTS[number]} transform=${`translate(${x(n)} ${y(quickest_ns)})`}><title>${`${detector}, ${n} × ${n}: ${duration(quickest_ns)}`}</title></path>`)}
              </g>`;
            })}
          </svg>
          ${
            run.summary &&
            html`<${Take} of=${`the plot: ${title}`} ...${{ name: `growth-${family}`, title: `${title}: nanoseconds a move`, kind: "lines", log: true, ...table(own) }} />
              <${Powers} ...${{ series: own }} />
              <${Take}
                of=${`the exponents: ${title}`}
                ...${{ name: `exponents-${family}`, title: `${title}: how the cost grows`, head: ["detector", "claimed", "exponent"] }}
                rows=${own.map(({ detector, claim, exponent }) => [detector, claim || "", exponent])}
              />`
          }
        </figure>`;
      })}
    </div>
  </section>`;
}

// The times as a table: a row a side of the board, a column a method.
function table(series) {
  const sides = [...new Set(series.flatMap(({ points }) => points.map(({ n }) => n)))].sort((a, b) => a - b);
  const time = ({ points }, side) => points.find(({ n }) => n === side)?.quickest_ns ?? null;
  return { head: ["n", ...series.map(({ detector }) => detector)], rows: sides.map((n) => [n, ...series.map((each) => time(each, n))]) };
}

// A circle, a square, a triangle, a diamond.
const POINTS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  "M-3.500 -3.500H3.500V3.500H-3.500Z",
  "M0 -5L4.600 3.600H-4.600Z",
  "M0 -5L5 0L0 5L-5 0Z",
];

const power = (exponent) =>
  exponent
    .toFixed(2)
    .replace(/^-0\.00$/, "0.00")
    .replace("-", "−");

const Powers = ({ series }) =>
  html`<${Figures}
    label="Exponents"
    head=${["Method", "Claimed", "Measured", "On 200 × 200"]}
    rows=${series.map(({ detector, claim, exponent, points }) => ({
      key: detector,
      cells: [
        html`<code>${detector}</code>`,
        claim ? claim.replace("^2", "²") : "–",
        exponent === null ? "–" : html`n<sup>${power(exponent)}</sup>`,
        points.length ? duration(points[points.length - 1].quickest_ns) : "–",
      ],
    }))}
  />`;
