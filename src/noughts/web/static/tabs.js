// The tabs of the page, in their order: a folder each, and its title. A folder has style.css and tab.js, both fetched when
// the tab is first looked at. tab.js exports
//
//   View     the tab itself: given {table, state, offers}, it draws
//   about    what it is for, and guide, the page that says more; without them the view has a heading of its own
//   keys     those of shared/keys.js that it listens to; none if it has none
//   fresh    what becomes of its part of the address when a move is made or taken back, as in {step: null}

import { useEffect, useLayoutEffect, useState } from "./vendor/preact-htm.js";

export const TABS = {
  play: "Play",
  puzzle: "Puzzle",
  analyse: "Analyse",
  algorithms: "Algorithms",
  search: "Search",
  solve: "Solve",
  lab: "Lab",
  match: "Match",
};

const known = new Map(); // name -> {tab, link}: what its module exports, and its style

async function load(name) {
  const href = new URL(`${name}/style.css`, import.meta.url);
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", media: "not all", href });
  const styled = new Promise((done, fail) => Object.assign(link, { onload: done, onerror: fail }));
  document.head.append(link);
  try {
    const [tab] = await Promise.all([import(`./${name}/tab.js`), styled]);
    known.set(name, { tab, link });
  } catch {
    link.remove();
  }
  return known.has(name);
}

// The tab of this name, with its style and no other: {View, about, guide, keys, fresh}; {} while it is on its way. If it cannot
// be fetched `lost` says so, and `again` tries again.
export function useTab(name) {
  const [found, setFound] = useState({});
  const look = async () => {
    setFound({});
    const isThere = known.has(name) || (await load(name));
    setFound({ name, lost: !isThere });
  };
  useEffect(() => void look(), [name]);
  useLayoutEffect(() => {
    for (const [each, { link }] of known) link.media = each === name ? "all" : "not all";
  }, [name, found]);
  return { ...known.get(name)?.tab, lost: found.name === name && found.lost, again: look };
}
