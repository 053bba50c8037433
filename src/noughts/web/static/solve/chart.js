// A chart drawn by uPlot on a canvas: as wide as its place, in the colours of the page, drawn anew when either changes.
//
//   make(colour)   gives {options, data}: what uPlot takes, but for the width; colour("win") is the colour --win
//   onPoint(i)     is told which point the mouse is at, null for none
//
// A canvas says nothing to those who do not see it: `label` does, and a table with the numbers belongs beside it.

import { html, useLayoutEffect, useRef } from "../vendor/preact-htm.js";
import { useRoom } from "../shared/place.js";
import uPlot from "../vendor/uplot.js";

export function Chart({ make, label, onPoint, height = 230, changes = [] }) {
  const place = useRef();
  const room = useRoom(place);
  useLayoutEffect(() => {
    if (!room) return undefined;
    let plot = null;
    const draw = () => {
      plot?.destroy();
      const { options, data } = make((name) => colourOf(place.current, name));
      const hooks = { setCursor: [(each) => onPoint?.(each.cursor.idx ?? null)] };
      const width = Math.max(120, room[0]);
      plot = new uPlot({ ...COMMON, ...options, hooks, width, height }, data, place.current);
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const media = ["(prefers-color-scheme: dark)", "print"].map((each) => matchMedia(each)); // paper is always light
    for (const each of media) each.addEventListener("change", draw);
    document.fonts?.ready.then(() => plot && draw());
    return () => {
      theme.disconnect();
      for (const each of media) each.removeEventListener("change", draw);
      plot.destroy();
      plot = null;
    };
  }, [...changes, room?.[0]]);
  const style = { height: `${height}px` };
  return html`<div class="chart-place" ref=${place} role="img" aria-label=${label} ...${{ style }}></div>`;
}

const COMMON = {
  legend: { show: false },
  cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
};

// What a colour of the page is just now: the style may give one for light and one for dark.
function colourOf(element, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

// An axis in the colours and the type of the page.
export function axis(colour, more = {}) {
  return {
    stroke: colour("soft"),
    font: "12px Figtree, system-ui, sans-serif",
    labelFont: "12px Figtree, system-ui, sans-serif",
    labelSize: 18,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
    ...more,
  };
}

export const bars = (colour, name, more = {}) => ({
  stroke: colour(name),
  fill: colour(name),
  width: 0,
  points: { show: false },
  paths: uPlot.paths.bars({ size: [0.72, 64], ...more }),
});
