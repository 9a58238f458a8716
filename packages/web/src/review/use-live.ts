/** Hears when the hold is settled, wherever. Comes back by itself after every loss; looking decides nothing. */

import type { ReviewView } from "@holdpoint/protocol";
import { useEffect, useRef, useState } from "react";

const WAIT_SECONDS = 25;
const GRACE_MS = 15_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];

export type Connection = "live" | "lost";

export function useLive(path: string | undefined, onView: (view: ReviewView) => void): Connection {
  const [connection, setConnection] = useState<Connection>("live");
  const heard = useRef(onView);
  heard.current = onView;
  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    void follow(path, abort.signal, (view) => heard.current(view), setConnection);
    return () => abort.abort();
  }, [path]);
  return connection;
}

async function follow(
  path: string,
  signal: AbortSignal,
  onView: (view: ReviewView) => void,
  onConnection: (connection: Connection) => void,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    // After a loss, how it stands at once: that the line is back must not wait for news.
    const view = await read(path, failures === 0 ? WAIT_SECONDS : 0, signal);
    if (signal.aborted || view === "gone") return;
    if (view === null) {
      onConnection("lost");
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
      failures += 1;
      continue;
    }
    failures = 0;
    onConnection("live");
    onView(view);
    if (view.hold.status !== "open") return;
  }
}

async function read(
  path: string,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<ReviewView | "gone" | null> {
  try {
    const reply = await fetch(`${path}&wait=${waitSeconds}`, {
      // A line that is dead without a word would be waited on for ever.
      signal: AbortSignal.any([signal, AbortSignal.timeout(waitSeconds * 1_000 + GRACE_MS)]),
      headers: { accept: "application/json" },
    });
    if (reply.status === 401 || reply.status === 404) return "gone";
    return reply.ok ? ((await reply.json()) as ReviewView) : null;
  } catch {
    return null;
  }
}

/** Ends early when the connection is back or the tab is looked at again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end, { signal: ended.signal });
    document.addEventListener("visibilitychange", end, { signal: ended.signal });
    signal.addEventListener("abort", end, { signal: ended.signal });
  });
}
