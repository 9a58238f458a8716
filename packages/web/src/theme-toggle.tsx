/** Light or dark by the reader's preference, until they choose. */

import { Icon, useHydrated } from "@holdpoint/react";
import { type ReactNode, useState } from "react";

const WORDS = {
  dark: "Dark theme",
};

function isDarkNow(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

export function ThemeToggle(): ReactNode {
  const isHydrated = useHydrated();
  const [, redraw] = useState(0);
  if (!isHydrated) return null;
  const isDark = isDarkNow();
  return (
    <button
      type="button"
      className="web-icon-button"
      aria-pressed={isDark}
      aria-label={WORDS.dark}
      onClick={() => {
        const theme = isDark ? "light" : "dark";
        document.documentElement.dataset["theme"] = theme;
        try {
          localStorage.setItem("holdpoint.theme", theme);
        } catch {
          // Storage may be off; the choice then lasts as long as the page.
        }
        redraw((n) => n + 1);
      }}
    >
      <Icon name="moon" />
    </button>
  );
}
