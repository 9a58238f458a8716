/** Keeps what is filled in a moment after the last change, and at once when the page is about to go. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { Autosave, type SaveState } from "@holdpoint/react/headless";
import { useEffect, useRef, useState } from "react";

interface Draft {
  readonly values: JsonObject;
  readonly step: number;
}

const DELAY_MS = 600;
const timer = {
  set: (work: () => void, ms: number) => setTimeout(work, ms),
  clear: (handle: unknown) => clearTimeout(handle as number),
};

export function useDraft(
  path: string | undefined,
): readonly [SaveState, (values: JsonObject, step: number) => void] {
  const [state, setState] = useState<SaveState>("clean");
  const saver = useRef<Autosave<Draft>>(undefined);
  useEffect(() => {
    if (path === undefined) return undefined;
    const autosave = new Autosave<Draft>({
      timer,
      delayMs: DELAY_MS,
      onState: setState,
      save: async (draft) => {
        const body = JSON.stringify(draft);
        const headers = { "content-type": "application/json" };
        return (await fetch(path, { method: "PUT", headers, body, keepalive: body.length < 60_000 })).ok;
      },
    });
    saver.current = autosave;
    const flush = () => void autosave.flush();
    addEventListener("pagehide", flush);
    addEventListener("online", flush);
    document.addEventListener("visibilitychange", flush);
    return () => {
      removeEventListener("pagehide", flush);
      removeEventListener("online", flush);
      document.removeEventListener("visibilitychange", flush);
      autosave.stop();
    };
  }, [path]);
  return [state, (values, step) => saver.current?.change({ values, step })];
}
