// The tree on the page: what the server sent, what was asked for later, and what of it is shown at a moment.
//
//   a node     {id, plain, parent, ply, number, children}: id is its moves from the root of the search, "c3,b2"; plain is
//              what the server says of it; number its place in the order of entry, null if it was asked for later
//   an item    what takes a place in the drawing: {id, kind: node | cut | merged, node, children}

import { hierarchy, tree as tidy } from "../vendor/d3-hierarchy.js";
import { counted } from "../shared/words.js";

const NEAR = 2; // plies from the root
const idOf = (parent, move) => (parent ? `${parent},${move}` : move);

// All nodes; `grafts` has those that were sent without children, as they were sent when they were asked for.
export function grow(root, path, grafts) {
  const [byId, byNumber] = [new Map(), []];
  const add = (first, parent, id, sent) => {
    const ply = parent ? parent.ply + 1 : 0;
    const later = first.children.length ? null : grafts.get(id);
    const plain = later || first;
    const node = { id, plain, parent, ply, number: sent ? byNumber.length : null, children: [] };
    byId.set(id, node);
    if (sent) byNumber.push(node);
    for (const child of plain.children) node.children.push(add(child, node, idOf(id, child.move), sent && !later));
    return node;
  };
  return { root: add(root, null, path, true), byId, byNumber };
}

// Is there anything below a node, here or at the server?
export const hasMore = ({ plain, children }) => children.length > 0 || plain.omitted > 0 || Boolean(plain.cut);

// How many nodes were searched below a node.
export const belowOf = ({ plain, children }) =>
  children.reduce((sum, child) => sum + child.plain.nodes, children.length ? 0 : plain.omitted);

// When each node is entered, cut and left: numbers of steps.
export function timesOf(steps) {
  const times = { enter: [], cut: [], leave: [] };
  steps.forEach(({ kind, node }, number) => times[kind] && (times[kind][node] = number));
  return times;
}

// The last step of every node until now.
export function momentsOf(steps, at) {
  const moments = new Map();
  for (let number = 0; at !== null && number <= at; number++) moments.set(steps[number].node, steps[number]);
  return moments;
}

// Is a node still to come, under way or done? What was asked for later is there when the node above it is done.
export function stageOf(node, times, at) {
  if (at === null) return "done";
  let known = node;
  while (known.number === null) known = known.parent;
  if (known !== node) return times.leave[known.number] <= at ? "done" : "to come";
  if (at < times.enter[node.number]) return "to come";
  return at < times.leave[node.number] ? "under way" : "done";
}

// The nodes that are open at first: as many whole plies as keep the tree legible.
export function firstOpen(root, most) {
  let open = new Set([root.id]);
  let ply = root.children;
  while (ply.length) {
    const more = new Set([...open, ...ply.map(({ id }) => id)]);
    if (leaves(root, more) > most) break;
    open = more;
    ply = ply.flatMap(({ children }) => children);
  }
  return open;
}

const leaves = (node, open) => {
  const pills = open.has(node.id) ? Boolean(node.plain.cut) + Object.keys(node.plain.merged).length : 0;
  const below = open.has(node.id) ? node.children : [];
  return below.reduce((sum, child) => sum + leaves(child, open), pills) || 1;
};

export const trailOf = (node) => (node ? [...trailOf(node.parent), node] : []);

// What is drawn: the nodes that are there, and below the open ones what was merged and what was cut.
export function itemsOf(node, { isOpen, stage, isCut }) {
  const children = [];
  if (isOpen(node)) {
    for (const child of node.children)
      if (stage(child) !== "to come") children.push(itemsOf(child, { isOpen, stage, isCut }));
    if (Object.keys(node.plain.merged).length) children.push(pill("merged", node));
    if (node.plain.cut && isCut(node)) children.push(pill("cut", node));
  }
  return { id: node.id, kind: "node", node, children };
}

const pill = (kind, node) => ({ id: idOf(node.id, kind), kind, node, children: [] });

// Where each item stands: {item, x, y, parent} in the order of reading.
export function layOut(root, width, height) {
  const laid = tidy()
    .nodeSize([width, height])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.2))(hierarchy(root));
  return laid.descendants().map(({ data, x, y, parent }) => ({ item: data, x, y, parent: parent && parent.data.id }));
}

