// Choosing one of a few, and a board.
import { html, useState } from "../vendor/preact-htm.js";
import { Field, listed, Tick } from "./controls.js";

// Radio buttons that look like a row of segments: options {key: text}, or where there
// is more to say [key, text, title, disabled, class].
export function Choice({ legend, name, value, options, onChoose, disabled, kind = "", quiet, place }) {
  return html`<fieldset class=${`choice ${kind}`}>
    <legend class=${quiet ? "sr" : null}>${legend}</legend>
    <div class="segments" ref=${place}>
      ${listed(options).map(
        ([key, text, title, isOut = disabled, look]) =>
          html`<label key=${key} title=${title || null} class=${look}>
            <input
              type="radio"
              name=${name}
              value=${key}
              checked=${key === value}
              disabled=${Boolean(isOut)}
              onChange=${() => onChoose(key)}
            />
            <span>${text}</span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}

const shortOf = ({ title, board }) => (board.misere || board.exact || board.gravity ? title : `${board.rows} × ${board.columns}`);

// One of the games on offer, or any other: `board` is what its form begins with, once it is known.
export function GameChoice({ legend = "Board", name = "board", game, board, games, most, onChoose, quiet }) {
  const [custom, setCustom] = useState(false);
  const offered = games.find((offer) => offer.game === game);
  const value = custom || (!offered && games.length) ? "custom" : game;
  const choose = (key) => {
    setCustom(key === "custom");
    if (key !== "custom") onChoose(key);
  };
  const options = games.map((offer) => [offer.game, offer.short || shortOf(offer), offer.summary]);
  return html`<div>
    <${Choice} ...${{ legend, name, value }} options=${[...options, ["custom", "Custom"]]} onChoose=${choose} />
    ${value === "custom" && board && html`<${CustomBoard} key=${`${board.rows}x${board.columns}k${board.k}`} ...${{ board, most, onChoose }} />`}
    ${value !== "custom" && !quiet && html`<p class="note">${offered?.summary}</p>`}
  </div>`;
}

const RULES = [
  ["e", "exact", "Exact: more in a row is nothing"],
  ["g", "gravity", "Gravity: marks fall"],
  ["m", "misere", "Misère: a line loses"],
];

function CustomBoard({ board, most, onChoose }) {
  const [form, setForm] = useState(board);
  const change = (name, value) => setForm({ ...form, [name]: value });
  const number = (name, title, max) =>
    html`<${Field}
      ...${{ title, type: "number", min: 1, max, required: true, value: form[name] }}
      onInput=${(event) => change(name, event.target.valueAsNumber)}
    />`;
  const submit = (event) => {
    event.preventDefault();
    const letters = RULES.filter(([, name]) => form[name]).map(([letter]) => letter);
    onChoose(`${form.rows}x${form.columns}k${form.k}${letters.join("")}`);
  };
  return html`<form class="custom" onSubmit=${submit}>
    ${number("rows", "Rows", most)} ${number("columns", "Columns", most)}
    ${number("k", "In a row", Math.max(form.rows || 1, form.columns || 1))}
    ${RULES.map(([letter, name, title]) => html`<${Tick} key=${letter} checked=${form[name]} onChoose=${(on) => change(name, on)}>${title}<//>`)}
    <button type="submit">Set up</button>
  </form>`;
}
