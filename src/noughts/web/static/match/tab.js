// Match: two players against each other. One game is watched move by move; a series is counted as it is played, and any
// of its games can be watched.
//
//   in the address: a, b, the players; on, the board if it is not the game at the table; n, the games of a series;
//   chance, the seed; opening, the rule by which games begin; run, "game" or "series"; watch, the number of a game of the series; pace

import { html, useRef } from "../vendor/preact-htm.js";
import { to, useAnswer } from "../shared/server.js";
import { useRun } from "../shared/runs.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { Miniboard } from "../shared/miniboard.js";
import { show } from "../shared/place.js";
import { MatchSetup } from "./setup.js";
import { Watch } from "./watch.js";
import { Series } from "./series.js";

export const about =
  "Let two players meet: watch one game move by move, or a whole series with its tally. The same seed gives the same games.";
export const guide = "how-to/match-players";

const USUAL = { a: "perfect", b: "level-2", n: "100", chance: "0" };

export function View({ table, state, offers }) {
  const { more } = state;
  const { a, b } = { ...USUAL, ...more };
  const [n, chance] = ["n", "chance"].map((name) => (/^\d{1,15}$/.test(more[name]) ? more[name] : USUAL[name]));
  const game = more.on || state.game;
  const { answer, problem, last: field } = useAnswer(game && to("/players", { game })); // who plays, and the empty board
  const known = Boolean(answer);
  const opening = more.opening ? { opening: more.opening } : {};
  const path = (games) => to("/match", { a, b, game, n: games, seed: chance, ...opening });
  const one = useRun("match", path(1), game && more.run && more.run !== "series");
  const series = useRun("match", path(n), game && more.run === "series");
  const run = more.run === "series" ? series : one;
  const place = useRef();
  if (!state.game) return html`<${Waiting} ...${{ table, state }} />`;

  const note = (change) => table.note({ ...change, run: null, watch: null, ply: null });
  const start = (kind, change = {}) => {
    table.note({ ...change, run: kind, watch: null, ply: null });
    const wanted = kind === "series" ? series : one;
    if (wanted.status === "problem") wanted.start(true);
    show(place.current);
  };
  const stop = () => {
    run.stop();
    table.note({ run: null });
  };
  const games = run.events.flatMap(({ games }) => games);
  const playing = run.last?.playing;
  const number = more.run === "series" ? Number(more.watch) : 1;
  const watched = games.find((each) => each.number === number) || (playing?.number === number ? playing : null);
  const isWatching = known && (more.run === "game" ? run.status !== "problem" || watched : watched);
  const names = { a, b };
  return html`<div class="page beside">
    <${MatchSetup}
      ...${{ names, game, n, chance, field, known, offers, run, more }}
      onChange=${note}
      onStart=${start}
      onStop=${stop}
    />
    <section class="match-run stack" aria-label="The match" ref=${place}>
      <${Problem} problem=${problem || run.problem} />
      ${!more.run && !run.problem && !problem && html`<${Invitation} field=${field} names=${names} />`}
      ${isWatching && html`<${Watch} key=${`${path(n)} ${number}`} ...${{ table, more, game, names, number, field, played: watched, running: run.status === "running" }} onBack=${more.run === "series" && (() => table.note({ watch: null, ply: null }))} />`}
      ${more.run === "series" && (run.status !== "problem" || games.length > 0) && html`<${Series} ...${{ table, names, run, games, n: Number(n), watch: number, field }} />`}
    </section>
  </div>`;
}

function Invitation({ names, field }) {
  if (!field) return html`<p class="loading" role="status">One moment …</p>`;
  return html`<div class="match-invitation">
    <${Miniboard} ...${field.board} side=${150} />
    <h2 class="headline"><b>${titleOf(field, names.a)}</b> against <b>${titleOf(field, names.b)}</b></h2>
    <p class="note">Watch one game to see how they play, or a series to see who is stronger.</p>
  </div>`;
}

// "alphabeta:4" is Alphabeta 4.
export function titleOf(field, name) {
  const [kind, number] = name.split(":");
  const title = field?.players.find((each) => each.name === kind)?.title || kind;
  return number ? `${title} ${number}` : title;
}
