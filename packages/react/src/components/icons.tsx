/** Small drawings in the text's own colour; always beside words, so hidden from screen readers. */

import type { ReactNode } from "react";

const PATHS = {
  clock: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  check: "M5 12.5 10 17.5 19 7",
  cross: "M6 6l12 12M18 6 6 18",
  pencil: "M4 20h4L19 9l-4-4L4 16v4Z",
  warning: "M12 4 2.8 20h18.4L12 4ZM12 10v4M12 17v.01",
  tool: "M14 4a6 6 0 0 0-5.6 8L3 17.4 6.6 21l5.4-5.4A6 6 0 0 0 20 10l-4 1-3-3 1-4Z",
  document: "M7 3h7l5 5v13H7zM14 3v5h5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21c0-4 4-6 8-6s8 2 8 6",
  ban: "M5.6 5.6l12.8 12.8M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  arrow: "M5 12h14M13 6l6 6-6 6",
  back: "M19 12H5M11 6l-6 6 6 6",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10Z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  bell: "M6 16V11a6 6 0 1 1 12 0v5l2 2H4l2-2ZM10 21h4",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l5 5",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon of the kit. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="hp-icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
