// Editing the position, and taking it along: as text, as a drawing, as a link.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Choice, GameChoice } from "../shared/setup.js";
import { Problem } from "../shared/waiting.js";

export const useBrush = () => useState("X");

// What is put on the cells: it stands where the buttons for playing else stand.
export function EditBar({ table, draft, brush, setBrush }) {
  return html`<div class="row edit-bar" role="group" aria-label="Editing">
    <${Choice}
      legend="Press a cell to put there"
      name="brush"
      value=${brush}
      options=${{ X: "X", O: "O", ".": "Nothing" }}
      onChoose=${setBrush}
    />
    <div class="row">
      <button class="primary" onClick=${() => table.stopEditing()}>Done</button>
      <button onClick=${() => table.edit(emptied(draft))}>Clear</button>
    </div>
  </div>`;
}

export function Editor({ table, state, offers }) {
  const { draft, analysis } = state;
  const position = draft?.position || analysis?.position || "";
  if (draft) {
    return html`<${Card} title="Edit the position" kind="position editing">
      <${PositionField} ...${{ table, position, draft }} />
    <//>`;
  }
  return html`<${Card} title="The position" kind="position">
    <code class="notation">${position}</code>
    <div class="row">
      <button onClick=${() => table.startEditing()}>Edit</button>
      <${Copy} title="Copy as text" text=${() => position} />
      <${Copy} title="Copy drawing" text=${() => analysis?.picture || ""} />
      <${Copy} title="Copy link" text=${() => location.origin + table.link} />
    </div>
    <details class="other-board">
      <summary>Another board</summary>
      <${GameChoice}
        ...${{ game: state.game, board: analysis?.board, games: offers.games, most: offers.max_side }}
        onChoose=${(game) => table.newGame({ game })}
      />
    </details>
  <//>`;
}

const emptied = ({ game, board }) => `${game}:${Array(board.rows).fill(".".repeat(board.columns)).join("/")}`;

const COLUMNS = /^(\d+|[a-z]+)$/i; // "4453", "ddec": moves into columns, of the game at hand

function PositionField({ table, position, draft: { game, board } }) {
  const [text, setText] = useState(position);
  useEffect(() => setText(position), [position]);
  const submit = (event) => {
    event.preventDefault();
    const typed = text.trim();
    table.edit(board.gravity && COLUMNS.test(typed) ? `${game}:${typed.toLowerCase()}` : typed);
  };
  return html`<form class="position-field" onSubmit=${submit}>
    <label
      >As text
      <input value=${text} spellcheck="false" autocomplete="off" onInput=${(event) => setText(event.target.value)}
    /></label>
    <button type="submit">Set</button>
    ${board.gravity && html`<p class="note">Rows from the top, or the columns that were played: <code>4453</code>, <code>ddec</code>.</p>`}
    <${Problem} problem=${table.state.problem} />
  </form>`;
}

function Copy({ title, text }) {
  const [done, setDone] = useState("");
  const copy = async () => {
    setDone((await toClipboard(text())) ? "Copied" : "Not copied");
    setTimeout(() => setDone(""), 1600);
  };
  return html`<button onClick=${copy}>${title}<span class="copied soft" role="status">${done}</span></button>`;
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
