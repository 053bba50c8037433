// The API, read from the server's own OpenAPI document: every question, what it takes and gives, and a place to try it.
import { html, render, useState } from "../vendor/preact-htm.js";
import { reach, useAnswer, useLost } from "../shared/server.js";
import { Prose } from "../shared/words.js";

const API = "/api/v1";
const DOCUMENT = "/openapi.json";

function Docs() {
  const { answer: document, problem } = useAnswer(DOCUMENT);
  const lost = useLost() && "The server does not answer.";
  return html` <header class="head">
      <a class="wordmark" href="/"
        ><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="7.5" /></svg><span>noughts</span></a
      >
    </header>
    <main class="docs">
      <h1>API</h1>
      ${document ? html`<${Contents} ...${{ document }} />` : html`<p role="status">${lost || problem || "Reading the OpenAPI document …"}</p>`}
    </main>`;
}

function Contents({ document }) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !/ValidationError$/.test(name));
  return html` ${document.info.description.split("\n\n").map((text) => html`<p key=${text}><${Prose} text=${text} /></p>`)}
    <p><a href=${API + DOCUMENT}>openapi.json</a>, version ${document.info.version}</p>
    ${operations.map((operation) => html`<${Operation} key=${operation.operationId} ...${{ operation, document }} />`)}
    <h2 id="shapes">Shapes</h2>
    ${schemas.map(([name, schema]) => html`<${Shape} key=${name} ...${{ name, schema }} />`)}`;
}

function Operation({ operation, document }) {
  const { path, method, description, parameters = [], requestBody, responses } = operation;
  const good = Object.values(responses["200"].content)[0].schema;
  return html`<section class="card operation" aria-label=${`${method} ${path}`}>
    <h2><span class="method">${method}</span> <code>${path}</code></h2>
    <p><${Prose} text=${description} /></p>
    ${parameters.length > 0 && html`<dl>${parameters.map(Entry)}</dl>`}
    ${requestBody && html`<p>Takes a <${Type} schema=${bodyOf(requestBody)} />.</p>`}
    <p>Gives ${good.$ref ? html`<${Type} schema=${good} />` : responses["200"].description}.</p>
    <${Try} ...${{ operation, document }} />
  </section>`;
}

const bodyOf = (requestBody) => requestBody.content["application/json"].schema;
const nameOf = (ref) => ref.split("/").pop();

function Type({ schema }) {
  if (schema.$ref) return html`<a href=${`#${nameOf(schema.$ref)}`}>${nameOf(schema.$ref)}</a>`;
  const any = schema.anyOf || schema.oneOf;
  if (any) return any.map((each, i) => html`${i ? " or " : ""}<${Type} schema=${each} />`);
  if (schema.type === "array") return html`list of <${Type} schema=${schema.items} />`;
  if (schema.enum || "const" in schema)
    return html`<code>${(schema.enum || [schema.const]).map((each) => JSON.stringify(each)).join(" | ")}</code>`;
  return schema.type || "anything";
}

// One thing that is asked or told.
const Entry = ({ name, required, schema, description = schema.description }) =>
  html`<dt key=${name}>
      <code>${name}</code>${" "}
      <${Type} schema=${schema} />${required ? "" : html` <span class="note">optional</span>`}
    </dt>
    <dd>${description}</dd>`;

function Shape({ name, schema }) {
  const needed = new Set(schema.required);
  return html`<section class="shape" id=${name}>
    <h3>${name}</h3>
    <p class="note"><${Prose} text=${schema.description || ""} /></p>
    <dl>
      ${Object.entries(schema.properties || {}).map(([name, schema]) =>
        Entry({ name, schema, required: needed.has(name) }),
      )}
    </dl>
  </section>`;
}

// A place to ask: the fields are filled with the examples of the document.
function Try({ operation, document }) {
  const { path, method, parameters = [], requestBody } = operation;
  const example = ({ schema }) => schema.default ?? schema.examples?.[0] ?? "";
  const shape = requestBody && document.components.schemas[nameOf(bodyOf(requestBody).$ref)];
  const [given, setGiven] = useState(Object.fromEntries(parameters.map((each) => [each.name, example(each)])));
  const [body, setBody] = useState(shape ? JSON.stringify(shape.examples?.[0] ?? {}, null, 2) : "");
  const [answer, setAnswer] = useState(null);
  const query = parameters.length ? `?${new URLSearchParams(given)}` : "";
  const ask = async (event) => {
    event.preventDefault();
    setAnswer("…");
    try {
      const response = await reach(path.slice(API.length) + query, { method, question: body });
      const text = await response.text();
      const json = (response.headers.get("content-type") || "").startsWith("application/json");
      setAnswer(`${response.status}\n${json ? JSON.stringify(JSON.parse(text), null, 2) : text}`);
    } catch {
      setAnswer("The server does not answer.");
    }
  };
  return html`<form onSubmit=${ask}>
    ${parameters.map(({ name }) => html`<label key=${name}>${name} <input value=${given[name]} spellcheck="false" onInput=${(event) => setGiven({ ...given, [name]: event.target.value })} /></label>`)}
    ${shape && html`<label>Body <textarea rows=${body.split("\n").length} spellcheck="false" onInput=${(event) => setBody(event.target.value)}>${body}</textarea></label>`}
    <button type="submit">Ask</button>
    ${answer !== null && html`<pre tabindex="0" role="region" aria-label="Answer">${answer}</pre>`}
  </form>`;
}

render(html`<${Docs} />`, globalThis.document.getElementById("app"));
