/** A progress bar on a terminal; prints nothing elsewhere. */

import type { Io } from "./io.ts";

export interface Bar {
  at(share: number): void;
  end(): void;
}

const WIDTH = 30;

export function progressBar(label: string, io: Io): Bar {
  if (!io.isTerminal) return { at: () => undefined, end: () => undefined };
  let shown = -1;
  return {
    at(share) {
      const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100);
      if (percent === shown) return;
      shown = percent;
      const full = Math.round((percent / 100) * WIDTH);
      io.err(`\r${label} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${String(percent).padStart(3)} %`);
    },
    end() {
      io.err("\r\u001b[2K");
    },
  };
}
