// The replay: its buttons, what happens in words, the window of the node at work, and what was counted so far.
import { html, useState } from "../vendor/preact-htm.js";
import { Icon, SCISSORS, Transport } from "../shared/controls.js";
import { useStepKeys } from "../shared/keys.js";
import { SPEEDS, Speed, usePlayback } from "../shared/playback.js";
import { QuizTick } from "../shared/quiz.js";
import { whole as inWhole } from "../shared/quantities.js";
import { sentence } from "../shared/words.js";
import { alphaText, betaText, infinities, numberText } from "./model.js";

const STEADY = 750; // milliseconds a step
const LINGER = 3; // a cut stays so much longer than other steps

// Where the replay stands: `at` is the number of a step, null when nothing is replayed.
export function useReplay(steps, at, go, quiz) {
  const [speed, setSpeed] = useState("steady");
  const pause = STEADY * SPEEDS[speed][1] * (steps[at ?? 0]?.kind === "cut" ? LINGER : 1);
  const waits = Boolean(quiz.pending);
  const playback = usePlayback({ at, last: steps.length - 1, go, pause, waits, hold: quiz.hold });
  const nextCut = steps.findIndex(({ kind }, number) => kind === "cut" && number > (at ?? -1));
  return { ...playback, speed, setSpeed, nextCut };
}

export function ReplayBar({ replay, at, quiz, onEnd }) {
  const { go, last, nextCut, speed, setSpeed } = replay;
  useStepKeys(replay, "[role=tree], [role=grid]");
  return html`<div class="row replay" role="group" aria-label="Replay">
    <${Transport} ...${replay} play="Play the search" onEnd=${() => (replay.setPlaying(false), onEnd())}>
      <button class="to-cut" onClick=${() => go(nextCut)} disabled=${nextCut < 0}>
        <${Icon} name="scissors" /><span>Next cut</span>
      </button>
    <//>
    <input
      type="range"
      min="0"
      max=${last}
      value=${at ?? last}
      aria-label="Step of the search"
      aria-valuetext=${at === null ? "the whole search" : `step ${at + 1} of ${last + 1}`}
      onInput=${(event) => go(Number(event.target.value))}
    />
    <${Speed} ...${{ speed, setSpeed }} /> <${QuizTick} quiz=${quiz} />
  </div>`;
}

// The board is in the picture already; a score says that it is one.
const spoken = ({ kind, text }, { plain }) =>
  sentence(
    infinities(kind === "enter" ? text.replace(`${plain.position}, `, "") : kind === "leave" ? `score ${text}` : text),
  );

const KINDS = { enter: "Enter", back: "Back", cut: "Cut", omitted: "Below", leave: "Done" };

export function Caption({ step, node, number, of, playing }) {
  return html`<div class=${`caption ${step.kind}`}>
    <p class="caption-head"><b>${KINDS[step.kind]}</b> <span class="note">step ${number + 1} of ${of}</span></p>
    <p class="caption-text" aria-live=${playing ? "off" : "polite"}>
      ${step.kind === "cut" ? html`<${Why} why=${step.text} />` : spoken(step, node)}
    </p>
  </div>`;
}

export const Why = ({ why }) =>
  html`<span class="why-cut"><${Icon} name="scissors" /><span>${sentence(why)}</span></span>`;

// What was counted so far, of what it comes to.
export function Counters({ now, all, whole }) {
  const counter = (name, title) =>
    html`<div class=${`counter counter-${name}`}>
      <dt>${all[name] === 1 ? title : `${title}s`}</dt>
      <dd>
        <b>${inWhole(now[name])}</b>${now[name] !== all[name] && html` <span>of ${inWhole(all[name])}</span>`}
      </dd>
    </div>`;
  return html`<dl class="row counters">
    ${counter("nodes", "node")} ${counter("prunes", "prune")}
    ${
      whole &&
      html`<div class="counter">
        <dt>in the whole search</dt>
        <dd>${inWhole(whole.nodes)} and ${inWhole(whole.prunes)}</dd>
      </div>`
    }
  </dl>`;
}

// The window on a line of scores: what MAX is sure of, what MIN is sure of, and the room between them. While somebody is asked
// whether it is closed, that is not said.
export function Gauge({ alpha, beta, best, asks, range: [low, high] }) {
  const [width, left, right] = [320, 22, 298];
  const x = (score) => left + ((score - low) / (high - low || 1)) * (right - left);
  const a = alpha === null ? left - 16 : x(alpha);
  const b = beta === null ? right + 16 : x(beta);
  const crossed = !asks && alpha !== null && beta !== null && alpha >= beta;
  const words = `Alpha ${alphaText(alpha)}, beta ${betaText(beta)}${crossed ? ": alpha has reached beta, the rest is cut" : ""}`;
  const anchor = (at) => (at < 30 ? "start" : at > width - 30 ? "end" : "middle");
  const ticks = [...new Set([low, 0, high])];
  return html`<figure class=${`gauge ${crossed ? "crossed" : ""}`}>
    <svg viewBox=${`0 0 ${width} 92`} role="img" aria-label=${words}>
      <path class="axis" d=${`M4 46H${width - 4}`} />
      <rect class="room" x=${Math.min(a, b)} y="38" width=${Math.max(1.5, Math.abs(b - a))} height="16" rx="3" />
      ${ticks.map((score) => html`<g key=${score} class="tick"><path d=${`M${x(score)} 43v6`} />${score !== alpha && html`<text x=${x(score)} y="60">${numberText(score)}</text>`}</g>`)}
      ${best !== null && html`<circle class="best-dot" cx=${x(best)} cy="46" r="4.5" />`}
      <g class="alpha" style=${{ transform: `translateX(${a}px)` }}>
        <path d="M0 46v18M0 64l-5.5 8h11Z" />
        <text y="86" text-anchor=${anchor(a)}>α ${alphaText(alpha)}</text>
      </g>
      <g class="beta" style=${{ transform: `translateX(${b}px)` }}>
        <path d="M0 46v-18M0 28l-5.5-8h11Z" />
        <text y="14" text-anchor=${anchor(b)}>β ${betaText(beta)}</text>
      </g>
      ${crossed && html`<path class="pen scissors" transform=${`translate(${(a + b) / 2 - 9} 37) scale(0.75)`} d=${SCISSORS} />`}
    </svg>
    <figcaption class="spread">
      <span class="for-o">β: MIN is sure of this</span><span class="for-x">α: MAX is sure of this</span>
    </figcaption>
  </figure>`;
}

// From the lowest to the highest score of the tree.
export function rangeOf(nodes) {
  const scores = nodes.map(({ plain }) => plain.score);
  return [Math.min(0, ...scores), Math.max(0, ...scores)];
}
