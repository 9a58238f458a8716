/** The mark: two posts and a bar across. */

import type { ReactNode } from "react";

const WORDS = {
  holdpoint: "Holdpoint",
};

export function Mark(): ReactNode {
  return (
    <span className="web-mark">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
        <rect x="3" y="3" width="4" height="18" rx="2" fill="currentColor" />
        <rect x="17" y="3" width="4" height="18" rx="2" fill="currentColor" />
        <circle cx="12" cy="12" r="3" fill="var(--hp-go)" />
      </svg>
      {WORDS.holdpoint}
    </span>
  );
}
