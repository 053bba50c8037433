// A bar for each method, the quickest on top: they grow and change places while the clock runs.
import { html } from "../vendor/preact-htm.js";
import { Tick } from "../shared/controls.js";

// Nanoseconds as people read them, three digits.
export function duration(ns) {
  const [size, unit] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
  ].find(([size]) => Math.abs(ns) >= size * 0.9995) || [1, "ns"];
  return `${threeDigits(ns / size)} ${unit}`;
}

function threeDigits(number) {
  for (const [places, limit] of [
    [3, 0.9995],
    [2, 9.995],
    [1, 99.95],
  ])
    if (Math.abs(number) < limit) return number.toFixed(places);
  return Math.round(number).toLocaleString("en");
}

// From where to where the bars reach, and the marks on the way.
function scaleOf(times, log) {
  const most = Math.max(...times);
  if (!log) {
    const step = [1, 2, 5, 10]
      .map((each) => each * 10 ** Math.floor(Math.log10(most / 3)))
      .find((each) => most / each <= 5);
    const end = Math.ceil(most / step) * step;
    const marks = Array.from({ length: Math.round(end / step) + 1 }, (_, number) => number * step);
    return { marks, at: (ns) => Math.max(0, ns) / end };
  }
  const low = Math.floor(Math.log10(Math.min(...times.map((ns) => Math.max(ns, 1)))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)));
  const marks = Array.from({ length: high - low + 1 }, (_, number) => 10 ** (low + number));
  return { marks, at: (ns) => (Math.log10(Math.max(ns, 10 ** low)) - low) / (high - low) };
}

export const roundDuration = (ns) =>
  ns
    ? duration(ns)
        .replace(/(\.\d*?)0+(?= )/, "$1")
        .replace(". ", " ")
    : "0";
const percent = (part) => `${(100 * part).toFixed(3)}%`;

export function Bars({ results, methods, baseline, done, log, onScale, title }) {
  const scales = html`<${Tick} checked=${log} onChoose=${onScale}>Logarithmic scale<//>`;
  if (!results.length)
    return html`<div class="bars">
      ${scales}
      <p class="note">No time has been taken yet.</p>
    </div>`;
  const { marks, at } = scaleOf(
    results.map(({ mean_ns }) => mean_ns),
    log,
  );
  const ranked = [...results].sort((a, b) => a.mean_ns - b.mean_ns);
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
          const kind =
            detector === baseline
              ? "base"
              : source === "prajoda" && detector.startsWith("prajoda")
                ? "printed"
                : "ours";
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
              ${
                interval_ns &&
                html`<span
                  class="whisker"
                  style=${{ left: percent(inside(interval_ns[0])), width: percent(inside(interval_ns[1]) - inside(interval_ns[0])) }}
                ></span>`
              }
            </span>
            <span class="time">${duration(mean_ns)}</span>
            <span class="ratio">${kind === "base" ? "baseline" : ratioWords(ratio)}</span>
          </li>`;
        })}
      </ol>
    </div>
  </div>`;
}

function ratioWords(ratio) {
  if (!ratio) return "";
  const times = (number) => `${number < 9.95 ? number.toFixed(1) : Math.round(number)} ×`;
  if (Math.abs(ratio - 1) < 0.05) return "the same";
  return ratio > 1 ? `${times(ratio)} faster` : `${times(1 / ratio)} slower`;
}
