// The tree as a picture that answers to pointer and keys. It decides nothing about what is open: it only asks.
//
//   items      laid out, see model.js; size the measures of a node
//   current    the id of the node at work in the replay; live the ids on the way to it
//   elsewhere  the id of the node that gives a cut its reason
//   selected   the id of the item that is looked at; onSelect(id), onToggle(node)

import { html, useEffect, useMemo, useRef } from "../vendor/preact-htm.js";
import { IconButton } from "../shared/controls.js";
import { useRoom } from "../shared/place.js";
import { whole } from "../shared/quantities.js";
import { classes, counted } from "../shared/words.js";
import { useCamera, useGlide } from "./camera.js";
import { bottomOf, CutBadge, CutShape, itemWords, MergedShape, MoreChip, NodeShape } from "./node.js";
import { belowOf, hasMore, numberText } from "./model.js";

// Where letters have their usual size; on a wall they are larger, and all this with them.
const LEGIBLE = 0.66; // a smaller scale follows what is looked at instead of showing everything
const LARGEST = 1.25;
const MARGIN = 26;
const BESIDE = 44; // at the left, for the names of the plies: there is no tree
const letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

export function TreePicture({ items, size, isOpen, stage, moments, subject, label, onSelect, onToggle, ...looked }) {
  const { current, live, selected, elsewhere } = looked;
  const frame = useRef();
  const room = useRoom(frame);
  const asked = useRef(null); // the item that the keyboard goes to

  const byId = useMemo(() => new Map(items.map((each) => [each.item.id, each])), [items]);
  const chosen = byId.has(selected) ? selected : items[0].item.id;
  const focus = byId.get(current) || byId.get(chosen);
  const place = useMemo(() => placeFor(items, size, room, focus), [items, size, room, focus]);
  const camera = useCamera(frame, place, subject);
  const spots = useMemo(() => new Map(items.map(({ item, x, y }) => [item.id, [x, y]])), [items]);
  const at = useGlide(spots, (id) => byId.get(id)?.parent);
  const lens = useMemo(() => new Map([["camera", [camera.now.x, camera.now.y, camera.now.k]]]), [camera.now]);
  const glided = useGlide(lens, () => "camera", camera.isMine ? 1 : 260)("camera");
  const [cx, cy, k] = camera.isMine ? [camera.now.x, camera.now.y, camera.now.k] : glided;

  // Whoever moves on by keyboard sees where they are.
  useEffect(() => {
    if (asked.current !== chosen || !room) return;
    asked.current = null;
    frame.current.querySelector(`[data-id="${CSS.escape(chosen)}"]`)?.focus({ preventScroll: true });
    const { x, y } = byId.get(chosen);
    const [sx, sy] = [x * camera.now.k + camera.now.x, y * camera.now.k + camera.now.y];
    const into = (value, from, to) => (value < from ? from - value : value > to ? to - value : 0);
    const [dx, dy] = [into(sx, 70, room[0] - 70), into(sy, 40, room[1] - 40 - size.tall * camera.now.k)];
    if (dx || dy) camera.move(dx, dy);
  }, [chosen, items]);

  const select = (id) => {
    asked.current = id;
    onSelect(id);
  };
  const onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { item, parent, y } = byId.get(chosen);
    const row = items.filter((each) => each.y === y).sort((a, b) => a.x - b.x);
    const beside = (step) => row[row.findIndex((each) => each.item.id === chosen) + step]?.item.id;
    const acts = {
      ArrowUp: () => parent !== null && select(parent),
      ArrowDown: () =>
        item.children.length ? select(item.children[0].id) : item.kind === "node" && onToggle(item.node, true),
      ArrowLeft: () => beside(-1) !== undefined && select(beside(-1)),
      ArrowRight: () => beside(1) !== undefined && select(beside(1)),
      Home: () => select(items[0].item.id),
      Enter: () => item.kind === "node" && onToggle(item.node),
      " ": () => item.kind === "node" && onToggle(item.node),
      "+": () => camera.zoom(1.25),
      "=": () => camera.zoom(1.25),
      "-": () => camera.zoom(0.8),
      0: () => camera.fit(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  };
  const onClick = (event) => {
    const toggle = event.target.closest("[data-toggle]");
    const pressed = event.target.closest("[data-id]");
    if (!pressed) return;
    select(pressed.dataset.id);
    if (toggle) onToggle(byId.get(pressed.dataset.id).item.node);
  };

  const whatIs = (id) => ({
    isCurrent: id === current,
    isChosen: id === chosen,
    isSelected: id === selected,
    isElsewhere: id === elsewhere,
  });
  const beside = BESIDE * letters();
  const plies = [...new Set(items.map(({ y }) => y))];
  const bands = plyBands(plies, size, cy, k, items[0].item.node.plain.player);
  return html`<div class="tree-place">
    <div class="tree-frame" ref=${frame}>
      ${
        room &&
        html`<svg
          class="tree"
          width=${room[0]}
          height=${room[1]}
          viewBox=${`0 0 ${room[0]} ${room[1]}`}
          role="tree"
          aria-label=${label}
          onKeyDown=${onKeyDown}
          onClick=${onClick}
        >
          <${Bands}
            ...${{ bands }}
            draw=${({ name, top, height }) => html`<rect class=${name} y=${top} width=${room[0]} ...${{ height }} />`}
          />
          <clipPath id="beside-plies">
            <rect x=${(beside - cx) / k} y=${-cy / k} width=${room[0] / k} height=${room[1] / k} />
          </clipPath>
          <g transform=${`translate(${cx} ${cy}) scale(${k})`} clip-path="url(#beside-plies)">
            <g aria-hidden="true">
              ${items.map(
                (each) =>
                  each.parent !== null &&
                  html`<${Edge}
                    key=${each.item.id}
                    ...${{ each, size, stage, live }}
                    parent=${byId.get(each.parent)}
                    from=${at(each.parent)}
                    to=${at(each.item.id)}
                  />`,
              )}
            </g>
            ${items.map(
              (each) =>
                html`<${Item}
                  key=${each.item.id}
                  item=${each.item}
                  level=${plies.indexOf(each.y) + 1}
                  spot=${at(each.item.id)}
                  stage=${stage(each.item.node)}
                  moment=${moments.get(each.item.node.number)}
                  isOpen=${isOpen(each.item.node)}
                  ...${{ size, ...whatIs(each.item.id) }}
                />`,
            )}
          </g>
          <${Bands}
            ...${{ bands }}
            draw=${({ name, top, height }) => html`<text class=${name} x="10" y=${top + height / 2 + 4}>${name}</text>`}
          />
        </svg>`
      }
    </div>
    <${CameraButtons} camera=${camera} />
  </div>`;
}

function Item({ item, size, spot, stage, moment, isOpen, level, isCurrent, isChosen, isSelected, isElsewhere }) {
  const { node, kind } = item;
  const under = stage === "under way";
  const content = useMemo(() => {
    if (kind === "cut") return html`<${CutShape} node=${node} />`;
    if (kind === "merged") return html`<${MergedShape} node=${node} />`;
    const closed = !isOpen && hasMore(node) && !under;
    return html`<g>
      <${NodeShape} ...${{ node, size, moment, under }} />
      ${node.plain.move && html`<text class="move-name" y="-6">${node.plain.move}</text>`}
      ${isElsewhere && html`<text class="tag" y=${bottomOf(size, node) + (closed ? 34 : 16)}>already ${numberText(node.plain.score)}</text>`}
      ${closed && node.plain.cut && html`<${CutBadge} ...${{ node, size }} />`}
      ${closed && html`<${MoreChip} ...${{ node, size }} text=${`+${whole(belowOf(node))}`} />`}
      ${isOpen && isSelected && !under && hasMore(node) && html`<${MoreChip} ...${{ node, size }} text="–" />`}
    </g>`;
  }, [node, size, kind, under, under && moment, isOpen, isSelected, isElsewhere]);
  const looks = { "under-way": under, current: isCurrent, selected: isSelected, elsewhere: isElsewhere };
  return html`<g
    class=${classes("item", kind, node.plain.kind, looks)}
    role="treeitem"
    data-id=${item.id}
    tabindex=${isChosen ? 0 : -1}
    aria-level=${level}
    aria-selected=${String(isSelected)}
    aria-expanded=${kind === "node" && hasMore(node) ? String(isOpen) : null}
    aria-current=${isCurrent ? "step" : null}
    aria-label=${itemWords(item, under, moment)}
    transform=${`translate(${spot[0]} ${spot[1]})`}
    >${content}</g
  >`;
}

function Edge({ each: { item }, parent, size, stage, live, from, to }) {
  const above = parent.item.node;
  const [x1, y1, x2, y2] = [from[0], from[1] + bottomOf(size, above), to[0], to[1]];
  const middle = (y1 + y2) / 2;
  const isBest = item.kind === "node" && stage(above) === "done" && item.node.plain.move === above.plain.best;
  return html`<path
    class=${classes("edge", item.kind, { dashed: item.kind !== "node", best: isBest, live: live.has(item.id) })}
    d=${`M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`}
  />`;
}

// Whose turn it is, ply by ply: a band behind the tree, and its name at the left edge wherever one looks.
function plyBands(plies, size, cy, k, first) {
  return plies.map((y, ply) => ({
    name: (first === "MAX") === (ply % 2 === 0) ? "MAX" : "MIN",
    top: cy + (y - 20) * k,
    height: (size.tall + 24) * k,
  }));
}

const Bands = ({ bands, draw }) => html`<g class="plies" aria-hidden="true">${bands.map(draw)}</g>`;

const CameraButtons = ({ camera }) =>
  html`<div class="camera" role="group" aria-label="Look">
    <${IconButton} name="nearer" title="Zoom in" onClick=${() => camera.zoom(1.3)} />
    <${IconButton} name="farther" title="Zoom out" onClick=${() => camera.zoom(1 / 1.3)} />
    <${IconButton} name="fit" title="Fit" onClick=${camera.fit} />
  </div>`;

// Everything, if it can be read then; otherwise what is looked at, and what is around it.
function placeFor(items, size, room, focus) {
  if (!room) return { x: 0, y: 0, k: 1 };
  const xs = items.map(({ x }) => x);
  const [left, right] = [Math.min(...xs) - size.width / 2 - MARGIN, Math.max(...xs) + size.width / 2 + MARGIN];
  const [top, bottom] = [-MARGIN, Math.max(...items.map(({ y }) => y)) + size.tall + MARGIN];
  const larger = letters();
  const beside = BESIDE * larger;
  const across = room[0] - beside;
  const fitting = Math.min(across / (right - left), room[1] / (bottom - top), LARGEST * larger);
  const k = Math.max(fitting, LEGIBLE * larger);
  const along = (from, to, space, start, wanted) => {
    if ((to - from) * k <= space) return start + (space - (to - from) * k) / 2 - from * k;
    return Math.max(start + space - to * k, Math.min(start - from * k, start + space / 2 - wanted * k));
  };
  return {
    k,
    x: along(left, right, across, beside, focus.x),
    y: along(top, bottom, room[1], 0, focus.y + size.tall / 2),
  };
}

export const treeLabel = (nodes, score) => `The searched tree: ${counted(nodes, "node")}, score ${score}`;
