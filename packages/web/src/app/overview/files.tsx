/** How much of their room the uploaded files take, and what to do when it runs out. */

import type { OverviewOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { useApi } from "../hooks.ts";
import { To } from "../parts.tsx";
import { percentWords, sizeWords } from "./sizes.ts";
import { WORDS } from "./words.ts";

/** From here on people are warned. */
const NEARLY_FULL = 0.9;

export function Files({
  files: { bytes, bytes_max: max },
}: {
  readonly files: OverviewOut["files"];
}): ReactNode {
  const { changesServer } = useApi().state;
  if (bytes === 0) return null;
  const isNearlyFull = bytes >= NEARLY_FULL * max;
  return (
    <section className="app-panel" id="files">
      <h2>{WORDS.files}</h2>
      <p>{WORDS.filesTake(sizeWords(bytes), sizeWords(max), percentWords(bytes, max))}</p>
      <svg
        className={isNearlyFull ? "app-room app-room-full" : "app-room"}
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        focusable="false"
        aria-hidden="true"
      >
        <rect width="100" height="8" rx="2" />
        <rect width={Math.min(100, Math.max(1, (100 * bytes) / max))} height="8" rx="2" />
      </svg>
      {isNearlyFull ? <p className="hp-notice hp-bad">{WORDS.filesFull}</p> : null}
      <p className="hp-hint">
        {WORDS.filesLeave}{" "}
        {changesServer ? <To href="/console/settings">{WORDS.filesRoom}</To> : WORDS.filesAdmins}
      </p>
    </section>
  );
}
