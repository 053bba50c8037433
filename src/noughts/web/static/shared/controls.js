// What is pressed and chosen: icons, buttons, fields, links, the buttons under a board and those that play something.
import { html } from "../vendor/preact-htm.js";

const ICONS = {
  undo: "M9 7H15a5 5 0 0 1 0 10H8M9 7l3.5-3.5M9 7l3.5 3.5",
  redo: "M15 7H9a5 5 0 0 0 0 10h7M15 7l-3.5-3.5M15 7l-3.5 3.5",
  hint: "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.200 1 2.100h5c0-.9.4-1.600 1-2.100A6 6 0 0 0 12 3Z",
  fresh: "M12 5v14M5 12h14",
  swap: "M8 4v15M8 19l-3.5-3.5M8 19l3.5-3.5M16 20V5M16 5l-3.5 3.5M16 5l3.5 3.5",
  first: "M18 6l-8 6 8 6ZM6.500 6v12",
  back: "M16 6l-8 6 8 6Z",
  play: "M8 5.500l10.500 6.500L8 18.500Z",
  pause: "M8.500 6v12M15.500 6v12",
  next: "M8 6l8 6-8 6Z",
  last: "M6 6l8 6-8 6ZM17.500 6v12",
  nearer: "M12 6v12M6 12h12",
  farther: "M6 12h12",
  fit: "M4 5v14M20 5v14M7.500 12h9M7.500 12l2.500-2.500M7.500 12l2.500 2.500M16.500 12l-2.500-2.500M16.500 12l-2.500 2.500",
  present: "M3 4h18M4.500 4v10.500h15V4M12 14.500v3.500M8.500 21l3.500-3 3.500 3",
  sun: "M7.500 12a4.500 4.500 0 1 0 9 0a4.500 4.500 0 1 0-9 0M12 2v2.500M12 19.500V22M2 12h2.500M19.500 12H22M4.900 4.900l1.800 1.800M17.300 17.300l1.800 1.800M4.900 19.100l1.800-1.800M17.300 6.700l1.800-1.800",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z",
  others:
    "M5.500 8.500a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M2.500 20c0-3.600 2.900-6 6.500-6s6.500 2.400 6.500 6M15 5.300a3.500 3.500 0 0 1 0 6.400M17.500 14.600c2.400.8 4 2.800 4 5.400",
  scissors:
    "M4 6.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M4 17.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M8.5 8L20 18.5M8.5 16L20 5.5",
};
export const SCISSORS = ICONS.scissors;

export const Icon = ({ name }) => html`<svg class="pen" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

// A button without words; `key` names the key that does the same.
export const IconButton = ({ name, title, shortcut, ...rest }) =>
  html`<button
    class="icon"
    aria-label=${title}
    aria-keyshortcuts=${shortcut}
    title=${shortcut ? `${title} (${shortcut})` : title}
    ...${rest}
  >
    <${Icon} name=${name} />
  </button>`;

// The buttons under the board: `small` without words.
export function Controls({ table, state, hint = true, small = false }) {
  const ongoing = state.analysis?.status === "ongoing";
  const button = (name, title, key, onClick, disabled) =>
    small
      ? html`<${IconButton} ...${{ name, title, onClick, disabled }} shortcut=${key} />`
      : html`<button ...${{ onClick, disabled }} aria-keyshortcuts=${key} title=${`${title} (${key})`}>
          <${Icon} name=${name} /><span>${title}</span>
        </button>`;
  return html`<div class=${small ? "row small-controls" : "controls"} role="group" aria-label="Moves">
    ${button("undo", "Undo", "u", table.undo, table.undoTo === null)}
    ${button("redo", "Redo", "r", table.redo, table.redoTo === null)}
    ${hint && button("hint", "Hint", "h", () => table.hint(), !ongoing || Boolean(state.thinking))}
    ${button("fresh", "New game", "n", () => table.newGame(), false)}
  </div>`;
}

// Begins a run (again, if it has been run), or stops it; the address says which.
export function RunButton({ run, table, title, onStart, ...rest }) {
  const start = () => {
    table.note({ run: "1" });
    run.start(run.status !== "idle");
    onStart?.();
  };
  const stop = () => {
    run.stop();
    table.note({ run: null });
  };
  if (run.status === "running") return html`<button onClick=${stop}>Stop</button>`;
  return html`<button class="primary" onClick=${start} ...${rest}>${title}</button>`;
}

// Plays something that has the steps 0 … last: `at` is null at none of them, `play` what its button says, `words` whether it
// says so in letters too.
export function Transport({ at, last, playing, go, toggle, play, words, onEnd, canPlay = last > 0, children }) {
  const button = (name, title, onClick, disabled) => html`<${IconButton} ...${{ name, title, onClick, disabled }} />`;
  const title = playing ? "Pause" : play;
  return html`<div class="row transport" role="group" aria-label="Steps">
    ${button("first", "To the beginning", () => go(0), at === 0)}
    ${button("back", "One step back", () => go((at ?? last + 1) - 1), at === 0)}
    <button
      class=${`primary step-play ${words ? "" : "wordless"}`}
      onClick=${toggle}
      disabled=${!canPlay}
      aria-keyshortcuts="Space"
      title=${title}
    >
      <${Icon} name=${playing ? "pause" : "play"} /><span class=${words ? null : "sr"}>${title}</span>
    </button>
    ${button("next", "One step on", () => go((at ?? -1) + 1), at === last)}
    ${button("last", "To the end", onEnd || (() => go(last)), onEnd ? at === null : at === last)} ${children}
  </div>`;
}

export const Tick = ({ checked, onChoose, title, disabled, kind = "", children }) =>
  html`<label class=${`tick ${kind}`} title=${title}>
    <input type="checkbox" ...${{ checked, disabled }} onChange=${(event) => onChoose(event.target.checked)} />
    <span>${children}</span>
  </label>`;

// What can be chosen: {key: text}, or [key, text, …] where there is more to say.
export const listed = (options) => (Array.isArray(options) ? options : Object.entries(options));

export const Select = ({ title, value, options, onChoose, hidden, ...rest }) =>
  html`<label class="field">
    <span class=${hidden ? "sr" : null}>${title}</span>
    <select value=${value} ...${rest} onChange=${(event) => onChoose(event.target.value)}>
      ${listed(options).map(([key, text, disabled]) => html`<option key=${key} value=${key} selected=${key === value} disabled=${disabled}>${text}</option>`)}
    </select>
  </label>`;

// An input with its title.
export const Field = ({ title, kind = "", ...rest }) =>
  html`<label class=${`field ${kind}`}>${title} <input ...${rest} /></label>`;

// A link that is followed within the page, unless it is asked for beside it.
export function Link({ href, onFollow, children, ...rest }) {
  const follow = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    onFollow();
  };
  return html`<a ...${{ href, ...rest }} onClick=${follow}>${children}</a>`;
}
