// The table: the game on the board, what the server says of it, and what the people at it can do.
//
//   start     the text of the first position; moves the moves since, each {move, mark, position after it}
//   at        how many of the moves are on the board (undo and the move list go back and forth)
//   x, o      who plays: "you" (a person) or the name of a player
//   openings  how many boards were opened: whoever sees it unchanged knows that the same game went on
//   analysis  of the position on the board; review the account of the whole game, lookedAt {done, total} how far that is
//   more      what the view looked at keeps beside the game, as texts: {detector: "shifts", step: "3"}
//   draft     while the position is edited: the board as it is, and why it cannot arise if so

import * as server from "./server.js";
import * as address from "./address.js";

const { PERSON } = address;
const [LARGE, FEW] = [49, 8]; // cells, moves: beyond both, the account of a game takes seconds
const STRONGEST = "level-5"; // whom a hint asks where nobody knows for sure

export class Table {
  constructor(onChange, views) {
    this.onChange = onChange;
    this.views = views; // the names of all that there are
    this.state = {
      ...{ view: this.known(address.read().view), more: {}, game: "", start: "", moves: [], at: 0, x: PERSON, o: PERSON, seed: newSeed() },
      ...{ openings: 0, analysis: null, review: null, lookedAt: null, draft: null, hint: null, thinking: null, problem: null },
    };
    this.abort = new AbortController(); // ends what is under way
    this.moving = false;
    this.opening = this.noted = false; // is a board on its way; was something noted meanwhile
    this.mores = {}; // of the views that are not looked at
    this.fresh = {}; // what becomes of `more` when the position changes
  }

  set(change) {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }

  // Who is who

  playerOf = (mark) => (mark === "X" ? this.state.x : this.state.o);
  isPerson = (mark) => this.playerOf(mark) === PERSON;

  // The mark of the only person at the table, or null if there are two.
  get you() {
    const { x, o } = this.state;
    if (x === PERSON && o === PERSON) return null;
    return x === PERSON ? "X" : o === PERSON ? "O" : null;
  }

  // Opening

  known = (view) => (this.views.includes(view) ? view : address.USUAL.view);

  async openAddress() {
    const asked = address.read();
    await this.open({ ...asked, view: this.known(asked.view) }, "keep");
  }

  // Begin with any position or game, and moves from there.
  open({ position = "", game = "3x3k3", moves = [], at = null, ...rest }, history = "push") {
    return this.run(async (signal) => {
      if (rest.view && rest.view !== this.state.view) this.mores[this.state.view] = this.state.more;
      this.opening = true;
      this.set({ ...rest, ...(position ? {} : { game }), draft: null, hint: null, problem: null });
      if (position) {
        const verdict = await legality(position, signal);
        if (!verdict.legal) {
          this.set({ draft: verdict, view: "analyse" });
          this.opened(history);
          return;
        }
      }
      const question = { game, position: position || null, moves, you: this.you };
      const review = await accountOf({ ...question, values: false }, signal); // at once; the values may take a while
      this.set({
        game: review.game,
        start: review.start,
        emptyStart: !position,
        moves: review.moves.map(({ move, turn, after }) => ({ move, mark: turn, position: after })),
        at: at ?? moves.length,
        openings: this.state.openings + 1,
        review: null,
        analysis: null,
      });
      this.opened(history);
      await this.settle(signal);
    });
  }

  // What the page of somebody else shows, by what follows the / of its address. Nobody plays by themselves here.
  async follow(shown) {
    const asked = { ...address.read(shown), x: PERSON, o: PERSON };
    asked.view = this.known(asked.view);
    const { start, game, emptyStart, analysis, view } = this.state;
    const same = analysis && (asked.position ? asked.position === start && emptyStart === false : asked.game === game && emptyStart);
    if (!same || this.state.draft) return this.open(asked, "replace");
    return this.run(async (signal) => {
      const question = { position: start, moves: asked.moves, you: null, values: false };
      const { moves } = await accountOf(question, signal);
      if (asked.view !== view) this.mores[view] = this.state.more;
      this.set({
        ...{ view: asked.view, more: asked.more, x: PERSON, o: PERSON, hint: null, problem: null, review: null },
        moves: moves.map(({ move, turn, after }) => ({ move, mark: turn, position: after })),
        at: asked.at ?? moves.length,
      });
      this.remember("replace");
      await this.settle(signal);
    });
  }

  // The new board is there: now the address can tell of it, and of what the view noted meanwhile.
  opened(history) {
    this.opening = false;
    this.remember(this.noted && history === "keep" ? "replace" : history);
    this.noted = false;
  }

