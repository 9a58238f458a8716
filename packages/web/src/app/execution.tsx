/** What became of an approval, and what an operator can still do about it. */

import type { Hold } from "@holdpoint/protocol/client";
import { hasUsesLeft, isGranting } from "@holdpoint/protocol/rules";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi } from "./hooks.ts";
import { Badge, Sure } from "./parts.tsx";

interface ExecutionProps {
  readonly hold: Hold;
  readonly onChanged: () => void;
}

export function Execution({ hold, onChanged }: ExecutionProps): ReactNode {
  const api = useApi();
  const { claim, claims = 0, revoked, outcome } = hold;
  if (outcome?.kind !== "decided" || !isGranting(hold, outcome.action)) return null;
  const isUsedUp = claim?.state === "done" && !hasUsesLeft(hold, claims);
  return (
    <section className="app-panel">
      <h2>Execution</h2>
      {claim === undefined ? (
        <p>Nobody has claimed it yet.</p>
      ) : (
        <dl className="app-facts">
          <div>
            <dt>Claimed by</dt>
            <dd>
              <Text>{claim.claimedBy}</Text> <Badge>{claim.state}</Badge>
            </dd>
          </div>
          <div>
            <dt>{claim.endedAt === undefined ? "Until" : "Ended"}</dt>
            <dd>
              <Moment at={claim.endedAt ?? claim.until} />
            </dd>
          </div>
        </dl>
      )}
      {revoked === undefined ? null : (
        <p>
          <strong>Taken back</strong> <Moment at={revoked.at} />. It cannot be claimed any more.
        </p>
      )}
      <div className="app-tools">
        {claim === undefined || claim.state === "done" ? null : (
          <Sure
            label="Release the claim"
            question="Only if you know that it did not run: it can then be claimed and run again."
            act={() => api.send("POST", `/v1/holds/${hold.id}/claim/release`, {})}
            onDone={onChanged}
          />
        )}
        {revoked !== undefined || isUsedUp ? null : (
          <Sure
            label="Take the approval back"
            question="It can then not be claimed any more. What already ran is not undone."
            act={() => api.send("POST", `/v1/holds/${hold.id}/revoke`)}
            onDone={onChanged}
          />
        )}
      </div>
    </section>
  );
}
