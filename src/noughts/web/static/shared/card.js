// A part of a view with a title, a word on what it shows, and at the right of the title what changes it.
import { html } from "../vendor/preact-htm.js";

export const Card = ({ title, note, tools, kind = "", children }) =>
  html`<section class=${`card ${kind}`} aria-label=${title}>
    ${tools ? html`<div class="spread"><h2>${title}</h2>${tools}</div>` : html`<h2>${title}</h2>`}
    ${note && html`<p class="note">${note}</p>`} ${children}
  </section>`;