  newGame(change = {}) {
    const { game, emptyStart, start, view, more } = this.state;
    const from = change.game || emptyStart !== false ? { game: change.game || game } : { position: start };
    return this.open({ ...from, view, more: noted(more, this.fresh), seed: newSeed(), ...change });
  }

  // Playing

  get position() {
    const { start, moves, at } = this.state;
    return at ? moves[at - 1].position : start;
  }

  // A press that comes while another move is on its way is not a move: the board may look different by then.
  play(move) {
    const { analysis, thinking } = this.state;
    if (!analysis || thinking || this.moving) return undefined;
    return this.run(async (signal) => {
      this.moving = true;
      try {
        this.append(analysis.turn, await server.move({ position: this.position, move }, signal));
      } finally {
        this.moving = false;
      }
      await this.settle(signal);
    });
  }

  append(mark, { move, analysis }) {
    const { moves, at, more } = this.state;
    const next = [...moves.slice(0, at), { move, mark, position: analysis.position }];
    const same = moves[at]?.move === move;
    const kept = same ? moves : next;
    const review = same ? this.state.review : null;
    this.set({ moves: kept, at: at + 1, analysis, review, hint: null, problem: null, more: noted(more, this.fresh) });
    this.remember("replace");
  }

  // Bring everything up to date: the analysis, the opponents' moves, the account.
  async settle(signal) {
    for (;;) {
      const analysis = await server.analyze(this.position, signal);
      this.set({ analysis });
      const { view, at, moves } = this.state;
      if (view !== "play" || at < moves.length || analysis.status !== "ongoing" || this.isPerson(analysis.turn)) break;
      this.set({ thinking: analysis.turn });
      const question = { position: this.position, player: this.playerOf(analysis.turn), seed: this.state.seed };
      const [answer] = await Promise.all([server.move(question, signal), pause(signal)]);
      this.set({ thinking: null });
      this.append(analysis.turn, answer);
    }
    const { view, analysis, review } = this.state;
    if (!review && (view === "analyse" || analysis.status !== "ongoing")) await this.account(signal);
  }

  async account(signal) {
    const { start, moves } = this.state;
    const question = { position: start, moves: moves.map(({ move }) => move), you: this.you };
    const { rows, columns } = this.state.analysis.board;
    const isLong = rows * columns > LARGE && moves.length > FEW;
    const review = isLong ? this.accountAsItComes(question, signal) : accountOf(question, signal);
    this.set({ review: await review, lookedAt: null });
  }

  // On a large board it takes seconds, and how far it is is told on the way.
  accountAsItComes({ moves, you, ...question }, signal) {
    const path = server.to("/review", { ...question, moves: moves.join(","), you: you || "" });
    return server.answerOf(path, (lookedAt) => signal.aborted || this.set({ lookedAt }), signal);
  }

  // Back and forth

  get undoTo() {
    const { moves, at, view } = this.state;
    for (let i = at - 1; i >= 0; i--) if (view !== "play" || this.isPerson(moves[i].mark)) return i;
    return null;
  }

  get redoTo() {
    const { moves, at, view } = this.state;
    if (at >= moves.length) return null;
    for (let i = at + 1; i < moves.length; i++) if (view !== "play" || this.isPerson(moves[i].mark)) return i;
    return moves.length;
  }

  goTo(at) {
    if (at === null || at < 0 || at > this.state.moves.length) return undefined;
    return this.run(async (signal) => {
      this.set({ at, hint: null, problem: null, more: noted(this.state.more, this.fresh) });
      this.remember("replace");
      await this.settle(signal);
    });
  }

  undo = () => this.goTo(this.undoTo);
  redo = () => this.goTo(this.redoTo);

  look(view) {
    if (view === this.state.view) return undefined;
    return this.run(async (signal) => {
      this.mores[this.state.view] = this.state.more;
      this.set({ view, more: this.mores[view] || {}, hint: null, problem: null, draft: null });
      this.remember("push");
      await this.settle(signal);
    });
  }

  // Keep something of this view in the address; null or "" forgets it.
  note(change) {
    this.set({ more: noted(this.state.more, change) });
    this.remember("replace");
  }

  // Analyse the position after so many moves.
  lookAt(at, more = {}) {
    this.set({ at });
    this.mores.analyse = more;
    return this.look("analyse");
  }

  // Other people at the table: the game goes on.
  seat(change) {
    return this.run(async (signal) => {
      this.set({ ...change, problem: null, review: null });
      this.remember("replace");
      await this.settle(signal);
    });
  }

