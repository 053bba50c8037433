// The settings of a game: the board, the side, the opponent. A change takes effect at once.
import { html, useState } from "../vendor/preact-htm.js";
import { to, useAnswer } from "./server.js";
import { PERSON, USUAL } from "./address.js";
import { ConfirmTaps } from "./taps.js";

export const playerTitle = (name) => {
  const words = name.replace(/-/g, " ");
  return words[0].toUpperCase() + words.slice(1);
};

export function Setup({ table, state, offers }) {
  const { x, o, game } = state;
  const two = x === PERSON && o === PERSON;
  const opponent = two ? USUAL.o : x === PERSON ? o : x;
  const side = two ? "both" : x === PERSON ? "X" : "O";
  const seat = (side, opponent) =>
    side === "both" ? { x: PERSON, o: PERSON } : side === "X" ? { x: PERSON, o: opponent } : { x: opponent, o: PERSON };
  return html`<div class="setup">
    <${BoardChoice} ...${{ table, state, offers }} />
    <${Choice}
      legend="You play"
      name="side"
      value=${side}
      options=${[
        ["X", "X, first"],
        ["O", "O, second"],
        ["both", "Two people"],
      ]}
      onChoose=${(next) => table.newGame(seat(next, opponent))}
    />
    ${!two && html`<${Opponent} ...${{ game, opponent }} onChoose=${(name) => table.seat(seat(side, name))} />`}
  </div>`;
}

// One of a few: radio buttons that look like a row of segments.
export function Choice({ legend, name, value, options, onChoose }) {
  return html`<fieldset class="choice">
    <legend>${legend}</legend>
    <div class="segments">
      ${options.map(
        ([key, text, title, disabled]) =>
          html`<label key=${key} title=${title || null}>
            <input
              type="radio"
              name=${name}
              value=${key}
              checked=${key === value}
              disabled=${Boolean(disabled)}
              onChange=${() => onChoose(key)}
            />
            <span>${text}</span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}

const SHORT = { "3x3k3": "3 × 3", "4x4k4": "4 × 4", "5x5k4": "5 × 5", "15x15k5": "15 × 15", "3x3k3m": "Misère" };

export function BoardChoice({ table, state, offers }) {
  const { game, analysis } = state;
  const offered = offers.games.find((offer) => offer.game === game);
  const [custom, setCustom] = useState(false);
  const options = offers.games.map((offer) => [offer.game, SHORT[offer.game] || offer.title, offer.summary]);
  const value = custom || (!offered && offers.games.length) ? "custom" : game;
  const choose = (name) => {
    setCustom(name === "custom");
    if (name !== "custom") table.newGame({ game: name });
  };
  return html`<div>
    <${Choice}
      legend="Board"
      name="board"
      value=${value}
      options=${[...options, ["custom", "Custom"]]}
      onChoose=${choose}
    />
    ${
      value === "custom"
        ? html`<${CustomBoard}
            board=${analysis.board}
            most=${offers.max_side}
            onChoose=${(name) => table.newGame({ game: name })}
          />`
        : html`<p class="note">${offered?.summary}</p>`
    }
    <${ConfirmTaps} />
  </div>`;
}

const RULES = [
  ["e", "exact", "Exact: more in a row is nothing"],
  ["m", "misere", "Misère: a line loses"],
];

export function CustomBoard({ board, most, onChoose }) {
  const [form, setForm] = useState(board);
  const number = (name, title, max) =>
    html`<label
      >${title}
      <input
        type="number"
        min="1"
        max=${max}
        required
        value=${form[name]}
        onInput=${(event) => setForm({ ...form, [name]: event.target.valueAsNumber })}
      />
    </label>`;
  const submit = (event) => {
    event.preventDefault();
    const letters = RULES.filter(([, name]) => form[name]).map(([letter]) => letter);
    onChoose(`${form.rows}x${form.columns}k${form.k}${letters.join("")}`);
  };
  return html`<form class="custom" onSubmit=${submit}>
    ${number("rows", "Rows", most)} ${number("columns", "Columns", most)}
    ${number("k", "In a row", Math.max(form.rows || 1, form.columns || 1))}
    ${RULES.map(
      ([letter, name, title]) =>
        html`<label key=${letter} class="tick"
          ><input
            type="checkbox"
            checked=${form[name]}
            onChange=${(event) => setForm({ ...form, [name]: event.target.checked })}
          />
          ${title}</label
        >`,
    )}
    <button type="submit">Set up</button>
  </form>`;
}

function Opponent({ game, opponent, onChoose }) {
  const players = useAnswer(game && to("/players", { game })).last?.players || [];
  const levels = players.filter(({ kind }) => kind === "level");
  const others = players.filter(({ kind }) => kind !== "level");
  const chosen = players.find(({ name }) => name === opponent);
  if (!players.length) return null;
  return html`<div class="opponent">
    <${Choice}
      legend="Opponent: level"
      name="level"
      value=${opponent}
      options=${levels.map(({ name, title, summary, plays }) => [name, html`<span class="sr">Level </span>${title.replace(/\D/g, "")}`, summary, !plays])}
      onChoose=${onChoose}
    />
    <label class="others"
      >or an algorithm
      <select
        value=${chosen?.kind === "level" ? "" : opponent}
        onChange=${(event) => event.target.value && onChoose(event.target.value)}
      >
        <option value="">choose …</option>
        ${others.map(({ name, title, plays }) => html`<option key=${name} value=${name} disabled=${!plays}>${title}</option>`)}
      </select>
    </label>
    <p class="note">
      ${chosen && `${chosen.title}: ${chosen.summary[0].toLowerCase()}${chosen.summary.slice(1)}`}${chosen && !chosen.plays && ` (Not here: ${chosen.refusal}.)`}
    </p>
  </div>`;
}
