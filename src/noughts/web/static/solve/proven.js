// Beyond the atlas: games that are proven, those that are only published, what is open; and playing against a proof.
import { html, useRef } from "../vendor/preact-htm.js";
import { to, useAnswer } from "../shared/server.js";
import { Icon } from "../shared/controls.js";
import { GameBoard } from "../shared/gameboard.js";
import { ValueTag } from "../shared/marks.js";
import { show } from "../shared/place.js";
import { pairsOn } from "../shared/threats.js";
import { bytes, whole } from "../shared/quantities.js";
import { Take } from "../shared/take.js";
import { Problem } from "../shared/waiting.js";
import { sentence } from "../shared/words.js";

const HEAD = ["game", "value", "standing", "within", "nodes", "seconds", "certificate_bytes", "sha256"];

export function Proven({ table, more }) {
  const { answer, problem } = useAnswer("/proven");
  const place = useRef();
  const choose = (game) => {
    table.note({ against: game, tried: null });
    show(place.current);
  };
  return html`<section class="solve-proven stack" aria-labelledby="proven-title">
    <h2 id="proven-title">Beyond: games that are proven</h2>
    <p class="note">
      Most are too large to solve, yet somebody wins, or nobody can: with a certificate that a short program checks
      (<a href="/guide/explanation/proving-a-game">how a whole game is proven</a>). Choose one below, and try to break it.
    </p>
    <div ref=${place}>${more.against && html`<${Against} ...${{ table, game: more.against, tried: more.tried || "" }} />`}</div>
    <${Problem} ...${{ problem }} />
    ${answer && html`<${Games} games=${answer.beyond} current=${more.against} onChoose=${choose} />`}
    ${
      answer &&
      html`<${Take}
        of="the proven games"
        ...${{ name: "proven", title: "Games that are proven", head: HEAD }}
        rows=${answer.beyond.map((each) => HEAD.map((key) => each[key]))}
      />`
    }
    ${answer && html`<ul class="note">${answer.open_questions.map((words) => html`<li key=${words}>${words}</li>`)}</ul>`}
  </section>`;
}

// Proven games first, each a button where its certificate is at hand; then what only others say.
function Games({ games, current, onChoose }) {
  const words = ({ value, within, remoteness }) => (value === "tie" ? "tie" : `X wins${within ? ` ${remoteness ? "in" : "within"} ${within}` : ""}`);
  const told = (each) => html`<b>${each.game}</b> <${ValueTag} value=${each.value}>${words(each)}<//>`;
  const card = (each) => {
    const { game, at_hand, certificate_bytes } = each;
    const size = html`<small>${bytes(certificate_bytes)}</small>`;
    if (!at_hand) return html`<li key=${game} class="proven-game">${told(each)} ${size}</li>`;
    return html`<li key=${game}>
      <button class="proven-game" aria-pressed=${game === current} onClick=${() => onChoose(game)}>
        <span class="sr">Play against the proof: </span>${told(each)} ${size}
      </button>
    </li>`;
  };
  const published = games.filter(({ standing }) => standing === "published");
  return html`<ul class="proven-games" aria-label="Proven here">
      ${games.filter(({ standing }) => standing === "proven").map(card)}
    </ul>
    <h3>Published, not checked here</h3>
    <ul class="stack" aria-label="Published">
      ${published.map((each) => html`<li key=${each.game}>${told(each)} <span class="note">${each.source}</span></li>`)}
    </ul>`;
}

// A game against a proof: each move is the visitor's, and the certificate answers it, with the reason.
function Against({ table, game, tried }) {
  const { answer, last, problem } = useAnswer(to("/against", { game, moves: tried }));
  const told = answer || (last?.game === game ? last : null);
  const moves = tried ? tried.split(",") : [];
  const go = (list) => table.note({ tried: list.length ? list.join() : null });
  if (!told) return html`<${Problem} ...${{ problem }} />`;
  const { board, claim, side, line, proof_moves, status, open_lines } = told;
  const you = side === "X" ? "O" : "X";
  const isOver = status !== "ongoing";
  const free = isOver ? [] : [...board.marks].flatMap((mark, cell) => (mark === "." ? [{ cell }] : []));
  const latest = proof_moves.at(-1);
  const pairs = (latest?.pair_cells || []).filter(([one, other]) => board.marks[one] === "." && board.marks[other] === ".");
  return html`<div class="against">
    <div class="stack">
      <div role="status">
        <h3>${game}: ${claim === "tie" ? `a tie, so ${you} cannot win` : claim}. You are ${you}</h3>
        <p>
          ${latest && html`<b>${side} ${latest.move}</b>: ${latest.why}. `}${sentence(told.sentence)}
        </p>
      </div>
      <${Problem} ...${{ problem }} />
      <${GameBoard}
        ...${{ board, turn: you, moves: free, layer: pairs.length ? pairsOn(pairs) : null }}
        last=${line.at(-1) || null}
        onPlay=${(move) => go([...moves, move])}
        about=${`, against the proof of ${game}`}
      />
      <div class="controls" role="group" aria-label="The game against the proof">
        <button onClick=${() => go([])} disabled=${!moves.length}><${Icon} name="first" /><span>Begin again</span></button>
        <button onClick=${() => go(moves.slice(0, -1))} disabled=${!moves.length}><${Icon} name="back" /><span>Take back</span></button>
        <button onClick=${() => table.note({ against: null, tried: null })}><span>Done</span></button>
      </div>
    </div>
    <div class="stack">
      <p class="note">${whole(open_lines)} of the lines are still open to you${pairs.length ? `; a link is a pair, of which ${side} always gets one cell` : ""}.</p>
      <ol class="against-moves" aria-label="Moves of the proof, and why they suffice">
        ${proof_moves.map(({ move, why }, i) => html`<li key=${i}><b>${side} ${move}</b> ${why}</li>`)}
      </ol>
    </div>
  </div>`;
}
