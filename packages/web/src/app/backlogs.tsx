/** Endpoints that messages wait for: a receiver that does not answer is seen here before anything is given up. */

import type { DeliveryListOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { endpointWords } from "./endpoint-words.ts";
import { useApi, useLoaded } from "./hooks.ts";

const WORDS = {
  waitingSent: "Waiting to be sent",
  to: (endpoint: string) => `to ${endpoint}`,
  messages: (waiting: string | number) => `${waiting} messages`,
  oldestSince: "the oldest since",
};

/** A few messages wait at any time; they are no backlog. */
const WORTH_SHOWING = 10;

export function Backlogs({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const backlogs = useLoaded(async () => {
    const { backlogs: found = [] } = await api.get<DeliveryListOut>("/v1/deliveries?state=queued&limit=1");
    return found.filter(({ waiting }) => waiting >= WORTH_SHOWING);
  }, beat);
  if (backlogs.value === undefined || backlogs.value.length === 0) return null;
  return (
    <section className="app-panel">
      <h2>{WORDS.waitingSent}</h2>
      <ul className="app-plain">
        {backlogs.value.map(({ kind, waiting, oldest_at, ...to }) => (
          <li key={`${kind} ${to.endpoint} ${to.host}`}>
            <span>
              <strong>{WORDS.messages(waiting)}</strong> {WORDS.to(endpointWords(to))}
              <small>
                {WORDS.oldestSince} <Moment at={oldest_at} />
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
