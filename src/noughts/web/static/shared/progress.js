// How far a long run is, in percent.
import { html } from "../vendor/preact-htm.js";

export const ProgressBar = ({ label, share }) =>
  html`<div
    class="run-progress"
    role="progressbar"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.floor(share)}
  >
    <span style=${{ width: `${share}%` }}></span>
  </div>`;
