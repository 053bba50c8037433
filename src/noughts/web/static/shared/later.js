// A view whose module is fetched when it is first looked at: later(() => import("../search/tab.js")) shows its `View`.
import { html, useEffect, useState } from "../vendor/preact-htm.js";

export const later = (load) =>
  function Later(props) {
    const [View, setView] = useState(null);
    const [lost, setLost] = useState(false);
    const fetchIt = () => {
      setLost(false);
      load().then(
        (module) => setView(() => module.View),
        () => setLost(true),
      );
    };
    useEffect(fetchIt, []);
    if (View) return html`<${View} ...${props} />`;
    if (!lost) return html`<p class="loading" role="status">One moment …</p>`;
    return html`<div class="loading" role="alert">
      <p>This part of the page could not be loaded: the server does not answer.</p>
      <button onClick=${fetchIt}>Try again</button>
    </div>`;
  };
