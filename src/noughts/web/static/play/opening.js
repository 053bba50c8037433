// Swap and swap2: one lays the first three marks, X O X, the other takes a side. Meanwhile both sides are the person's.
//
//   in the address: opening, the rule; first, who lays the marks ("you" or "them"); against, the opponent; two, if two more
//   marks are laid; seated, the side that the person has in the end

import { html, useEffect } from "../vendor/preact-htm.js";
import { PERSON } from "../shared/address.js";
import { Card } from "../shared/card.js";
import { ask, to } from "../shared/server.js";

export const OPENINGS = [
  ["free", "Free", "X begins"],
  ["swap", "Swap", "One lays three marks, the other takes a side"],
  ["swap2", "Swap2", "The same, but the other may also lay two more and leave the choice to the first"],
];
const LAID = 3;
const MORE = 2;

export const seats = (mark, against) => (mark === "X" ? { x: PERSON, o: against } : { x: against, o: PERSON });
const others = { X: "O", O: "X" };
const named = (player) => player.replace(/-/g, " ").replace(/^./, (letter) => letter.toUpperCase());

export function OpeningCard({ table, state }) {
  const { more, moves, at, game, openings, seed } = state;
  const { opening, first, against, two, seated } = more;
  const isNew = moves.length === 0;
  const needed = two ? LAID + MORE : LAID;
  const isLaid = moves.length === needed && at === needed;
  const theyTake = !seated && isLaid && (first === "you" || two);
  const sit = (mark) => {
    table.note({ seated: mark });
    return table.seat(seats(mark, against));
  };
  useEffect(() => {
    if (!isNew) return;
    if (seated) table.open({ game, x: PERSON, o: PERSON, seed, view: "play", more: { opening, first, against } }, "replace"); // a new game begins with an opening, too
    else if (first === "them") layThree();
  }, [openings, isNew, Boolean(seated), first]);
  useEffect(() => {
    if (theyTake) takeSide();
  }, [theyTake]);
  const playedOn = !seated && !two && first === "them" && moves.length > LAID; // whoever moves has taken O
  useEffect(() => {
    if (playedOn) sit("O");
  }, [playedOn]);
  const problem = (refused) => table.set({ problem: refused.message });
  const layThree = () =>
    ask(to("/opening", { game, seed })).then(
      ({ moves: laid }) => table.state.openings === openings && table.open({ game, moves: laid, x: PERSON, o: PERSON, seed, view: "play", more }, "replace"),
      problem,
    );
  const takeSide = () => ask(to("/side", { position: table.position })).then(({ takes }) => sit(others[takes]), problem);
  const who = named(against);
  if (seated)
    return html`<${Card} title=${named(opening)} kind="opening-card">
      <p class="note" role="status">${first === "you" || two ? `${who} took ${others[seated]}: you are ${seated}.` : `You took ${seated}.`}</p>
    <//>`;
  const youChoose = first === "them" && isLaid && !two;
  return html`<${Card} title=${named(opening)} kind="opening-card">
    ${
      youChoose
        ? html`<p role="status">${who} has laid three marks. Which side do you take?</p>
            <div class="row">
              <button class="primary" onClick=${() => sit("X")}>Take X</button>
              <button class="primary" onClick=${() => sit("O")}>Take O, and move</button>
              ${opening === "swap2" && html`<button onClick=${() => table.note({ two: "1" })}>Lay two more</button>`}
            </div>`
        : html`<p role="status">
            ${theyTake ? `${who} is taking a side …` : first === "them" && isNew ? `${who} is laying three marks …` : `Lay ${two ? "two more marks, O and X" : "three marks, X, O and X"}; then ${who} takes the side that it likes.`}
          </p>`
    }
  <//>`;
}
