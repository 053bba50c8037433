// Something that the whole page should know: news.tell() draws anew whatever called news.use().
import { useEffect, useState } from "../vendor/preact-htm.js";

export function makeNews() {
  const watchers = new Set();
  return {
    tell: () => watchers.forEach((watcher) => watcher()),
    use() {
      const [, redraw] = useState(0);
      useEffect(() => {
        const watcher = () => redraw((n) => n + 1);
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      }, []);
    },
  };
}
