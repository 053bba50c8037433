// The board: a grid drawn with SVG. It knows no rules: which cells may be played and what stands on them is given.
//
//   board      rows, columns, marks, column_labels, row_labels (from the server); with gravity it is drawn as a rack
//   notes      for each cell what else is shown there: {value, remoteness, best, hint, last, role}
//   lines      completed lines, as lists of cells
//   playable   the set of cells that answer to a click or Enter; onPlay(cell); verb what that is called
//   drops      on a rack that is played on, its columns (see rack.js): a press anywhere in one is onDrop(column)
//   turn       the mark that would be played
//   describe   what a screen reader says of a cell
//   layer      what else is drawn over the cells: a function of {size, columns}

import { Component, html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { letterOf, useLetters } from "./keys.js";
import { centresOf, latticeOf, MarkShape, ValueShape, valueText } from "./marks.js";
import { useRoom } from "./place.js";
import { Columns, Fallen, FocusRing, Ghost, HEAD, PAD, Panel, Spots, useAimed } from "./rack.js";
import { confirmsTaps } from "./taps.js";
import { classes } from "./words.js";

const LARGEST = 250; // a cell's side in pixels
const FINGER = 32; // on smaller cells, as they are seen, a finger only aims
const MANY = 12; // marks that come at once are simply there; fewer are drawn as a hand would
const FEW = 2; // of those that fall

const NONE = [];

export const cellNames = ({ rows, columns, column_labels, row_labels }) =>
  Array.from(
    { length: rows * columns },
    (_, cell) => column_labels[cell % columns] + row_labels[Math.floor(cell / columns)],
  );

export function Board(props) {
  const { board, notes, lines, playable, onPlay, drops, onDrop, turn, verb = "Play", describe, label, busy, layer } = props;
  const { rows, columns, marks, gravity } = board;
  const frame = useRef();
  const [focus, setFocus] = useState(0);
  const [aim, setAim] = useState(null); // the cell that a finger chose, until it is confirmed
  const isFinger = useRef(false);
  const placeOf = (cell) => (drops ? `[data-column="${cell % columns}"]` : `[data-cell="${cell}"]`); // of the focus

  const margin = rows > 9 ? 24 : 20; // for the labels
  const [pad, head] = [gravity ? PAD : 0, gravity && onPlay ? HEAD : 0]; // of a rack: around its cells, and over them
  const measured = useRoom(frame, [rows, columns]);
  const size = measured ? sizeFor(measured, rows + head, columns, margin + 2 * pad) : 0; // of a cell
  useEffect(() => setAim(null), [marks]);
  useEffect(() => setFocus(Math.floor(rows / 2) * columns + Math.floor(columns / 2)), [rows, columns]);

  const still = useManyAtOnce(size ? marks : "", gravity ? FEW : MANY);
  const width = columns * size + margin + 2 * pad;
  const height = (rows + head) * size + margin + 2 * pad;
  const corner = `${-margin - pad} ${-head * size - pad}`;

  const move = (cell, options) => {
    setFocus(cell);
    frame.current.querySelector(placeOf(cell))?.focus(options);
  };
  const press = (cell) => {
    if (drops) onDrop(cell % columns);
    else if (playable.has(cell)) onPlay(cell);
  };
  const letters = drops ? board.column_labels : NONE;
  const dropByLetter = (column) => {
    setFocus(column);
    onDrop(column);
  };
  useLetters(letters, dropByLetter);
  const [aimed, aims] = useAimed(columns, focus % columns);
  const onKeyDown = (event) => {
    const target = keyTarget(event, Math.min(focus, marks.length - 1), rows, columns);
    const letter = letterOf(event, letters);
    if (letter !== null) {
      event.preventDefault();
      move(letter);
      onDrop(letter);
    } else if (target !== null) {
      event.preventDefault();
      event.stopPropagation();
      move(target);
    } else if ((event.key === "Enter" || event.key === " ") && !event.repeat) {
      event.preventDefault();
      press(focus);
    }
  };
  const onClick = (event) => {
    const { cell: pressed, column } = event.target.closest("[data-cell], [data-column]")?.dataset || {};
    const cell = Number(pressed ?? column); // a column has the number of its highest cell
    if (Number.isNaN(cell)) return;
    if (drops) move(cell, { preventScroll: true });
    setFocus(cell);
    const to = drops ? drops[cell % columns].cell : cell;
    const isSmall = size * (globalThis.visualViewport?.scale ?? 1) < FINGER;
    if (isFinger.current && isSmall && to !== null && to !== aim && confirmsTaps()) return setAim(to);
    setAim(null);
    press(cell);
  };
  const confirm = () => {
    move(aim, { preventScroll: true });
    setAim(null);
    press(aim);
  };

  const inLine = new Set((lines || []).flat());
  const drawn = (kind) =>
    html`<g aria-hidden="true">
      ${(lines || []).map((line) => html`<${WinningLine} key=${line.join()} ...${{ kind, line, size, columns }} mark=${marks[line[0]]} />`)}
    </g>`;
  const cells = (row) => Array.from({ length: columns }, (_, column) => row * columns + column);
  const room = { "--rows": rows + head, "--columns": columns, "--labels": `${margin + 2 * pad}px`, "--largest": `${LARGEST}px` };
  const header = drops ? 1 : 0; // a row of the grid over the others
  const shape = { rows, columns, size };
  return html`<div class="board-frame" ref=${frame} style=${room}>
    ${
      size > 0 &&
      html`<svg
        class=${classes("board", { busy, rack: gravity, drops })}
        width=${width}
        height=${height}
        viewBox=${`${corner} ${width} ${height}`}
        role="grid"
        aria-label=${label}
        aria-rowcount=${rows + header}
        aria-colcount=${columns}
        onKeyDown=${onKeyDown}
        onPointerDown=${({ pointerType }) => void (isFinger.current = pointerType === "touch")}
        onClick=${onClick}
        ...${drops ? aims : {}}
      >
        ${!gravity && drawn("band")} ${gravity && html`<rect class="depth" width=${columns * size} height=${rows * size} />`}
        ${!gravity && playable.has(aim) && html`<${Crosshair} cell=${aim} ...${shape} />`}
        ${drops && html`<${Columns} ...${{ drops, size }} focus=${focus % columns} />`}
        <${Lattice} ...${{ board, size, margin, pad }} />
        ${Array.from(
          { length: rows },
          (_, row) =>
            html`<g role="row" aria-rowindex=${row + 1 + header} key=${row}>
              ${cells(row).map(
                (cell) =>
                  html`<${Cell}
                    key=${cell}
                    ...${{ cell, size, columns, gravity }}
                    mark=${marks[cell]}
                    still=${still}
                    ...${notes?.get(cell)}
                    canPlay=${drops ? drops[cell % columns].cell !== null : playable.has(cell)}
                    line=${inLine.size ? (inLine.has(cell) ? "in-line" : "faded") : ""}
                    focusable=${!drops}
                    isFocus=${cell === Math.min(focus, marks.length - 1)}
                    words=${describe(cell)}
                  />`,
              )}
            </g>`,
        )}
        ${drops && aim === null && html`<${Ghost} drop=${drops[aimed]} ...${{ turn, columns, size }} />`}
        ${gravity && html`<${Panel} ...${shape} /><${Spots} ...${{ notes, inLine, columns, size }} />`}
        ${gravity && playable.has(aim) && html`<${Crosshair} cell=${aim} ...${shape} />`}
        ${gravity && html`<${FocusRing} cell=${Math.min(focus, marks.length - 1)} byColumns=${Boolean(drops)} ...${shape} />`} ${layer?.({ size, columns })} ${drawn("line")}
      </svg>`
    }
    <${Aim} name=${playable.has(aim) ? cellNames(board)[aim] : null} ...${{ verb, confirm }} cancel=${() => setAim(null)} />
  </div>`;
}

// What a finger aims at is said, and played by a button that no finger misses, or by a second tap.
function Aim({ name, verb, confirm, cancel }) {
  return html`<p class="sr" role="status">${name && `${name}: tap again to confirm`}</p>
    ${
      name &&
      html`<div class="aim" role="group" aria-label="Confirm the tap">
        <button class="primary" onClick=${confirm}>${verb} ${name}</button>
        <button onClick=${cancel}>Cancel</button>
      </div>`
    }`;
}

function Crosshair({ cell, size, rows, columns }) {
  const [x, y] = [(cell % columns) * size, Math.floor(cell / columns) * size];
  return html`<g class="crosshair" aria-hidden="true">
    <rect y=${y} width=${columns * size} height=${size} />
    <rect x=${x} width=${size} height=${rows * size} />
    <rect class="aimed" x=${x} y=${y} width=${size} height=${size} />
  </g>`;
}

// Drawn again only where something has changed: of a thousand cells a step concerns a few.
class Cell extends Component {
  shouldComponentUpdate(next) {
    return Object.keys({ ...this.props, ...next }).some((name) => name !== "still" && this.props[name] !== next[name]);
  }

  render(props) {
    const { cell, size, columns, gravity, mark, canPlay, line, focusable, isFocus, words } = props;
    const { value, hint, last, best, role } = props;
    const [x, y] = centresOf(columns, size)(cell);
    const inset = size * (size > 60 ? 0.06 : 0.04);
    const side = size - 2 * inset;
    const valued = value && value !== "unknown" && `value-${value}`;
    const row = Math.floor(cell / columns);
    return html`<g
      class=${classes("cell", { "can-play": canPlay, hint, last, best }, role && `role-${role}`, line, valued)}
      role="gridcell"
      aria-colindex=${(cell % columns) + 1}
      tabindex=${focusable ? (isFocus ? 0 : -1) : null}
      aria-label=${words}
      aria-disabled=${canPlay || !focusable ? null : "true"}
      data-cell=${cell}
      transform=${`translate(${x} ${y})`}
    >
      <rect class="hit" x=${-size / 2} y=${-size / 2} width=${size} height=${size} />
      ${!gravity && html`<rect class="ground" x=${-side / 2} y=${-side / 2} width=${side} height=${side} rx=${Math.min(12, size * 0.14)} />`}
      ${mark !== "." && html`<${gravity ? Fallen : Mark} key=${mark} ...${{ mark, size, row }} still=${props.still} />`}
      ${mark === "." && !gravity && value && html`<${ValueLabel} ...${{ size, value }} remoteness=${props.remoteness} />`}
      ${mark === "." && !gravity && hint && !value && html`<circle class="hint-dot" r=${Math.max(3, size * 0.09)} />`}
    </g>`;
  }
}

// A mark that came still stays so.
function Mark({ mark, size, still }) {
  const came = useRef(still);
  return html`<${MarkShape} ...${{ mark, size }} still=${came.current} />`;
}

// Have more marks come since the last look than somebody could have played?
function useManyAtOnce(marks, many) {
  const before = useRef("");
  const came = [...marks].filter((mark, cell) => mark !== "." && mark !== before.current[cell]).length;
  useEffect(() => void (before.current = marks), [marks]);
  return came > many;
}

// As much as fits: shape over text, shape beside number, or the shape alone.
function ValueLabel({ value, remoteness, size }) {
  if (value === "unknown") return html`<circle class="unknown-dot" r=${Math.max(1.2, size * 0.025)} />`;
  if (size >= 66) {
    const font = Math.min(26, size * 0.165);
    return html`<g class="value-label">
      <g transform=${`translate(0 ${-font * 0.8})`}><${ValueShape} value=${value} size=${font * 1.15} /></g>
      <text y=${font * 1.02} font-size=${font}>${valueText(value, remoteness)}</text>
    </g>`;
  }
  if (size >= 34) {
    const font = size * 0.36;
    return html`<g class="value-label">
      <g transform=${`translate(${-font * 0.55} 0)`}><${ValueShape} value=${value} size=${font} /></g>
      <text x=${font * 0.55} y=${font * 0.36} font-size=${font}>${remoteness ?? ""}</text>
    </g>`;
  }
  return html`<g class="value-label"><${ValueShape} value=${value} size=${size * 0.55} /></g>`;
}

// The lines between cells, and the labels along two sides.
function Lattice({ board, size, margin, pad }) {
  const { rows, columns, column_labels, row_labels, gravity } = board;
  const width = columns * size;
  const height = rows * size;
  const framed = rows === 1 || columns === 1 || Math.max(rows, columns) > 5;
  const path = latticeOf(rows, columns, size) + (framed ? `M0 0H${width}V${height}H0Z` : "");
  const font = Math.min(13, Math.max(9, size * 0.36));
  const nth = Math.ceil((font * 1.3) / size); // where cells are narrower than a label, some have none
  const label = (text, at, x, y) => at % nth === 0 && html`<text key=${text} x=${x} y=${y} font-size=${font}>${text}</text>`;
  return html`<g class="lattice" aria-hidden="true">
    ${!gravity && html`<path d=${path} stroke-width=${size > 90 ? 3 : size > 50 ? 2 : 1} />`}
    ${row_labels.map((text, row) => label(text, rows - 1 - row, -margin / 2 - 1 - pad, (row + 0.5) * size + font * 0.36))}
    ${column_labels.map((text, column) => label(text, column, (column + 0.5) * size, height + pad + margin * 0.5 + font * 0.42))}
  </g>`;
}

// Behind the marks a soft band, over them a fine line.
function WinningLine({ kind, line, size, columns, mark }) {
  const [[x1, y1], [x2, y2]] = [line[0], line.at(-1)].map(centresOf(columns, size));
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const beyond = kind === "band" ? 0.02 : 0.36;
  const [dx, dy] = [((x2 - x1) / length) * size * beyond, ((y2 - y1) / length) * size * beyond];
  return html`<path
    class=${`winning-${kind} by-${mark === "X" ? "x" : "o"}`}
    pathLength="1"
    stroke-width=${kind === "band" ? size * 0.82 : Math.max(2, size * 0.035)}
    d=${`M${x1 - dx} ${y1 - dy}L${x2 + dx} ${y2 + dy}`}
  />`;
}

// The side of a cell: as large as fits into the frame, whose size is the style sheet's affair.
function sizeFor([width, height], rows, columns, margin) {
  const fitting = Math.min((width - margin) / columns, (height - margin) / rows, LARGEST);
  return Math.max(1, Math.floor(fitting));
}

function keyTarget({ key, ctrlKey, metaKey, altKey }, cell, rows, columns) {
  if (altKey) return null;
  const row = Math.floor(cell / columns);
  const column = cell % columns;
  const all = ctrlKey || metaKey;
  const to = (r, c) => Math.max(0, Math.min(rows - 1, r)) * columns + Math.max(0, Math.min(columns - 1, c));
  const targets = {
    ArrowLeft: to(row, column - 1),
    ArrowRight: to(row, column + 1),
    ArrowUp: to(row - 1, column),
    ArrowDown: to(row + 1, column),
    Home: to(all ? 0 : row, 0),
    End: to(all ? rows - 1 : row, columns - 1),
    PageUp: to(0, column),
    PageDown: to(rows - 1, column),
  };
  return targets[key] ?? null;
}
