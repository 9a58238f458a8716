/** Calls that people allowed in advance, and tools whose calls people always approve. */

import type { GrantOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, Pages, Sure, To } from "../parts.tsx";

interface GrantPage {
  readonly grants: readonly GrantOut[];
  readonly next_cursor?: string;
}

interface Suggestions {
  readonly suggestions: readonly {
    readonly agent: string;
    readonly tool: string;
    readonly message: string;
  }[];
}

export function Grants({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [cursor, setCursor] = useState("");
  const query = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
  const loaded = useLoaded(() => api.get<GrantPage>(`/v1/grants${query}`), cursor, beat);
  const suggested = useLoaded(() => api.get<Suggestions>("/v1/suggestions"), beat);
  return (
    <section className="app-panel">
      <h2>Grants</h2>
      {(suggested.value?.suggestions ?? []).map(({ agent, tool, message }) => (
        <p key={`${agent} ${tool}`} className="hp-notice">
          {message}
        </p>
      ))}
      <Await loaded={loaded}>
        {({ grants, next_cursor: next }) =>
          grants.length === 0 ? (
            <Empty title="Nothing is allowed in advance" />
          ) : (
            <>
              <ul className="app-list">
                {grants.map((grant) => (
                  <Row key={grant.id} grant={grant} onChange={loaded.reload} />
                ))}
              </ul>
              <Pages cursor={cursor} next={next} go={setCursor} />
            </>
          )
        }
      </Await>
    </section>
  );
}

function Row({ grant, onChange }: { readonly grant: GrantOut; readonly onChange: () => void }): ReactNode {
  const api = useApi();
  const { id, agent, tool, explained, used, uses, until, state, hold_id: holdId, minted_by: by } = grant;
  const isOver = state === "revoked" || state === "expired" || state === "used_up";
  return (
    <li>
      <Badge>{state}</Badge>{" "}
      <strong>
        <Text>{`${agent} may call ${tool}`}</Text>
      </strong>{" "}
      <Text>{explained}</Text>
      <p>
        {used} of {uses} used, until <Moment at={until} />, allowed by {by.name ?? by.kind} with{" "}
        <To href={`/console/holds/${holdId}`}>this answer</To>
        {grant.last_used_at === undefined ? null : (
          <>
            , last used <Moment at={grant.last_used_at} />
          </>
        )}
      </p>
      {isOver || api.state.role === "auditor" ? null : (
        <Sure
          label="Revoke"
          question="Such calls are asked about again, at once and for good."
          act={() => api.send("DELETE", `/v1/grants/${encodeURIComponent(id)}`)}
          onDone={onChange}
          isDanger
        />
      )}
    </li>
  );
}
