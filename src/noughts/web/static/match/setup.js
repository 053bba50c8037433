// Who meets whom, on which board, how often: the settings of a match.
import { html } from "../vendor/preact-htm.js";
import { Field, IconButton } from "../shared/controls.js";
import { Choice, GameChoice } from "../shared/setup.js";
import { hasThreats } from "../shared/threats.js";
import { capital, counted } from "../shared/words.js";

const MOST = 10000; // games; the server says so too
const LARGEST = 2 ** 31; // of the seeds

export function MatchSetup({ names, game, n, chance, field, known, offers, run, more, onChange, onStart, onStop }) {
  const refusals = field ? ["a", "b"].map((side) => refusalOf(field, names[side])).filter(Boolean) : [];
  const ready = known && !refusals.length;
  const again = more.run === "game" && run.status === "done";
  return html`<section class="match-setup stack" aria-label="Who plays">
    <${GameChoice}
      ...${{ game, board: field?.board, games: offers.games, most: offers.max_side }}
      name="match-board"
      quiet
      onChoose=${(on) => onChange({ on })}
    />
    <div class="stack match-pair">
      <${PlayerPick} label="Player A" ...${{ field }} name=${names.a} onChoose=${(a) => onChange({ a })} />
      <${IconButton} name="swap" title="Change places" onClick=${() => onChange({ a: names.b, b: names.a })} />
      <${PlayerPick} label="Player B" ...${{ field }} name=${names.b} onChoose=${(b) => onChange({ b })} />
    </div>
    ${
      field &&
      (hasThreats(field.board) || more.opening) &&
      html`<${Choice}
        legend="Opening"
        name="match-opening"
        value=${more.opening || "free"}
        options=${{ free: "Free", swap: "Swap" }}
        onChoose=${(rule) => onChange({ opening: rule === "free" ? null : rule })}
      />`
    }
    <div class="stack match-pair match-numbers">
      <${NumberField} title="Games in a series" value=${n} min="1" max=${MOST} onChoose=${(n) => onChange({ n })} />
      <${NumberField} title="Seed" value=${chance} min="0" max=${LARGEST} onChoose=${(to) => onChange({ chance: to })} />
    </div>
    <div class="row">
      ${
        run.status === "running" && more.run
          ? html`<button class="primary" onClick=${onStop}>Stop</button>`
          : html`<button
                class="primary"
                disabled=${!ready}
                onClick=${() => onStart("game", again ? { chance: String(Number(chance) + 1) } : {})}
              >
                ${again ? "Watch another game" : "Watch a game"}
              </button>
              <button disabled=${!ready || !(n >= 1)} onClick=${() => onStart("series")}>
                Play ${counted(Number(n), "game")}
              </button>`
      }
    </div>
    <p class="note">
      ${more.opening ? "One lays three marks that look even, the other takes a side; then they change." : "They change sides after each game of a series; A is X in the first."} The same seed plays the same games.
    </p>
  </section>`;
}

// A player by name; some take a number, as in alphabeta:4.
function PlayerPick({ label, field, name, onChoose }) {
  const [kind, number = ""] = name.split(":");
  const players = field?.players || [];
  const bots = players.filter((each) => each.kind === "bot");
  const chosen = players.find((each) => each.name === kind);
  const refusal = field && refusalOf(field, name);
  const option = ({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`;
  return html`<div class="row player-pick">
    <label class="field"
      >${label}
      <select value=${kind} onChange=${(event) => onChoose(event.target.value)}>
        ${!chosen && html`<option value=${kind}>${kind}</option>`}
        <optgroup label="Levels">${players.filter((each) => each.kind === "level").map(option)}</optgroup>
        <optgroup label="Algorithms">${players.filter((each) => each.kind === "algorithm").map(option)}</optgroup>
        ${bots.length > 0 && html`<optgroup label="Bots">${bots.map(option)}</optgroup>`}
      </select>
    </label>
    ${
      chosen?.number &&
      html`<${Field}
        title=${capital(chosen.number)}
        kind="player-number"
        ...${{ type: "number", ...(chosen.number === "seconds" ? { min: 0.05, step: "any", max: 60 } : { min: 1, max: 999999 }), placeholder: "as usual", value: number }}
        onChange=${(event) => onChoose(event.target.value ? `${kind}:${event.target.value}` : kind)}
      />`
    }
    ${refusal ? html`<p class="problem note">Does not play here: ${refusal}.</p>` : html`<p class="note">${chosen?.summary}</p>`}
  </div>`;
}

function NumberField({ onChoose, ...rest }) {
  const change = ({ target }) => {
    if (target.reportValidity() && target.value !== "") onChoose(String(target.valueAsNumber));
  };
  return html`<${Field} type="number" required ...${rest} onChange=${change} />`;
}

// Why a player does not play here; with a number it may, and the server will say.
function refusalOf(field, name) {
  const [kind, number] = name.split(":");
  const found = field.players.find((each) => each.name === kind);
  return found && !found.plays && !(found.number && number) ? found.refusal : null;
}
