// Long runs on the server, followed by the whole page: a run goes on while another tab is looked at, and one that was
// under way when the page was loaded again is followed from its beginning.
//
//   const run = useRun("solve", path, wanted)   begun at once if the address wants it
//   run.status     idle, running, done or problem
//   run.events     what it told so far, each {event, ...data}; a progress replaces the one before it of the same level;
//                  run.last the newest
//   run.summary    the last event, once it is done; run.problem a sentence
//   run.start(again), run.stop()

import { useEffect } from "../vendor/preact-htm.js";
import { makeNews } from "./news.js";
import * as server from "./server.js";

const IDLE = { status: "idle", events: [], summary: null, problem: null };
const runs = new Map(); // path -> {view, state, abort, name}
const news = makeNews();

export function useRun(view, path, wanted) {
  news.use();
  const state = runs.get(path)?.state || IDLE;
  const begin = (again = false) => start(view, path, again);
  useEffect(() => {
    if (wanted && state.status === "idle") begin();
  }, [path, Boolean(wanted)]);
  return { ...state, start: begin, stop: () => stop(path), last: state.events.at(-1) };
}

// The views that have something under way.
export function useBusyViews() {
  news.use();
  return new Set([...runs.values()].filter(({ state }) => state.status === "running").map(({ view }) => view));
}

async function start(view, path, again) {
  if (runs.get(path)?.state.status === "running") return;
  const run = { view, abort: new AbortController(), state: { ...IDLE, status: "running" } };
  runs.set(path, run);
  news.tell();
  const set = (change) => {
    run.state = { ...run.state, ...change };
    news.tell();
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
  news.tell();
}

function cancel(path, run) {
  if (runs.get(path) === run) server.stopRun(run.name); // unless it was started again meanwhile
  run.abort.abort();
}

function added(events, event) {
  const last = events[events.length - 1];
  const same = last && event.event === "progress" && last.event === "progress" && last.level === event.level;
  return [...(same ? events.slice(0, -1) : events), event];
}
