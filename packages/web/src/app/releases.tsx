/** Answers that an agent behind the proxy may or may not have: a person looks, and decides. */

import type { ReleaseOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type ReactNode, useEffect } from "react";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge } from "./parts.tsx";

const LOOK_MS = 3_000;
const STUCK = ["unknown", "failed", "pending"] as const;

interface ReleasesProps {
  readonly beat: number;
  readonly act: (work: Promise<unknown>) => void;
}

export function Releases({ beat, act }: ReleasesProps): ReactNode {
  const api = useApi();
  const stuck = useLoaded(async () => {
    const pages = await Promise.all(
      STUCK.map((state) => api.get<{ releases: readonly ReleaseOut[] }>(`/v1/releases?state=${state}`)),
    );
    return pages.flatMap(({ releases }) => releases);
  }, beat);
  const { reload } = stuck;
  // The live stream tells of holds; a release goes on, or goes wrong, some time after the last of them.
  useEffect(() => {
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const decide = (id: string, decision: "retry" | "mark_released") =>
    act(api.send("POST", `/v1/releases/${id}/decide`, { decision }).finally(reload));
  return (
    <Await loaded={stuck}>
      {(list) =>
        list.length === 0 ? null : (
          <section className="app-panel">
            <h2>Answers not released</h2>
            <ul className="app-plain">
              {list.map(({ id, proxy, thread_id: thread, state, error, changed_at: at }) => (
                <li key={id}>
                  <Badge>{state}</Badge> {proxy}, thread {thread}
                  {error === undefined ? "" : ` (${error})`} <Moment at={at} />{" "}
                  <button type="button" className="hp-button" onClick={() => decide(id, "retry")}>
                    Send again
                  </button>{" "}
                  <button type="button" className="hp-button" onClick={() => decide(id, "mark_released")}>
                    It arrived
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Await>
  );
}
