// The settings of a game: the board, the side, the opponent. A change takes effect at once.
import { html } from "../vendor/preact-htm.js";
import { PERSON, USUAL } from "../shared/address.js";
import { Select } from "../shared/controls.js";
import { hasThreats } from "../shared/threats.js";
import { OPENINGS, seats } from "./opening.js";
import { to, useAnswer } from "../shared/server.js";
import { Choice, GameChoice } from "../shared/setup.js";
import { ConfirmTaps } from "../shared/taps.js";

export function Setup({ table, state, offers }) {
  const { x, o, game, analysis, more } = state;
  const opening = more.opening || "free";
  const isOpening = opening !== "free"; // then sides are taken, and "you play" says who lays the first marks
  const two = x === PERSON && o === PERSON && !isOpening;
  const opponent = isOpening ? more.against : two ? USUAL.o : x === PERSON ? o : x;
  const side = two ? "both" : (isOpening ? more.first === "you" : x === PERSON) ? "X" : "O";
  const begin = (rule, side, against) =>
    rule === "free"
      ? table.newGame({ ...seat(side, against), more: {} })
      : table.newGame({ x: PERSON, o: PERSON, more: { opening: rule, against, first: side === "O" ? "them" : "you" } });
  const seat = (side, opponent) =>
    side === "both" ? { x: PERSON, o: PERSON } : side === "X" ? { x: PERSON, o: opponent } : { x: opponent, o: PERSON };
  return html`<div class="stack setup">
    <${GameChoice}
      ...${{ game, board: analysis.board, games: offers.games, most: offers.max_side }}
      onChoose=${(name) => table.newGame({ game: name, ...(isOpening ? { ...seat(side, opponent), more: {} } : {}) })}
    />
    <${ConfirmTaps} />
    <${Choice}
      legend=${isOpening ? "First marks" : "You play"}
      name="side"
      value=${side}
      options=${isOpening ? { X: "You lay them", O: "The opponent does" } : { X: "X, first", O: "O, second", both: "Two people" }}
      onChoose=${(next) => (isOpening ? begin(opening, next, opponent) : table.newGame(seat(next, opponent)))}
    />
    ${
      !two &&
      (hasThreats(analysis.board) || isOpening) &&
      html`<${Choice} legend="Opening" name="opening" value=${opening} options=${OPENINGS} onChoose=${(rule) => begin(rule, side, opponent)} />`
    }
    ${
      !two &&
      html`<${Opponent}
        ...${{ game, opponent }}
        onChoose=${(name) => {
          if (!isOpening) return table.seat(seat(side, name));
          table.note({ against: name });
          return more.seated && table.seat(seats(more.seated, name));
        }}
      />`
    }
  </div>`;
}

function Opponent({ game, opponent, onChoose }) {
  const players = useAnswer(game && to("/players", { game })).last?.players;
  if (!players) return null;
  const levels = players.filter(({ kind }) => kind === "level");
  const others = players.filter(({ kind }) => kind === "algorithm");
  const chosen = players.find(({ name }) => name === opponent);
  const digit = (title) => html`<span class="sr">Level </span>${title.replace(/\D/g, "")}`;
  return html`<div class="opponent">
    <${Choice}
      legend="Opponent: level"
      name="level"
      value=${opponent}
      options=${levels.map(({ name, title, summary, plays }) => [name, digit(title), summary, !plays])}
      onChoose=${onChoose}
    />
    <${Select}
      title="or an algorithm"
      value=${chosen?.kind === "level" ? "" : opponent}
      options=${[["", "choose …"], ...others.map(({ name, title, plays }) => [name, title, !plays])]}
      onChoose=${(name) => name && onChoose(name)}
    />
    <p class="note">
      ${chosen && `${chosen.title}: ${chosen.summary[0].toLowerCase()}${chosen.summary.slice(1)}`}${chosen && !chosen.plays && ` (Not here: ${chosen.refusal}.)`}
    </p>
  </div>`;
}
