// What should be in sight, and where things have room.
import { useEffect, useLayoutEffect, useState } from "../vendor/preact-htm.js";

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Bring what has just begun into sight, where it is not: on a phone it stands below the settings.
export function show(element) {
  if (!element) return;
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.6)
    element.scrollIntoView({ block: "start", behavior: isCalm() ? "auto" : "smooth" });
}

// In a row or a column that scrolls, what the selector finds comes to the middle.
export function bringInSight(box, selector) {
  const found = box.querySelector(selector);
  if (!found) return;
  const [from, to] = [box.getBoundingClientRect(), found.getBoundingClientRect()];
  box.scrollLeft += to.left + to.width / 2 - from.left - from.width / 2;
  box.scrollTop += to.top + to.height / 2 - from.top - from.height / 2;
}

export function useInSight(box, selector, changes) {
  useEffect(() => bringInSight(box.current, selector), changes);
}

// The width and height of an element, null before they are known.
export function useRoom(frame, changes = []) {
  const [room, setRoom] = useState(null);
  useLayoutEffect(() => {
    const measure = () => setRoom([frame.current.clientWidth, frame.current.clientHeight]);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, changes);
  return room;
}
