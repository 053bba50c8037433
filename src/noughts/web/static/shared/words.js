// Words: sentences, counts, code within a text, and the names of classes.
import { html } from "../vendor/preact-htm.js";
import { whole } from "./quantities.js";

export const capital = (text) => text[0].toUpperCase() + text.slice(1);
// A move at the beginning stays as it is: "c2: MIN to move."
export function sentence(text) {
  const begun = /^[a-z]+\d/.test(text) ? text : capital(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
export const counted = (number, one, many = `${one}s`) => `${whole(number)} ${number === 1 ? one : many}`;

// Text with `code` in it.
export const Prose = ({ text }) => text.split("`").map((part, i) => (i % 2 ? html`<code key=${i}>${part}</code>` : part));

// "cell hint by-x": names, and of {name: whether} those that hold.
export const classes = (...names) =>
  names.flatMap((each) => (Object(each) === each ? Object.keys(each).filter((name) => each[name]) : each || [])).join(" ");
