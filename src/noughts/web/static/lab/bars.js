// A bar for each method, the quickest on top: they grow and change places while the clock runs.
import { html } from "../vendor/preact-htm.js";
import { Tick } from "../shared/controls.js";
import { inUnits, whole } from "../shared/quantities.js";
import { Take } from "../shared/take.js";

// Nanoseconds as people read them, three digits.
export function duration(ns) {
  const [, unit] = inUnits(ns / 0.9995, UNITS);
  return `${threeDigits(ns / (UNITS[unit] || 1))} ${unit || "ns"}`;
}

const UNITS = { s: 1e9, ms: 1e6, µs: 1e3 };

function threeDigits(number) {
  const places = [99.95, 9.995, 0.9995].filter((limit) => Math.abs(number) < limit).length;
  return places ? number.toFixed(places) : whole(number);
}

// From where to where the bars reach, and the marks on the way.
function scaleOf(times, log) {
  const most = Math.max(...times);
  if (!log) {
    const decade = 10 ** Math.floor(Math.log10(most / 3));
    const step = [1, 2, 5, 10].map((each) => each * decade).find((each) => most / each <= 5);
    const end = Math.ceil(most / step) * step;
    const marks = Array.from({ length: Math.round(end / step) + 1 }, (_, number) => number * step);
    return { marks, at: (ns) => Math.max(0, ns) / end };
  }
  const low = Math.floor(Math.log10(Math.min(...times.map((ns) => Math.max(ns, 1)))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)));
  const marks = Array.from({ length: high - low + 1 }, (_, number) => 10 ** (low + number));
  return { marks, at: (ns) => (Math.log10(Math.max(ns, 10 ** low)) - low) / (high - low) };
}

export const roundDuration = (ns) => (ns ? duration(ns).replace(/\.0+(?= )|(?<=\.\d+)0+(?= )/, "") : "0");
const percent = (part) => `${(100 * part).toFixed(3)}%`;

export function Bars({ results, methods, baseline, done, log, onScale, title }) {
  const scales = html`<${Tick} checked=${log} onChoose=${onScale}>Logarithmic scale<//>`;
  if (!results.length)
    return html`<div class="bars">
      ${scales}
      <p class="note">No time has been taken yet.</p>
    </div>`;
  const ranked = results.toSorted((a, b) => a.mean_ns - b.mean_ns);
  const { marks, at } = scaleOf(ranked.map(({ mean_ns }) => mean_ns), log);
  const place = new Map(ranked.map(({ detector }, number) => [detector, number]));
  const about = new Map(methods.map((method) => [method.detector, method]));
  const base = results.find(({ detector }) => detector === baseline);
  const inside = (ns) => Math.min(1, at(ns)); // a wide interval may reach beyond the scale
  // While bars change places their elements stay where they are, or they could not glide.
  const drawn = done ? ranked : results;
  return html`<div class="bars">
    <div class="spread">
      <ul class="row note colours" aria-label="Colours">
        <li class="swatch kind-base">the paper's baseline</li>
        <li class="swatch kind-printed">the paper's other methods</li>
        <li class="swatch kind-ours">the methods of this laboratory</li>
      </ul>
      ${scales}
    </div>
    <div class="plot">
      <div class="ruler" aria-hidden="true">
        ${marks.map((ns) => html`<span key=${ns} style=${{ left: percent(at(ns)) }}><i>${roundDuration(ns)}</i></span>`)}
        ${base && html`<b style=${{ left: percent(at(base.mean_ns)) }}></b>`}
      </div>
      <ol aria-label=${`${title}: time of a call`} style=${{ "--rows": results.length }}>
        ${drawn.map(({ detector, mean_ns, ratio, interval_ns }) => {
          const { source, why_wrong, idea } = about.get(detector);
          const isPrinted = source === "prajoda" && detector.startsWith("prajoda");
          const kind = detector === baseline ? "base" : isPrinted ? "printed" : "ours";
          return html`<li
            key=${detector}
            class=${`kind-${kind}${why_wrong ? " mistaken" : ""}`}
            data-detector=${detector}
            style=${{ "--place": place.get(detector) }}
            title=${idea}
          >
            <span class="name"><code>${detector}</code>${why_wrong && html`<em>wrong</em>`}</span>
            <span class="lane">
              <span class="beam" style=${{ width: percent(at(mean_ns)) }}></span>
              ${interval_ns && html`<${Whisker} from=${inside(interval_ns[0])} to=${inside(interval_ns[1])} />`}
            </span>
            <span class="time">${duration(mean_ns)}</span>
            <span class="ratio small">${kind === "base" ? "baseline" : ratioWords(ratio)}</span>
          </li>`;
        })}
      </ol>
    </div>
    ${
      done &&
      html`<${Take}
        of=${`the times: ${title}`}
        ...${{ name: "times", title: `${title}: a call`, kind: "ranges", log, head: ["detector", "ns", "from", "to (95 %)"] }}
        rows=${ranked.map(({ detector, mean_ns, interval_ns }) => [detector, mean_ns, ...(interval_ns || [null, null])])}
      />`
    }
  </div>`;
}

const Whisker = ({ from, to }) =>
  html`<span class="whisker" style=${{ left: percent(from), width: percent(to - from) }}></span>`;

function ratioWords(ratio) {
  if (!ratio) return "";
  const times = (number) => `${number < 9.95 ? number.toFixed(1) : Math.round(number)} ×`;
  if (Math.abs(ratio - 1) < 0.05) return "the same";
  return ratio > 1 ? `${times(ratio)} faster` : `${times(1 / ratio)} slower`;
}
