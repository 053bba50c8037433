// Long runs on the server, followed by the whole page: a run goes on while another tab is looked at, and one that was
// under way when the page was loaded again is followed from its beginning.
//
//   const run = useRun("solve", path)      path null: nothing asked for
//   run.status     idle, running, done or problem
//   run.events     what it told so far, each {event, ...data}; a progress replaces the one before it of the same level
//   run.summary    the last event, once it is done; run.problem a sentence
//   run.start(again), run.stop()

import { useEffect, useState } from "../vendor/preact-htm.js";
import * as server from "./server.js";

const IDLE = { status: "idle", events: [], summary: null, problem: null };
const runs = new Map(); // path -> {view, state, abort, name}
const watchers = new Set();

const tellAll = () => watchers.forEach((watcher) => watcher());

function useNews() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const watcher = () => redraw((n) => n + 1);
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, []);
}

export function useRun(view, path) {
  useNews();
  return {
    ...(runs.get(path)?.state || IDLE),
    start: (again = false) => start(view, path, again),
    stop: () => stop(path),
  };
}

// The views that have something under way.
export function useBusyViews() {
  useNews();
  return new Set([...runs.values()].filter(({ state }) => state.status === "running").map(({ view }) => view));
}

async function start(view, path, again) {
  if (runs.get(path)?.state.status === "running") return;
  const run = { view, abort: new AbortController(), state: { ...IDLE, status: "running" } };
  runs.set(path, run);
  tellAll();
  const set = (change) => {
    run.state = { ...run.state, ...change };
    tellAll();
  };
  const learnName = (name) => {
    run.name = name;
    if (run.stopped) cancel(path, run);
  };
  const hear = ({ event, ...data }) => {
    if (run.stopped) return;
    if (event === "summary") set({ status: "done", summary: data });
    else if (event === "problem") set({ status: "problem", problem: data.detail });
    else set({ events: added(run.state.events, { event, ...data }) });
  };
  try {
    const asked = again ? `${path}${path.includes("?") ? "&" : "?"}again=true` : path;
    await server.follow(asked, learnName, hear, run.abort.signal);
    if (run.state.status === "running") set({ status: "problem", problem: "The server stopped in the middle" });
  } catch (problem) {
    if (run.stopped) return;
    set({ status: "problem", problem: problem.message });
  }
}

function stop(path) {
  const run = runs.get(path);
  if (run?.state.status !== "running") return;
  run.stopped = true;
  if (run.name) cancel(path, run); // else as soon as the server has told it
  run.state = { ...run.state, status: "problem", problem: "You stopped it" };
  tellAll();
}

function cancel(path, run) {
  if (runs.get(path) === run) server.stopRun(run.name).catch(() => {}); // unless it was started again meanwhile
  run.abort.abort();
}

function added(events, event) {
  const last = events[events.length - 1];
  const same = last && event.event === "progress" && last.event === "progress" && last.level === event.level;
  return [...(same ? events.slice(0, -1) : events), event];
}
