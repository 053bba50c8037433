// A button on every block of code that copies what one would type: without the prompts, and without what is answered.
for (const block of document.querySelectorAll("main pre")) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typed(block.textContent));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => void (button.textContent = "Copy"), 2000);
  });
  const frame = Object.assign(document.createElement("div"), { className: "code-frame" });
  block.replaceWith(frame);
  frame.append(block, button);
}

export function typed(text) {
  const lines = text.split("\n");
  const prompts = [/^(>>>|\.\.\.)( |$)/, /^\$ /].find((prompt) => lines.some((line) => prompt.test(line)));
  if (!prompts) return text;
  return lines
    .filter((line) => prompts.test(line))
    .map((line) => line.replace(prompts, ""))
    .join("\n")
    .concat("\n");
}

// The policy of the server lets no form be sent: the search is an address.
const search = document.querySelector("form[role=search]");
search.addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = new URLSearchParams(new FormData(search));
  location.assign(`${search.getAttribute("action")}?${asked}`);
});

// What is alive on the page (/embed) tells how high it is.
addEventListener("message", ({ origin, source, data }) => {
  if (origin !== location.origin || data.type !== "noughts-size") return;
  const frame = [...document.querySelectorAll(".live iframe")].find(({ contentWindow }) => contentWindow === source);
  if (frame) frame.style.height = `${data.height}px`;
});
