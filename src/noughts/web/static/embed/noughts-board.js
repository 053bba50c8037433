// <noughts-board>: a board of noughts on any page, in one file. It knows no rules: it asks the server that this file came
// from, or the one that its attribute `server` names, and draws what that says.
//
//   <script type="module" src="https:…/static/embed/noughts-board.js"></script>
//   <noughts-board position="XO./.X./..O" o="level-3" values></noughts-board>
//
//   game        4x4k4; position  where it begins; moves  b2,a1 from there
//   x, o        who plays: you (as if nothing is said) or a player such as level-3; seed makes it choose the same way again
//   values      shows what every move is worth; controls  has buttons to undo and to begin again
//   readonly    draws, and cannot be played on; label  what the board is called
//
//   .position .analysis                    what is on the board, and what the server says of it
//   .play("b2") .undo() .restart()         promises, kept when the server has answered
//   noughts-change                         an event: {position, move, status, winner, analysis}
//   noughts-problem                        an event: {message}; it is shown, too
//
// It is drawn in the colour of the text around it. Colours of its own: --noughts-ink, --noughts-grid, --noughts-x, --noughts-o, --noughts-focus.

const HOME = new URL(import.meta.url).origin;
const CELL = 20; // of the drawing
const PAGE = Math.random().toString(36).slice(2); // the server takes pages in turn
const WORDS = { win: "wins", tie: "ties", loss: "loses", unknown: "is not known" };

const STYLE = `
  :host { display: block; color: var(--noughts-ink, inherit); font: 16px/1.4 system-ui, sans-serif; }
  :host([hidden]) { display: none; }
  .frame { display: flex; flex-direction: column; align-items: center; gap: 0.5em; }
  svg { display: block; width: 100%; max-width: min(30rem, var(--noughts-width, 100%)); max-height: var(--noughts-height, 80vh); touch-action: manipulation; }
  .lattice { fill: none; stroke: var(--noughts-grid, color-mix(in srgb, currentColor 55%, transparent)); stroke-width: 0.5; }
  .mark { fill: none; stroke: var(--noughts-x, currentColor); stroke-width: 2; stroke-linecap: round; }
  .mark.O { stroke: var(--noughts-o, color-mix(in srgb, currentColor 30%, #d03d80)); }
  .line { fill: none; stroke: currentColor; stroke-width: 1; stroke-linecap: round; opacity: 0.55; }
  .last { fill: currentColor; opacity: 0.1; }
  .cell { outline: none; }
  .cell > .area { fill: transparent; stroke: none; }
  .cell[aria-disabled="false"] { cursor: pointer; }
  .cell[aria-disabled="false"]:hover > .area { fill: currentColor; fill-opacity: 0.08; }
  .cell:focus-visible > .area { stroke: var(--noughts-focus, Highlight); stroke-width: 1.2; }
  text { fill: currentColor; font-size: 4px; text-anchor: middle; dominant-baseline: central; }
  .value { font-weight: 600; font-size: 4.6px; }
  .value.best { text-decoration: underline; }
  p { margin: 0; min-height: 1.4em; text-align: center; }
  .problem { border-left: 3px solid; padding-left: 0.5em; text-align: left; }
  .buttons { display: flex; gap: 0.5em; }
  button { font: inherit; min-height: 2.5rem; padding: 0.2em 0.9em; }
  @media (forced-colors: active) {
    .lattice, .mark, .mark.O { stroke: CanvasText; }
    .cell:focus-visible > .area { stroke: Highlight; stroke-width: 2; }
    .last { fill: none; opacity: 1; stroke: CanvasText; stroke-width: 0.5; stroke-dasharray: 1 1; }
  }
  @media print { .buttons { display: none; } svg { break-inside: avoid; } }
`;
let sheet = null;

