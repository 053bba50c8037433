// The buttons under the board.
import { html } from "../vendor/preact-htm.js";

const ICONS = {
  undo: "M9 7H15a5 5 0 0 1 0 10H8M9 7l3.5-3.5M9 7l3.5 3.5",
  redo: "M15 7H9a5 5 0 0 0 0 10h7M15 7l-3.5-3.5M15 7l-3.5 3.5",
  hint: "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.200 1 2.100h5c0-.9.4-1.600 1-2.100A6 6 0 0 0 12 3Z",
  fresh: "M12 5v14M5 12h14",
};

export const Icon = ({ name }) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

export function Controls({ table, state, hint = true }) {
  const ongoing = state.analysis?.status === "ongoing";
  const button = (name, title, key, act, disabled) =>
    html`<button onClick=${act} disabled=${disabled} aria-keyshortcuts=${key} title=${`${title} (${key})`}>
      <${Icon} name=${name} /><span>${title}</span>
    </button>`;
  return html`<div class="controls" role="group" aria-label="Moves">
    ${button("undo", "Undo", "u", table.undo, table.undoTo === null)}
    ${button("redo", "Redo", "r", table.redo, table.redoTo === null)}
    ${hint && button("hint", "Hint", "h", () => table.hint(), !ongoing || Boolean(state.thinking))}
    ${button("fresh", "New game", "n", () => table.newGame(), false)}
  </div>`;
}
