// A table of figures; where it is too wide it scrolls. `head` has the titles, `rows` {key, cells, kind}: the first cell of
// a row is its heading.
import { html } from "../vendor/preact-htm.js";

export const OUTCOMES = ["win", "tie", "loss"];

export const Figures = ({ label, head, rows, caption, foot, kind = "" }) =>
  html`<div class=${`figures ${kind}`} tabindex="0" role="group" aria-label=${label}>
    <table>
      ${caption && html`<caption class="note">${caption}</caption>`}
      <thead>
        <tr>
          ${head.map((title, i) => (title ? html`<th key=${i} scope="col">${title}</th>` : html`<td key=${i}></td>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(Row)}
      </tbody>
      ${foot && html`<tfoot>${Row(foot)}</tfoot>`}
    </table>
  </div>`;

const Row = ({ key, kind, cells: [name, ...cells] }) =>
  html`<tr key=${key} class=${kind || null} data-row=${key}>
    <th scope="row">${name}</th>
    ${cells.map((text, i) => html`<td key=${i}>${text}</td>`)}
  </tr>`;

// The parts of a bar in the colours of values: [value, number] of so many.
export const sharesOf = (parts, all) =>
  parts.map(([value, number]) => number > 0 && html`<span key=${value} class=${`value-${value}`} style=${{ flexGrow: number / all }}></span>`);

// One of a list of bars that can be pressed: its name, the bar, and what it comes to (children).
export const BarRow = ({ kind, name, share, children, ...rest }) =>
  html`<li>
    <button class=${`bar-row ${kind}`} ...${rest}>
      ${name}
      <span class="bar" aria-hidden="true"><span style=${{ width: `${100 * share}%` }}></span></span>
      ${children}
    </button>
  </li>`;

// How far a long run is, in percent.
export const ProgressBar = ({ label, share }) =>
  html`<div
    class="bar run-progress"
    role="progressbar"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.floor(share)}
  >
    <span style=${{ width: `${share}%` }}></span>
  </div>`;
