/** Endpoints that messages wait for: a receiver that does not answer is seen here before anything is given up. */

import type { DeliveryListOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "./hooks.ts";

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
      <h2>Waiting to be sent</h2>
      <ul className="app-plain">
        {backlogs.value.map(({ kind, endpoint, host = "", waiting, oldest_at }) => (
          <li key={`${kind} ${endpoint} ${host}`}>
            <span>
              <strong>{waiting} messages</strong> to {endpoint} {host}
              <small>
                the oldest since <Moment at={oldest_at} />
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
