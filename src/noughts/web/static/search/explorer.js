// The tree with its replay, and what is said of the node that is looked at.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import { Quiz, useQuiz } from "../shared/quiz.js";
import { ask, to } from "../shared/server.js";
import { Problem } from "../shared/waiting.js";
import { sentence } from "../shared/words.js";
import * as model from "./model.js";
import { measures } from "./node.js";
import { Caption, Counters, Gauge, rangeOf, ReplayBar, useReplay, Why } from "./replay.js";
import { TreePicture, treeLabel } from "./tree.js";

const LATER = 120; // nodes that are asked for when a node is opened
const TOLD = 250; // milliseconds until the address is told where one is

export function Explorer({ table, state, question, answer, toPlay }) {
  const { more } = state;
  const { steps } = answer;
  const path = answer.path.join();
  const [grafts, setGrafts] = useState(new Map());
  const [turned, setTurned] = useState(new Map()); // nodes that somebody opened or closed
  const [waiting, setWaiting] = useState(new Set());
  const [problem, setProblem] = useState(null);
  const { at, id, go } = usePlace(table, more, steps.length, () => replay.setPlaying(false));
  const setAt = (to) => go({ at: to });
  const [aside, setAside] = useState(false); // in a replay: is a node looked at other than the one at work?
  const tree = useMemo(() => model.grow(answer.tree.root, path, grafts), [answer, grafts]);
  const quiz = useQuiz(table, more, useMemo(() => model.questionAt(tree, steps, at), [tree, steps, at]));
  const replay = useReplay(steps, at, (to) => (setAside(false), setAt(to)), quiz);
  useEffect(() => {
    if (toPlay.current === null || toPlay.current === state.openings) return;
    if (more.step === "1") {
      setAt(0);
      replay.setPlaying(true);
    }
    toPlay.current = null;
  }, [state.openings]);

  const times = useMemo(() => model.timesOf(steps), [steps]);
  const moments = useMemo(() => model.momentsOf(steps, at), [steps, at]);
  const first = useMemo(() => model.firstOpen(tree.root, innerWidth < 700 ? 7 : 14), [answer]);
  const windows = answer.algorithm === "alphabeta"; // minimax has none
  const size = useMemo(() => measures(answer.board, windows), [answer]);

  // What is looked at: the node at work, and the selected one.
  const step = at === null ? null : steps[at];
  const worker = step && tree.byNumber[step.node];
  const live = useMemo(() => new Set(model.trailOf(worker).map(({ id }) => id)), [worker]);
  const chosen = nodeOf(tree, id);
  useWayTo(id, tree, path, waiting, (node) => expand(node));

  const expand = async (node) => {
    if (node.children.length || !node.plain.omitted || waiting.has(node.id)) return;
    setWaiting((set) => new Set(set).add(node.id));
    try {
      const depth = answer.depth ? { depth: answer.depth } : {}; // it may have been chosen by the server
      const found = await ask(to("/search", { ...question, path: node.id, keep: LATER, ...depth }));
      setGrafts((map) => new Map(map).set(node.id, found.tree.root));
      setProblem(null);
    } catch (problem) {
      setProblem(problem.message);
    }
    setWaiting((set) => new Set([...set].filter((id) => id !== node.id)));
  };
  const way = new Set(model.trailOf(chosen?.parent).map(({ id }) => id));
  const isOpen = (node) => turned.get(node.id) ?? (first.has(node.id) || live.has(node.id) || way.has(node.id));
  const stage = (node) => model.stageOf(node, times, at);
  const isCut = (node) => at === null || node.number === null || times.cut[node.number] <= at;
  const toggle = (node, only) => {
    const open = isOpen(node) && (node.children.length > 0 || Boolean(node.plain.cut));
    if (only && open) return;
    setTurned((map) => new Map(map).set(node.id, !open));
    if (!open) expand(node);
  };
  const items = useMemo(
    () => model.layOut(model.itemsOf(tree.root, { isOpen, stage, isCut }), size.width + 12, size.tall + 44),
    [tree, turned, at, id, first, size],
  );

  const told = step && !aside ? step : null;
  const focus = (told && worker) || chosen || tree.root;
  const now = told || (stage(focus) === "under way" ? moments.get(focus.number) : null);
  const all = { nodes: steps.at(-1).nodes, prunes: steps.at(-1).prunes };
  const range = useMemo(() => rangeOf([...tree.byId.values()]), [tree]);
  const cutNode = told ? told.kind === "cut" && worker : !now && isPill(id, "cut") && chosen;
  const elsewhere = cutNode ? model.elsewhereOf(cutNode) : null;
  const { alpha, beta } = now || focus.plain.cut || focus.plain;
  return html`<section class="card explorer" aria-label="The searched tree">
    <div class="spread">
      <${Trail} ...${{ path, onOpen: (branch) => table.note({ branch, node: null, step: null }) }} />
      <${Counters} now=${step || all} all=${all} whole=${path ? answer : null} />
    </div>
    ${answer.note && html`<p class="note search-note">${sentence(answer.note)}</p>`}
    <${TreePicture}
      ...${{ items, size, live, isOpen, stage, moments }}
      elsewhere=${elsewhere ? elsewhere.id : null}
      current=${worker ? worker.id : null}
      selected=${id}
      onSelect=${(id) => (replay.setPlaying(false), setAside(true), go({ id }))}
      onToggle=${toggle}
      subject=${answer}
      label=${treeLabel(answer.tree.nodes, answer.tree.root.score)}
    />
    <${ReplayBar} ...${{ replay, at, quiz }} onEnd=${() => (setAside(false), setAt(null))} />
    <div class="told">
      <div class="told-words">
        <${Quiz} quiz=${quiz} />
        ${
          told
            ? html`<${Caption} step=${step} node=${worker} number=${at} of=${steps.length} playing=${replay.playing} />`
            : html`<${About}
                ...${{ table, node: focus, now, windows, path, isRoot: focus === tree.root }}
                pill=${id}
                waiting=${waiting}
              />`
        }
        <${Problem} problem=${problem} />
      </div>
      ${windows && html`<${Gauge} ...${{ alpha, beta, range }} asks=${Boolean(quiz.pending)} best=${now ? now.best : focus.plain.score} />`}
    </div>
  </section>`;
}

