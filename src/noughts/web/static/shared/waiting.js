// What is shown before there is a board, and what went wrong.
import { html } from "../vendor/preact-htm.js";
import { sentence } from "./words.js";

export const Problem = ({ problem }) => problem && html`<p class="problem" role="alert">${sentence(problem)}</p>`;

// Under a view's own heading, as="h2".
export function Waiting({ table, state, as = "h1" }) {
  if (!state.problem) return html`<p class="loading" role="status">Setting up the board …</p>`;
  return html`<div class="loading">
    <${as}>This link leads nowhere<//>
    <${Problem} problem=${state.problem} />
    <button class="primary" onClick=${() => table.open({ view: state.view })}>Begin a new game</button>
  </div>`;
}
