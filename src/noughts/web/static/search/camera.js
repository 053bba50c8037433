// Where one looks at the tree from: it fits by itself until somebody drags, pinches, turns the wheel or zooms.
//
//   useCamera(frame, place)   place is where it stands by itself, {x, y, k}: the drawing is moved by x, y, then scaled by k
//   camera.now                where it stands; camera.zoom(factor), camera.move(dx, dy), camera.fit()

import { useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { isCalm } from "../shared/place.js";

const [NEAREST, FARTHEST] = [2.5, 0.08];
const DRAG = 5; // pixels: less is a press

const limit = (k) => Math.max(FARTHEST, Math.min(NEAREST, k));

// Scaled about a point of the frame, which stays where it is.
function scaled({ x, y, k }, factor, px, py) {
  const next = limit(k * factor);
  return { k: next, x: px - ((px - x) * next) / k, y: py - ((py - y) * next) / k };
}

export function useCamera(frame, place, subject) {
  const [mine, setMine] = useState(null);
  const now = mine || place;
  const latest = useRef(now);
  latest.current = now;
  useEffect(() => setMine(null), [subject]);

  const change = (how) => setMine((latest.current = how(latest.current)));
  const middle = () => [frame.current.clientWidth / 2, frame.current.clientHeight / 2];
  const zoom = (factor, [px, py] = middle()) => change((from) => scaled(from, factor, px, py));
  const move = (dx, dy) => change(({ x, y, k }) => ({ x: x + dx, y: y + dy, k }));

  useEffect(() => {
    const ended = new AbortController();
    listen(frame.current, zoom, move, ended.signal);
    return () => ended.abort();
  }, []);
  return { now, isMine: Boolean(mine), zoom, move, fit: () => setMine(null) };
}

function listen(element, zoom, move, signal) {
  const fingers = new Map(); // pointer -> where it was last
  let dragging = false;
  const at = (event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const spread = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const between = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

  const down = (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, at(event));
    dragging = fingers.size > 1;
  };
  const moved = (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const here = at(event);
    if (!dragging && Math.hypot(here[0] - last[0], here[1] - last[1]) < DRAG) return;
    if (!dragging) element.setPointerCapture(event.pointerId);
    dragging = true;
    const before = [...fingers.values()];
    fingers.set(event.pointerId, here);
    const after = [...fingers.values()];
    if (after.length === 2) {
      const [from, to] = [between(before), between(after)];
      zoom(spread(after) / (spread(before) || 1), to);
      move(to[0] - from[0], to[1] - from[1]);
    } else move(here[0] - last[0], here[1] - last[1]);
  };
  const up = (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) dragging = false;
  };
  // The wheel belongs to the page until somebody has pressed the tree, or holds Ctrl (as a pinch on a touchpad does).
  const wheel = (event) => {
    if (!event.ctrlKey && !element.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), at(event));
  };
  const ups = { pointerup: up, pointercancel: up, pointerleave: up };
  for (const [name, listener] of Object.entries({ pointerdown: down, pointermove: moved, ...ups, wheel }))
    element.addEventListener(name, listener, { passive: false, signal });
}

// Numbers on their way to where they should be: a Map of name -> [x, y, …]; what is new starts from `origin(name)`.
export function useGlide(target, origin, milliseconds = 260) {
  const shown = useRef(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    const from = shown.current;
    if (!from || isCalm() || document.hidden) {
      shown.current = target;
      redraw((n) => n + 1);
      return undefined;
    }
    const began = performance.now();
    let frame = requestAnimationFrame(function step(time) {
      const part = Math.min(1, Math.max(0, time - began) / milliseconds);
      const eased = 1 - (1 - part) ** 3;
      const mixed = new Map();
      for (const [name, to] of target) {
        const start = from.get(name) || from.get(origin(name)) || to;
        mixed.set(name, to.map((value, i) => start[i] + (value - start[i]) * eased));
      }
      shown.current = part < 1 ? mixed : target;
      redraw((n) => n + 1);
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);
  const now = shown.current || target;
  return (name) => now.get(name) || now.get(origin(name)) || target.get(name);
}
