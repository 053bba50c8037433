// Asks the server. It alone knows the rules; the page draws what it says.

const API = "/api/v1";
const KEPT = 400; // analyses remembered; a position's analysis never changes

export class Lost extends Error {} // the server does not answer
export class Refused extends Error {} // the server says no, with a sentence

async function reach(path, options) {
  try {
    return await fetch(API + path, options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Lost("The server does not answer.");
  }
}

export async function ask(path, options) {
  return read(await reach(path, options));
}

async function read(response) {
  const type = response.headers.get("content-type") || "";
  const body = type.startsWith("application/json") ? await response.json() : {};
  if (!response.ok) throw new Refused(body.detail || `The server answered with ${response.status}.`);
  return body;
}

// Follow a long run: its name, then each event as {event, ...data}.
export async function follow(path, onName, onEvent, signal) {
  const response = await reach(path, { signal });
  if (!response.ok) await read(response);
  onName(response.headers.get("x-run"));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read().catch((problem) => {
      throw signal.aborted ? problem : new Lost("The server stopped in the middle");
    });
    if (done) return;
    const parts = (waiting + value).split("\n\n");
    waiting = parts.pop();
    for (const part of parts) {
      const [, event, data] = part.match(/^event: (\w+)\ndata: (.*)$/s);
      onEvent({ event, ...JSON.parse(data) });
    }
  }
}

export const stopRun = (name) => ask(`/runs/${encodeURIComponent(name)}`, { method: "DELETE" });

const post = (path, question, signal) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });

const known = new Map();

function keep(analysis) {
  known.delete(analysis.position);
  known.set(analysis.position, analysis);
  if (known.size > KEPT) known.delete(known.keys().next().value);
  return analysis;
}

export async function analyze(position, signal) {
  return known.get(position) || keep(await ask(`/analyze?position=${encodeURIComponent(position)}`, { signal }));
}

export async function move(question, signal) {
  const answer = await post("/move", question, signal);
  keep(answer.analysis);
  return answer;
}

export const legality = (position, signal) => ask(`/legality?position=${encodeURIComponent(position)}`, { signal });
export const review = (question, signal) => post("/review", question, signal);
export const games = () => ask("/games");
export const players = (game) => ask(`/players?game=${encodeURIComponent(game)}`);
export const isThere = () =>
  ask("/games").then(
    () => true,
    () => false,
  );