const svg = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const markOf = (mark, x, y) => {
  const r = CELL * (mark === "X" ? 0.24 : 0.27);
  const cross = `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
  const ring = `M${x} ${y - r}a${r} ${r} 0 1 0 0 ${2 * r}a${r} ${r} 0 1 0 0 ${-2 * r}`;
  return svg("path", { class: `mark ${mark}`, d: mark === "X" ? cross : ring });
};

class NoughtsBoard extends HTMLElement {
  static observedAttributes = ["server", "game", "position", "moves", "x", "o", "values", "controls", "readonly", "label"];

  #places = []; // the text of each position so far, and the move that led there
  #focus = null;
  #busy = null; // ends what is under way
  #root = this.attachShadow({ mode: "open" });
  analysis = null;

  get server() {
    return this.getAttribute("server") || HOME;
  }

  get position() {
    return this.#places.at(-1)?.position || null;
  }

  connectedCallback() {
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    if (!this.#root.firstChild) {
      const frame = Object.assign(document.createElement("div"), { className: "frame" });
      const said = Object.assign(document.createElement("p"), { textContent: "One moment …" });
      said.setAttribute("role", "status");
      frame.append(said);
      this.#root.append(frame);
    }
    this.restart();
  }

  disconnectedCallback() {
    this.#busy?.abort();
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    if (["values", "controls", "readonly", "label"].includes(name)) this.#draw();
    else this.restart();
  }

  // What is asked

  async #ask(path, question) {
    const { signal } = this.#busy;
    const headers = { "x-page": PAGE, ...(question && { "content-type": "application/json" }) };
    const options = { signal, headers, ...(question && { method: "POST", body: JSON.stringify(question) }) };
    for (;;) {
      const response = await fetch(`${this.server}/api/v1${path}`, options);
      const later = Number(response.headers.get("retry-after"));
      const answer = await response.json();
      if (response.ok) return answer;
      if (!later) throw new Error(answer.detail || `the server answered with ${response.status}`);
      await new Promise((done) => setTimeout(done, later * 1000));
    }
  }

  // One thing at a time: what is begun ends what was under way.
  async #run(work) {
    this.#busy?.abort();
    const { signal } = (this.#busy = new AbortController());
    try {
      await work();
    } catch (problem) {
      if (signal.aborted) return;
      const message = problem instanceof TypeError ? `${this.server} does not answer, or not to this page.` : problem.message;
      this.#draw(message);
      this.dispatchEvent(new CustomEvent("noughts-problem", { bubbles: true, composed: true, detail: { message } }));
    }
  }

  restart() {
    return this.#run(async () => {
      const moves = (this.getAttribute("moves") || "").split(",").filter(Boolean);
      const position = this.getAttribute("position");
      const game = this.getAttribute("game") || "3x3k3";
      const told = await this.#ask("/review", { ...(position ? { position } : { game }), moves, values: false });
      this.#places = [{ position: told.start }, ...told.moves.map(({ move, after }) => ({ move, position: after }))];
      await this.#settle();
    });
  }

  undo() {
    const isYours = (mark) => (this.getAttribute(mark.toLowerCase()) || "you") === "you";
    return this.#run(async () => {
      do {
        if (this.#places.length > 1) this.#places.pop();
        this.analysis = await this.#ask(`/analyze?${new URLSearchParams({ position: this.position })}`);
      } while (this.#places.length > 1 && !isYours(this.analysis.turn));
      await this.#settle();
    });
  }

  play(move) {
    return this.#run(async () => {
      this.#made(await this.#ask("/move", { position: this.position, move }));
      await this.#settle();
    });
  }

  #made({ move, analysis }) {
    this.#places.push({ move, position: analysis.position });
    this.analysis = analysis;
    this.#draw();
    const { position, status, winner } = analysis;
    const detail = { position, move, status, winner, analysis };
    this.dispatchEvent(new CustomEvent("noughts-change", { bubbles: true, composed: true, detail }));
  }

  // Whoever is not a person moves.
  async #settle() {
    if (this.analysis?.position !== this.position) {
      this.analysis = await this.#ask(`/analyze?${new URLSearchParams({ position: this.position })}`);
    }
    this.#draw();
    const player = this.getAttribute(this.analysis.turn.toLowerCase()) || "you";
    if (this.analysis.status !== "ongoing" || player === "you" || this.hasAttribute("readonly")) return;
    const seed = Number(this.getAttribute("seed")) || Math.floor(Math.random() * 2 ** 32);
    this.#made(await this.#ask("/move", { position: this.position, player, seed }));
    await this.#settle();
  }

  // What is drawn

  get #isYours() {
    const { analysis } = this;
    const player = analysis && (this.getAttribute(analysis.turn.toLowerCase()) || "you");
    return Boolean(analysis) && analysis.status === "ongoing" && player === "you" && !this.hasAttribute("readonly");
  }

  // The move that a press on a cell makes: where marks fall, any cell of a column.
  #moveAt(cell) {
    const { board, moves } = this.analysis;
    const same = (move) => (board.gravity ? move.cell % board.columns === cell % board.columns : move.cell === cell);
    return moves.find(same);
  }

  #draw(problem = null) {
    const { analysis } = this;
    const frame = this.#root.firstChild;
    if (!frame) return;
    const had = this.#root.activeElement?.dataset.cell;
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    if (problem) said.className = "problem";
    said.textContent = problem || this.#sentence(analysis);
    frame.replaceChildren(...(analysis ? [this.#grid(analysis)] : []), said, ...this.#buttons());
    if (had !== undefined) this.#cell(had)?.focus({ preventScroll: true });
  }

  #sentence({ status, winner, turn }) {
    if (winner) return `${winner} has won.`;
    return status === "draw" ? "A draw." : this.#isYours ? `${turn} to move.` : `${turn} is to move …`;
  }

  #cell = (number) => this.#root.querySelector(`[data-cell="${number}"]`);

  #grid({ board, moves, best, winning_lines: lines }) {
    const { rows, columns, marks, column_labels: letters, row_labels: numbers } = board;
    const centre = (cell) => [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];
    const name = (cell) => letters[cell % columns] + numbers[Math.floor(cell / columns)];
    const cellOf = new Map(Array.from(marks, (_, cell) => [name(cell), cell]));
    let lattice = "";
    for (let c = 1; c < columns; c++) lattice += `M${c * CELL} 0V${rows * CELL}`;
    for (let r = 1; r < rows; r++) lattice += `M0 ${r * CELL}H${columns * CELL}`;
    const worth = new Map(this.hasAttribute("values") ? moves.map((move) => [move.cell, move]) : []);
    const playable = this.#isYours ? marks.split("").map((_, cell) => Boolean(this.#moveAt(cell))) : [];
    this.#focus = Math.min(this.#focus ?? Math.floor(marks.length / 2), marks.length - 1);
    const last = cellOf.get(this.#places.at(-1)?.move);
    const drawn = Array.from({ length: rows }, (_, row) =>
      svg(
        "g",
        { role: "row" },
        ...Array.from({ length: columns }, (_, column) => {
          const cell = row * columns + column;
          const [x, y] = centre(cell);
          const move = worth.get(cell);
          const value = move && `${WORDS[move.value]}${move.remoteness === null ? "" : ` in ${move.remoteness}`}`;
          const words = [name(cell), marks[cell] === "." ? "empty" : marks[cell], value, cell === last && "last move"];
          const place = svg("g", {
            ...{ class: "cell", role: "gridcell", "data-cell": cell, tabindex: cell === this.#focus ? 0 : -1 },
            ...{ "aria-label": words.filter(Boolean).join(", "), "aria-disabled": String(!playable[cell]) },
          });
          const corner = { x: column * CELL + 0.8, y: row * CELL + 0.8, width: CELL - 1.6, height: CELL - 1.6, rx: 2 };
          if (cell === last) place.append(svg("rect", { class: "last", ...corner }));
          place.append(svg("rect", { class: "area", ...corner }));
          if (marks[cell] !== ".") place.append(markOf(marks[cell], x, y));
          else if (move && move.value !== "unknown") {
            const text = svg("text", { class: `value${best.includes(move.move) ? " best" : ""}`, x, y });
            text.textContent = `${move.value} ${move.remoteness ?? ""}`.trim();
            place.append(text);
          }
          return place;
        }),
      ),
    );
    const labels = [
      ...letters.map((letter, column) => [letter, (column + 0.5) * CELL, rows * CELL + 3.5]),
      ...numbers.map((number, row) => [number, -3.5, (row + 0.5) * CELL]),
    ].map(([text, x, y]) => Object.assign(svg("text", { x, y, "aria-hidden": "true" }), { textContent: text }));
    const through = lines.map((line) => {
      const [from, to] = [line[0], line.at(-1)].map((each) => centre(cellOf.get(each)));
      return svg("path", { class: "line", d: `M${from}L${to}`, "aria-hidden": "true" });
    });
    const grid = svg(
      "svg",
      {
        ...{ role: "grid", viewBox: `-7 -1 ${columns * CELL + 8} ${rows * CELL + 8}` },
        "aria-label": this.getAttribute("label") || `Board of ${rows} rows and ${columns} columns`,
      },
      svg("path", { class: "lattice", d: lattice, "aria-hidden": "true" }),
      ...labels,
      ...drawn,
      ...through,
    );
    grid.addEventListener("click", ({ target }) => this.#press(target.closest("[data-cell]")));
    grid.addEventListener("keydown", (event) => this.#key(event, rows, columns));
    return grid;
  }

  #press(place) {
    if (!place) return;
    this.#focus = Number(place.dataset.cell);
    const move = this.#isYours && this.#moveAt(this.#focus);
    if (move) this.play(move.move);
  }

  #key(event, rows, columns) {
    const at = Number(event.target.closest("[data-cell]").dataset.cell); // a screen reader may have led there
    const [row, column] = [Math.floor(at / columns), at % columns];
    const to = {
      ArrowLeft: column > 0 ? at - 1 : at,
      ArrowRight: column < columns - 1 ? at + 1 : at,
      ArrowUp: row > 0 ? at - columns : at,
      ArrowDown: row < rows - 1 ? at + columns : at,
      Home: row * columns,
      End: row * columns + columns - 1,
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (to !== undefined) {
      this.#cell(at).setAttribute("tabindex", -1);
      this.#focus = to;
      this.#cell(to).setAttribute("tabindex", 0);
      this.#cell(to).focus();
    } else if (event.key === "Enter" || event.key === " ") this.#press(this.#cell(at));
    else return;
    event.preventDefault();
  }

  #buttons() {
    if (!this.hasAttribute("controls")) return [];
    const buttons = Object.assign(document.createElement("div"), { className: "buttons" });
    const button = (textContent, onclick, disabled) =>
      Object.assign(document.createElement("button"), { type: "button", textContent, onclick, disabled });
    buttons.append(
      button("Undo", () => this.undo(), this.#places.length < 2),
      button("New game", () => this.restart(), false),
    );
    return [buttons];
  }
}

if (!customElements.get("noughts-board")) customElements.define("noughts-board", NoughtsBoard);
