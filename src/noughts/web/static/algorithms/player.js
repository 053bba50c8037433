// Steps through a walk: play, pause, back and forth, a timeline; by mouse, thumb or keyboard.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";

const ICONS = {
  first: "M18 6l-8 6 8 6ZM6.500 6v12",
  back: "M16 6l-8 6 8 6Z",
  play: "M8 5.500l10.500 6.500L8 18.500Z",
  pause: "M8.500 6v12M15.500 6v12",
  next: "M8 6l8 6-8 6Z",
  last: "M6 6l8 6-8 6ZM17.500 6v12",
};
const Icon = ({ name }) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

export const END = "end"; // in the address, the last step, however many there are

// Where a walk of so many steps stands: `noted` is the number of the step in the address, counted from 1, or END. While
// other steps are on their way (`waits`) only the two ends can be asked for: what lies between is not known yet.
export function usePlayer(count, noted, note, waits) {
  const [playing, setPlaying] = useState(false);
  const [dragged, setDragged] = useState(null);
  const asked = Number.parseInt(noted, 10);
  const last = Math.max(0, count - 1);
  const settled = Number.isInteger(asked) ? Math.max(0, Math.min(last, asked - 1)) : last;
  const at = dragged === null ? settled : Math.min(dragged, last);

  const go = (step) => {
    setDragged(null);
    if (!waits) note({ step: String(Math.max(0, Math.min(last, step)) + 1) });
    else if (step === last || step === 0) note({ step: step ? END : "1" });
  };
  const walk = (step) => (setPlaying(false), go(step));
  const toggle = () => {
    if (!playing && at === last) go(0);
    setPlaying(!playing && last > 0);
  };
  const ahead = useRef();
  ahead.current = () => (at < last ? go(at + 1) : setPlaying(false));
  const pace = count > 60 ? 450 : count > 24 ? 900 : 1400;
  useEffect(() => {
    if (!playing || !count || waits) return undefined;
    const timer = setTimeout(() => ahead.current(), at === last ? 0 : pace);
    return () => clearTimeout(timer);
  }, [playing, at, count, waits]);

  return {
    ...{ at, last, playing, toggle, walk },
    start: () => setPlaying(true),
    halt: () => setPlaying(false),
    drag: (step) => (setPlaying(false), setDragged(step)),
  };
}

export function PlayerBar({ player, steps, found }) {
  const { at, last, playing, toggle, walk } = player;
  const button = (name, title, step, disabled) =>
    html`<button class="icon" onClick=${() => walk(step)} disabled=${disabled} aria-label=${title} title=${title}>
      <${Icon} name=${name} />
    </button>`;
  return html`<div class="stepper">
    <div class="stepper-buttons" role="group" aria-label="Steps">
      ${button("first", "First step", 0, at === 0)} ${button("back", "Step back", at - 1, at === 0)}
      <button class="primary step-play" onClick=${toggle} disabled=${last === 0} aria-keyshortcuts="Space">
        <${Icon} name=${playing ? "pause" : "play"} /><span
          >${playing ? "Pause" : at === last ? "Replay" : "Play"}</span
        >
      </button>
      ${button("next", "Step forward", at + 1, at === last)} ${button("last", "Last step", last, at === last)}
    </div>
    <${Timeline} ...${{ player, steps, found }} />
  </div>`;
}

function Timeline({ player, steps, found }) {
  const { at, last, drag, walk } = player;
  const told = `step ${at + 1} of ${last + 1}${found === at ? ", the one that found the line" : ""}`;
  const begins = (step, i) => i > 0 && step.moves !== null && step.moves !== steps[i - 1].moves;
  return html`<div class="step-line">
    <div class="step-ticks" aria-hidden="true">
      ${steps.map(
        (step, i) =>
          html`<i
            key=${i}
            class=${[i < at && "past", i === at && "now", i === found && "found", begins(step, i) && "begins"].filter(Boolean).join(" ")}
          ></i>`,
      )}
    </div>
    <input
      type="range"
      min="1"
      max=${last + 1}
      value=${at + 1}
      disabled=${last === 0}
      aria-label="Step"
      aria-valuetext=${told}
      onInput=${(event) => drag(event.target.valueAsNumber - 1)}
      onChange=${(event) => walk(event.target.valueAsNumber - 1)}
    />
    <p class="step-count"><b>${at + 1}</b> of ${last + 1}</p>
  </div>`;
}