const isPill = (id, kind) => id === kind || Boolean(id?.endsWith(`,${kind}`));
const nodeOf = (tree, id) =>
  id === null ? null : tree.byId.get(id) || tree.byId.get(id.replace(/,?(cut|merged)$/, "")) || null;

// Where the replay stands and which node is looked at: the address says it first, and is told a little later, for a replay
// has many steps a second. Whatever else changes the address, a link or the history, is followed, and forgets what was
// still to be told.
function usePlace(table, { step, node }, count, onLed) {
  const number = /^\d+$/.test(step || "") ? Math.max(0, Math.min(Number(step), count) - 1) : null;
  const read = () => ({ at: number, id: node ?? null });
  const [place, setPlace] = useState(read);
  const told = useRef({ step, node });
  const coming = useRef({});
  useEffect(() => () => clearTimeout(coming.current.timer), []);
  useEffect(() => {
    if (told.current.step === step && told.current.node === node) return;
    clearTimeout(coming.current.timer);
    coming.current = {};
    told.current = { step, node };
    setPlace(read());
    onLed();
  }, [step, node]);
  const go = (change) => {
    setPlace((now) => ({ ...now, ...change }));
    const { timer, ...before } = coming.current;
    clearTimeout(timer);
    const all = { ...before, ...change };
    const tell = () => {
      const more = {};
      if ("at" in all) more.step = all.at === null ? null : String(all.at + 1);
      if ("id" in all) more.node = all.id;
      coming.current = {};
      for (const name of Object.keys(more)) told.current[name] = more[name] ?? undefined;
      table.note(more);
    };
    coming.current = { ...all, timer: setTimeout(tell, TOLD) };
  };
  return { ...place, go };
}

// A link may lead to a node far below: ask for what lies on the way, one node after the other.
function useWayTo(id, tree, path, waiting, expand) {
  useEffect(() => {
    if (id === null || waiting.size || nodeOf(tree, id)) return;
    let deepest = tree.root;
    for (const move of id.slice(path ? path.length + 1 : 0).split(",")) {
      const next = deepest.children.find(({ plain }) => plain.move === move);
      if (!next) break;
      deepest = next;
    }
    expand(deepest);
  }, [id, tree, waiting]);
}

function Trail({ path, onOpen }) {
  if (!path) return html`<h2 class="row trail">The tree</h2>`;
  const moves = path.split(",");
  return html`<nav class="row trail" aria-label="The branch">
    <button class="link" onClick=${() => onOpen(null)}>The tree</button>
    ${moves.map(
      (move, i) =>
        html`<span key=${i} aria-hidden="true">›</span>${
            i === moves.length - 1
              ? html`<b aria-current="true">${move}</b>`
              : html`<button class="link" onClick=${() => onOpen(moves.slice(0, i + 1).join())}>${move}</button>`
          }`,
    )}
  </nav>`;
}

// The selected node in words.
function About({ table, node, now, windows, pill, path, isRoot, waiting }) {
  const { plain } = node;
  if (isPill(pill, "cut") && plain.cut && !now)
    return html`<div class="caption cut" aria-live="polite">
      <p class="caption-text"><${Why} why=${plain.cut.why} /></p>
    </div>`;
  if (isPill(pill, "merged"))
    return html`<div class="caption" aria-live="polite">
      ${model.mergedWords(plain.merged).map((words) => html`<p class="caption-text" key=${words}>${sentence(words)}</p>`)}
    </div>`;
  return html`<div class="caption" aria-live="polite">
    <p class="caption-head">
      <b>${isRoot && !path ? "The position on the board" : `After ${node.id.replace(/,/g, " ")}`}</b>
    </p>
    <p class="caption-text">${now ? model.underWayWords(plain, now, windows) : model.nodeWords(plain, windows)}</p>
    ${plain.cut && !now && html`<p class="caption-text"><${Why} why=${plain.cut.why} /></p>`}
    ${
      !isRoot &&
      html`<div class="row">
        ${plain.kind === "searched" && html`<button onClick=${() => table.note({ branch: node.id, node: null, step: null })}>This branch alone</button>`}
        <button
          onClick=${() => table.open({ position: plain.position, view: "search", more: { ...table.state.more, branch: "", node: "", step: "" } })}
        >
          Put it on the board
        </button>
      </div>`
    }
    ${
      isRoot &&
      plain.kind === "searched" &&
      html`<p class="note">Press a node or a pair of scissors to read about it; ▶ shows how the search went.</p>
        <p class="note keys">In the tree the arrow keys walk and Enter opens; outside it Space plays.</p>`
    }
    <p class="note" role="status">${waiting.size ? "Asking for what lies below …" : ""}</p>
  </div>`;
}
