// The replay: its buttons, what happens in words, the window of the node at work, and what was counted so far.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { useStepKeys } from "../shared/keys.js";
import { SCISSORS } from "./node.js";
import { alphaText, betaText, infinities, numberText, sentence } from "./model.js";

const SPEEDS = { slow: ["Slow", 1500], steady: ["Steady", 750], quick: ["Quick", 250], fast: ["Fast", 45] };
const LINGER = 3; // a cut stays so much longer than other steps

const PATHS = {
  first: "M7 6v12M18 6l-8 6 8 6Z",
  back: "M15 6l-8 6 8 6Z",
  play: "M8 5l11 7-11 7Z",
  pause: "M8 6v12M16 6v12",
  next: "M9 6l8 6-8 6Z",
  last: "M17 6v12M6 6l8 6-8 6Z",
};

// Where the replay stands, and its engine: `at` is the number of a step, null when nothing is replayed.
export function useReplay(steps, at, go) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState("steady");
  const last = steps.length - 1;
  const isOver = at !== null && at >= last;
  useEffect(() => {
    if (!playing) return undefined;
    if (isOver) {
      setPlaying(false);
      return undefined;
    }
    const here = steps[at ?? 0];
    const wait = SPEEDS[speed][1] * (here?.kind === "cut" ? LINGER : 1);
    const timer = setTimeout(() => go(at === null ? 0 : at + 1), at === null ? 0 : wait);
    return () => clearTimeout(timer);
  }, [playing, at, speed, steps]);
  const seek = (to) => {
    setPlaying(false);
    go(Math.max(0, Math.min(last, to)));
  };
  const start = () => {
    go(0);
    setPlaying(true);
  };
  const play = () => {
    if (!playing && isOver) go(0);
    setPlaying(!playing);
  };
  const nextCut = steps.findIndex(({ kind }, number) => kind === "cut" && number > (at ?? -1));
  return { playing, setPlaying, speed, setSpeed, seek, start, play, nextCut, last, isOver };
}

export function ReplayBar({ replay, at, onEnd }) {
  const { playing, play, seek, last, nextCut, speed, setSpeed } = replay;
  useStepKeys({ at, last, go: seek, toggle: play }, "[role=tree], [role=grid]");
  const button = (name, title, act, disabled, kind = "icon") =>
    html`<button class=${kind} aria-label=${title} title=${title} onClick=${act} disabled=${disabled}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>
    </button>`;
  return html`<div class="replay" role="group" aria-label="Replay">
    <div class="replay-buttons">
      ${button("first", "To the beginning", () => seek(0), at === 0)}
      ${button("back", "One step back", () => seek((at ?? last + 1) - 1), at === 0)}
      ${button(playing ? "pause" : "play", playing ? "Pause" : "Play the search", play, last < 1, "primary play")}
      ${button("next", "One step on", () => seek((at ?? -1) + 1), at === last)}
      ${button("last", "To the end", () => (replay.setPlaying(false), onEnd()), at === null)}
      <button class="to-cut" onClick=${() => seek(nextCut)} disabled=${nextCut < 0}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SCISSORS} /></svg><span>Next cut</span>
      </button>
    </div>
    <input
      type="range"
      min="0"
      max=${last}
      value=${at ?? last}
      aria-label="Step of the search"
      aria-valuetext=${at === null ? "the whole search" : `step ${at + 1} of ${last + 1}`}
      onInput=${(event) => seek(Number(event.target.value))}
    />
    <label class="speed"
      ><span class="sr">Speed</span
      ><select value=${speed} onChange=${(event) => setSpeed(event.target.value)}>
        ${Object.entries(SPEEDS).map(([name, [title]]) => html`<option key=${name} value=${name}>${title}</option>`)}
      </select></label
    >
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
  html`<span class="why-cut"
    ><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SCISSORS} /></svg><span>${sentence(why)}</span></span
  >`;

// What was counted so far, of what it comes to.
export function Counters({ now, all, whole }) {
  const counter = (name, title) =>
    html`<div class=${`counter counter-${name}`}>
      <dt>${all[name] === 1 ? title : `${title}s`}</dt>
      <dd>
        <b>${now[name].toLocaleString("en")}</b
        >${now[name] !== all[name] && html` <span>of ${all[name].toLocaleString("en")}</span>`}
      </dd>
    </div>`;
  return html`<dl class="counters">
    ${counter("nodes", "node")} ${counter("prunes", "prune")}
    ${
      whole &&
      html`<div class="counter">
        <dt>in the whole search</dt>
        <dd>${whole.nodes.toLocaleString("en")} and ${whole.prunes.toLocaleString("en")}</dd>
      </div>`
    }
  </dl>`;
}

// The window on a line of scores: what MAX is sure of, what MIN is sure of, and the room between them.
export function Gauge({ alpha, beta, best, range: [low, high] }) {
  const [width, left, right] = [320, 22, 298];
  const x = (score) => left + ((score - low) / (high - low || 1)) * (right - left);
  const a = alpha === null ? left - 16 : x(alpha);
  const b = beta === null ? right + 16 : x(beta);
  const crossed = alpha !== null && beta !== null && alpha >= beta;
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
      ${crossed && html`<path class="scissors" transform=${`translate(${(a + b) / 2 - 9} 37) scale(0.75)`} d=${SCISSORS} />`}
    </svg>
    <figcaption>
      <span class="for-o">β: MIN is sure of this</span><span class="for-x">α: MAX is sure of this</span>
    </figcaption>
  </figure>`;
}

// From the lowest to the highest score of the tree.
export function rangeOf(nodes) {
  const scores = nodes.map(({ plain }) => plain.score);
  return [Math.min(0, ...scores), Math.max(0, ...scores)];
}
