// Plays the steps 0 … last of something, one after the other, until somebody stops it or it is over.
//
//   at       the step that is shown, null for none; go(step) shows another
//   pause    milliseconds a step; waits while what comes next is not known yet
//   isOver   whether nothing comes after the last step
//   hold     whether a step on is to be something else: the answer of a question before it

import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Select } from "./controls.js";

// How long a step takes, as a part of what is usual.
export const SPEEDS = { slow: ["Slow", 2], steady: ["Steady", 1], quick: ["Quick", 1 / 3], fast: ["Fast", 0.06] };

export const Speed = ({ speed, setSpeed }) =>
  html`<${Select}
    title="Speed"
    hidden
    value=${speed}
    options=${Object.entries(SPEEDS).map(([name, [title]]) => [name, title])}
    onChoose=${setSpeed}
  />`;

export function usePlayback({ at, last, go, pause, waits = false, isOver = true, begins = false, hold = () => false }) {
  const [playing, setPlaying] = useState(begins);
  const atEnd = at !== null && at >= last;
  const ahead = useRef();
  ahead.current = () => go((at ?? -1) + 1);
  useEffect(() => {
    if (!playing || waits) return undefined;
    if (atEnd) return void (isOver && setPlaying(false));
    const timer = setTimeout(() => ahead.current(), at === null ? 0 : pause);
    return () => clearTimeout(timer);
  }, [playing, at, last, pause, waits, isOver]);
  return {
    ...{ at, last, playing, setPlaying },
    go: (to) => {
      setPlaying(false);
      if (to > (at ?? -1) && hold()) return;
      go(Math.max(0, Math.min(last, to)));
    },
    toggle: () => {
      if (!playing && atEnd && isOver) go(0);
      setPlaying(!playing);
    },
  };
}
