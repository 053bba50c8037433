// What both parts of the laboratory say: whether something holds, and how far a run is.
import { html } from "../vendor/preact-htm.js";
import { ProgressBar } from "../shared/figures.js";

// Key in the address; what is said of a claim, of several on a button, of a finding; a cross, a tick, a wave.
export const VERDICTS = [
  { key: "false", holds: false, word: "does not hold", words: "do not hold", here: "does not hold here" },
  { key: "true", holds: true, word: "holds", words: "hold", here: "holds here" },
  { key: "measured", holds: null, word: "depends on the machine", words: "depend on the machine", here: "open" },
];
const ICONS = {
  true: "M3 8.5L6.5 12L13 4.5",
  false: "M4 4L12 12M12 4L4 12",
  measured: "M2 9.5C4 5.5 6 5.5 8 8.500S12 11.500 14 7.500",
};

// Nothing for a claim that is not judged yet.
export const verdictOf = (claim) => VERDICTS.find(({ holds }) => holds === claim.holds);

// The shape says what the colour says.
export const VerdictIcon = ({ verdict }) =>
  html`<svg class=${`pen verdict-icon verdict-${verdict}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d=${ICONS[verdict]} />
  </svg>`;

// How far it is in a bar, if it is under way (a share of 1), and in words.
export const Stage = ({ kind = "", label, share, words, children }) =>
  html`<div class=${`row stage-words ${kind}`}>
    ${typeof share === "number" && html`<${ProgressBar} label=${label} share=${100 * share} />`}
    <p role="status">${words}</p>
    ${children}
  </div>`;
