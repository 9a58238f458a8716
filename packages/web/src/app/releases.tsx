/** Answers that an agent behind the proxy may or may not have: a person looks, and decides. */

import type { ReleaseOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useEffect } from "react";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Sure } from "./parts.tsx";

const WORDS = {
  answersNotReleased: "Answers not released",
  thread: ", thread",
  sendAgain: "Send again",
  ifAgentHas: "If the agent has the answers already, it may act on them twice.",
  arrived: "It arrived",
  answersAreThen: "The answers are then not sent again, also if the agent does not have them.",
};

const LOOK_MS = 3_000;
const STUCK = ["unknown", "failed", "stalled", "pending"] as const;

export function Releases({ beat }: { readonly beat: number }): ReactNode {
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
    api.send("POST", `/v1/releases/${id}/decide`, { decision });
  return (
    <Await loaded={stuck}>
      {(list) =>
        list.length === 0 ? null : (
          <section className="app-panel">
            <h2>{WORDS.answersNotReleased}</h2>
            <ul className="app-plain">
              {list.map(({ id, proxy, thread_id: thread, state, error, changed_at: at }) => (
                <li key={id}>
                  <span>
                    <strong>{proxy}</strong>
                    {WORDS.thread} <Text>{thread}</Text>
                    <small>
                      <Moment at={at} />
                      {error === undefined ? "" : `, ${error}`}
                    </small>
                  </span>
                  <Badge>{state}</Badge>
                  <Sure
                    label={WORDS.sendAgain}
                    question={WORDS.ifAgentHas}
                    act={() => decide(id, "retry")}
                    onDone={reload}
                  />
                  <Sure
                    label={WORDS.arrived}
                    question={WORDS.answersAreThen}
                    act={() => decide(id, "mark_released")}
                    onDone={reload}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Await>
  );
}
