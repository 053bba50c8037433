// A series: the tally as it grows, and every game of it as a link that shows it.
import { html, useState } from "../vendor/preact-htm.js";
import { ValueIcon, ValueTag } from "../shared/marks.js";
import { Choice } from "../shared/setup.js";
import { titleOf } from "./tab.js";
import { show } from "../shared/place.js";
import { Figures, ProgressBar, sharesOf } from "../shared/figures.js";
import { Link } from "../shared/controls.js";
import { placeOf } from "../shared/keys.js";
import { percent, whole } from "../shared/quantities.js";
import { Take } from "../shared/take.js";
import { capital, counted } from "../shared/words.js";

const AT_ONCE = 120; // games listed
const DRAWN = 1000; // games in a table to take along
const RESULTS = [
  ["wins", "won", "win"],
  ["draws", "drawn", "tie"],
  ["losses", "lost", "loss"],
];
const NONE = { wins: 0, draws: 0, losses: 0 };

export function Series({ table, names, run, games, n, watch, field }) {
  const last = run.summary || run.last;
  const [x, o] = [last?.x || NONE, last?.o || NONE];
  const all = { wins: x.wins + o.wins, draws: x.draws + o.draws, losses: x.losses + o.losses };
  const played = all.wins + all.draws + all.losses;
  const [a, b] = [titleOf(field, names.a), titleOf(field, names.b)];
  const done = run.status === "done";
  const bots = (field?.players || []).filter(({ kind, name }) => kind === "bot" && [names.a, names.b].includes(name));
  return html`<section class="stack match-series" aria-labelledby="series-title">
    <div role="status"><h2 class="headline" id="series-title">${done ? verdict(a, b, all) : `${a} against ${b}`}</h2></div>
    ${run.status === "running" && html`<${ProgressBar} label="Games played" share=${(100 * played) / n} />`}
    <div class="match-tally">
      <${Figures}
        label="The tally"
        caption=${`${whole(played)} of ${whole(n)} games, counted for ${a}; a draw is half a point`}
        head=${[html`<span class="sr">Side</span>`, null, ...RESULTS.map(heading), "points"]}
        rows=${[row(a, "as X", x), row(a, "as O", o), row(a, "in all", all)]}
      />
      ${
        done &&
        html`<${Take}
          of="the tally"
          ...${{ name: "tally", title: `${a} against ${b}, ${run.summary.game}`, kind: "shares" }}
          head=${[a, ...RESULTS.map(([, word]) => word)]}
          rows=${[["as X", x], ["as O", o]].map(([side, score]) => [side, ...RESULTS.map(([key]) => score[key])])}
        />`
      }
    </div>
    ${done && run.summary.forfeits.length > 0 && html`<${Forfeits} ...${{ forfeits: run.summary.forfeits }} />`}
    ${done && html`<p class="note">${run.summary.mean_plies.toFixed(1)} moves a game.${!bots.length && html` In the shell: <code>noughts match ${run.summary.a} ${run.summary.b} -n ${run.summary.n} --game ${run.summary.game} --seed ${run.summary.seed}</code>`}</p>`}
    ${games.length > 0 && html`<${Games} ...${{ table, games, all, a, watch }} />`}
  </section>`;
}

// Who broke the rules, how often, and how the first time.
function Forfeits({ forfeits }) {
  return [...new Set(forfeits.map(({ player }) => player))].map((who) => {
    const mine = forfeits.filter(({ player }) => player === who);
    return html`<p class="problem note" key=${who}>
      ${who} broke the rules in ${counted(mine.length, "game")}, which it lost. First: ${mine[0].problem}
    </p>`;
  });
}

function verdict(a, b, { wins, draws, losses }) {
  if (wins === losses) return draws && !wins ? `${a} and ${b}: nothing but draws` : `${a} and ${b} are even`;
  const [better, won, lost] = wins > losses ? [a, wins, losses] : [b, losses, wins];
  return `${better} came out ahead: ${whole(won)} won, ${whole(draws)} drawn, ${whole(lost)} lost`;
}

const heading = ([, word, value]) => html`<${ValueTag} ...${{ value }}>${word}<//>`;

function row(who, side, score) {
  const games = score.wins + score.draws + score.losses;
  const parts = RESULTS.map(([key, , value]) => [value, score[key]]);
  return {
    key: side,
    cells: [
      html`<span class="who">${who} </span>${side}`,
      html`<span class="shares" aria-hidden="true">${sharesOf(parts, games)}</span>`,
      ...RESULTS.map(([key]) => whole(score[key])),
      percent(score.wins + score.draws / 2, games),
    ],
  };
}

// What a game was for A.
const resultOf = ({ a, winner }) => (winner === null ? "draws" : winner === a ? "wins" : "losses");

function Games({ table, games, all, a, watch }) {
  const [kind, setKind] = useState("any");
  const [shown, setShown] = useState(AT_ONCE);
  const wanted = kind === "any" ? games : games.filter((each) => resultOf(each) === kind);
  const listed = wanted.slice(0, shown);
  const stop = listed.some(({ number }) => number === watch) ? watch : listed[0]?.number;
  const walk = (event) => {
    const links = [...event.currentTarget.querySelectorAll("a")];
    const i = links.indexOf(event.target);
    const to = placeOf(event.key, i, links.length - 1);
    if (i < 0 || to === undefined) return;
    event.preventDefault();
    links[to].focus();
  };
  const open = (number) => {
    table.note({ watch: String(number), ply: null });
    show(document.querySelector(".match-run"));
  };
  const options = [
    ["any", `All ${whole(games.length)}`],
    ...RESULTS.filter(([key]) => all[key]).map(([key, word]) => [key, `${capital(word)} ${whole(all[key])}`]),
  ];
  return html`<div class="stack match-games-part">
    <${Choice}
      legend="Watch any of the games"
      name="games-kind"
      value=${kind}
      options=${options}
      onChoose=${(next) => (setKind(next), setShown(AT_ONCE))}
    />
    <ul
      class="match-games"
      onKeyDown=${walk}
      aria-label=${`Games, by what they were for ${a}; the arrow keys walk through them`}
    >
      ${listed.map((each) => {
        const result = resultOf(each);
        const [, word, value] = RESULTS.find(([key]) => key === result);
        return html`<li key=${each.number}>
          <${Link}
            class=${`mosaic match-game value-${value}`}
            href=${table.linkTo("match", { watch: each.number, ply: null })}
            tabindex=${each.number === stop ? 0 : -1}
            aria-current=${each.number === watch ? "true" : null}
            aria-label=${`Game ${each.number}: ${word} as ${each.a} in ${each.moves.length} moves`}
            onFollow=${() => open(each.number)}
            ><${ValueIcon} value=${value} />${each.number}<//
          >
        </li>`;
      })}
    </ul>
    ${wanted.length > shown && html`<button onClick=${() => setShown(shown + AT_ONCE)}>Show more</button>`}
    <${Take}
      of="these games"
      ...${{ name: "games", title: `Games of ${a}`, head: ["game", `${a} is`, "winner", "moves"] }}
      rows=${wanted.slice(0, DRAWN).map((each) => [each.number, each.a, each.winner || "", each.moves.join(" ")])}
    />
  </div>`;
}
