// Plays the steps 0 … last of something, one after the other, until somebody stops it or it is over.
//
//   at       the step that is shown, null for none; go(step) shows another
//   pause    milliseconds a step; waits while what comes next is not known yet
//   isOver   whether nothing comes after the last step

import { useEffect, useRef, useState } from "../vendor/preact-htm.js";

export function usePlayback({ at, last, go, pause, waits = false, isOver = true, begins = false }) {
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
      go(Math.max(0, Math.min(last, to)));
    },
    toggle: () => {
      if (!playing && atEnd && isOver) go(0);
      setPlaying(!playing);
    },
  };
}
