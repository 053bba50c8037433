// Light or dark: as the system says, unless the reader has chosen. Runs before the first paint.
(() => {
  const root = document.documentElement;
  const apply = (theme) => (theme ? root.setAttribute("data-theme", theme) : root.removeAttribute("data-theme"));
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // No storage, no memory: the system decides.
  }
  apply(chosen);
  window.theme = {
    isDark: () =>
      root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches,
    toggle() {
      const next = this.isDark() ? "light" : "dark";
      apply(next);
      try {
        localStorage.setItem("theme", next);
      } catch {
        // As above.
      }
    },
  };
})();