  // A hint: the best moves where they are known, or else what the strongest player would do.
  hint() {
    const { analysis, thinking } = this.state;
    if (!analysis || analysis.status !== "ongoing" || thinking) return undefined;
    return this.run(async (signal) => {
      const { best, moves, value, story } = analysis;
      if (best.length) {
        const all = best.length === moves.length;
        const { reasons } = moves.find(({ move }) => move === best[0]);
        const must = story.filter((text) => text.includes(" must be met "));
        this.set({ hint: { moves: all ? [] : best, value, reasons, must, sure: true, all } });
        return;
      }
      this.set({ hint: { moves: [], looking: true } });
      const answer = await server.move({ position: this.position, player: STRONGEST, seed: 0 }, signal);
      this.set({ hint: { moves: [answer.move], reasons: [], sure: false } });
    });
  }

  // Editing

  edit(text, isLast = false) {
    return this.run(async (signal) => {
      const draft = await legality(text, signal);
      this.set({ draft: isLast ? null : draft, problem: null, hint: null });
      if (draft.legal) {
        this.set({ game: draft.game, start: draft.position, emptyStart: false, moves: [], at: 0, review: null });
        await this.settle(signal);
      }
      this.remember("replace");
    });
  }

  // Put a mark on a cell, or take it away: seen at once, judged when the server has answered.
  put(cell, mark) {
    const { board, game } = this.state.draft;
    const marks = board.marks.slice(0, cell) + (board.marks[cell] === mark ? "." : mark) + board.marks.slice(cell + 1);
    this.set({ draft: { ...this.state.draft, board: { ...board, marks }, isJudged: false } });
    return this.edit(textOf(game, board, marks));
  }

  startEditing = () => this.edit(this.position);

  // What was put last counts even when the server has not judged it yet.
  stopEditing() {
    const { isJudged = true, game, board } = this.state.draft;
    if (!isJudged) return this.edit(textOf(game, board, board.marks), true);
    this.set({ draft: null, problem: null });
    this.remember("replace");
    return undefined;
  }

  // The address

  get link() {
    return this.linkTo(this.state.view);
  }

  // To a view of the same game; `change` as in note().
  linkTo(view, change) {
    const { game, start, emptyStart, moves, at, x, o, draft } = this.state;
    const more = noted(view === this.state.view ? this.state.more : this.mores[view], change);
    if (draft && !draft.legal) return address.write({ view, position: draft.position, game, moves: [], at: 0, x, o, more });
    const names = moves.map(({ move }) => move);
    return address.write({ view, position: emptyStart === false ? start : "", game, moves: names, at, x, o, more });
  }

  remember(how) {
    if (this.opening) {
      this.noted = true; // the address must not mix this with the board that is on its way out
      return;
    }
    const { link } = this;
    if (how === "keep" || link === location.pathname + location.search) return;
    if (how === "push") history.pushState(null, "", link);
    else history.replaceState(null, "", link);
  }

  // One thing at a time: what is begun ends what was under way.
  async run(work) {
    this.abort.abort();
    this.opening = this.noted = false;
    if (this.state.thinking) this.set({ thinking: null });
    const { signal } = (this.abort = new AbortController());
    try {
      await work(signal);
    } catch (problem) {
      if (signal.aborted) return;
      this.opening = false;
      this.set({ thinking: null });
      if (!(problem instanceof server.Refused)) throw problem;
      this.refused(problem.message);
    }
  }

  // The server says no: say why, and stay with what is on the board.
  refused(problem) {
    const { analysis, game } = this.state;
    this.set({ problem, hint: null, game: analysis?.game || game });
  }
}

const noted = (more, change) =>
  Object.fromEntries(Object.entries({ ...more, ...change }).filter(([, text]) => text !== null && text !== ""));

const legality = (position, signal) => server.ask(server.to("/legality", { position }), { signal });
const accountOf = (question, signal) => server.ask("/review", { question, signal });

// The text of a board with these marks; whether it can arise is for the server to say.
function textOf(game, { rows, columns }, marks) {
  const lines = Array.from({ length: rows }, (_, row) => marks.slice(row * columns, (row + 1) * columns));
  return `${game}:${lines.join("/")}`;
}

const newSeed = () => Math.floor(Math.random() * 2 ** 32);

// An opponent who answers within a blink is hard to follow.
const pause = (signal) =>
  new Promise((done, stop) => {
    const timer = setTimeout(done, 350);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      stop(new DOMException("", "AbortError"));
    });
  });
