/** Calls that people allowed in advance, and tools whose calls people always approve. */

import type { GrantOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, Pages, Sure, To } from "../parts.tsx";

const WORDS = {
  grants: "Grants",
  nothingAllowedAdvance: "Nothing is allowed in advance",
  mayCall: (agent: string | number, tool: string | number) => `${agent} may call ${tool}`,
  usedUntil: (used: string | number, uses: string | number) => `${used} of ${uses} used, until`,
  allowedBy: ", allowed by",
  withText: "with",
  answer: "this answer",
  lastUsed: ", last used",
  revoke: "Revoke",
  suchCallsAre: "Such calls are asked about again, at once and for good.",
};

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
      <h2>{WORDS.grants}</h2>
      {(suggested.value?.suggestions ?? []).map(({ agent, tool, message }) => (
        <p key={`${agent} ${tool}`} className="hp-notice">
          {message}
        </p>
      ))}
      <Await loaded={loaded}>
        {({ grants, next_cursor: next }) =>
          grants.length === 0 ? (
            <Empty title={WORDS.nothingAllowedAdvance} />
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
        <Text>{WORDS.mayCall(agent, tool)}</Text>
      </strong>{" "}
      <Text>{explained}</Text>
      <p>
        {WORDS.usedUntil(used, uses)} <Moment at={until} />
        {WORDS.allowedBy} {by.name ?? by.kind} {WORDS.withText}{" "}
        <To href={`/console/holds/${holdId}`}>{WORDS.answer}</To>
        {grant.last_used_at === undefined ? null : (
          <>
            {WORDS.lastUsed} <Moment at={grant.last_used_at} />
          </>
        )}
      </p>
      {isOver || api.state.role === "auditor" ? null : (
        <Sure
          label={WORDS.revoke}
          question={WORDS.suchCallsAre}
          act={() => api.send("DELETE", `/v1/grants/${encodeURIComponent(id)}`)}
          onDone={onChange}
          isDanger
        />
      )}
    </li>
  );
}