// The node that gave a cut its reason: beside the way to it, the child whose score the other side already has.
export function elsewhereOf(cutNode) {
  const { cut, player } = cutNode.plain;
  const had = cut.kind === "alpha" ? cut.alpha : cut.beta;
  for (let [node, above] = [cutNode, cutNode.parent]; above; [node, above] = [above, above.parent]) {
    const before = above.children.slice(0, above.children.indexOf(node));
    const found = above.plain.player !== player && before.find(({ plain }) => plain.score === had);
    if (found) return found;
  }
  return null;
}

// What can be asked before the next step of a replay: where the search stops looking, or what a node is worth; the second only
// of nodes near the root: they come last, and say something. There the first is also asked where nothing is cut, though a window
// has changed and moves are left.
export function questionAt(tree, steps, at) {
  const next = at === null ? null : steps[at + 1];
  const node = next && tree.byNumber[next.node];
  if (!node) return null;
  const key = `${tree.root.id} ${at}`;
  const worker = tree.byNumber[steps[at].node];
  const isCut = next.kind === "cut";
  if (isCut || (next.kind === "enter" && worker.ply < NEAR && hasNarrowed(steps, at))) {
    const trail = trailOf(worker).filter(({ plain }) => plain.kind === "searched");
    const names = trail.map(({ id }) => [id, `below ${id ? id.replace(/,/g, " ") : "the root"}`]);
    const options = [...names, [null, "none now"]];
    return { key, question: "Which branch is cut next?", options, right: isCut ? node.id : null };
  }
  const scores = [...new Set([...node.children.map(({ plain }) => plain.score), node.plain.score])].sort((a, b) => a - b);
  if (next.kind !== "leave" || node.ply >= NEAR || scores.length < 2) return null;
  const name = node.parent ? `after ${node.id.replace(/,/g, " ")}` : "of the position on the board";
  const options = scores.map((score) => [score, numberText(score)]);
  return { key, question: `What is the value ${name}?`, options, right: node.plain.score };
}

// Has what a move gave just changed the window of the node above it?
function hasNarrowed(steps, at) {
  const { kind, node, alpha, beta } = steps[at];
  const before = steps.slice(0, at).findLast((step) => step.node === node);
  return kind === "back" && (before.alpha !== alpha || before.beta !== beta);
}

// Words and numbers

const MINUS = "−";
export const numberText = (number) => String(number).replace("-", MINUS);
export const alphaText = (alpha) => (alpha === null ? `${MINUS}∞` : numberText(alpha));
export const betaText = (beta) => (beta === null ? "∞" : numberText(beta));
export const SIGNS = { exact: "", upper: "≤ ", lower: "≥ " };
const BOUNDS = { exact: "", upper: "at most ", lower: "at least " };
export const scoreText = ({ score, bound }) => SIGNS[bound] + numberText(score);
export const scoreWords = ({ score, bound }) => BOUNDS[bound] + score;
export const infinities = (text) => text.replace(/-inf\b/g, `${MINUS}∞`).replace(/\binf\b/g, "∞");

// What there is to say of a node that is done.
export function nodeWords(plain, windows) {
  const { kind, player, reason, best, nodes, prunes, alpha, beta } = plain;
  const turn = kind === "searched" ? `${player} to move. ` : "";
  const score = `Score ${scoreWords(plain)}: ${reason}${best ? `, ${best}` : ""}. `;
  const took = `${counted(nodes, "node")} and ${counted(prunes, "prune")} here and below`;
  const window = windows ? `Entered with the window ${alphaText(alpha)} … ${betaText(beta)}. ` : "";
  return `${turn}${score}${window}${took}.`;
}

// And of one under way.
export const underWayWords = ({ player }, { alpha, beta, best }, windows) =>
  `${player} to move, under way. Best so far: ${best ?? "nothing"}.` +
  (windows ? ` The window is now ${alphaText(alpha)} … ${betaText(beta)}.` : "");

// "c3, c2 and b1 lead to mirror images of a3"
export function mergedWords(merged) {
  return [...Map.groupBy(Object.keys(merged), (move) => merged[move])].map(
    ([searched, moves]) =>
      `${listed(moves)} ${moves.length === 1 ? "leads to a mirror image" : "lead to mirror images"} of ${searched}: not searched`,
  );
}

const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
