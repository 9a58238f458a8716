/** What became of an approval, and what an operator can still do about it. */

import type { Hold } from "@holdpoint/protocol/client";
import { hasUsesLeft, isGranting } from "@holdpoint/protocol/rules";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi } from "./hooks.ts";
import { Badge, Sure } from "./parts.tsx";
import { useNames } from "./queries.ts";

const WORDS = {
  execution: "Execution",
  nobodyHasClaimed: "Nobody has claimed it yet.",
  claimedBy: "Claimed by",
  until: "Until",
  ended: "Ended",
  cannotClaimedAny: ". It cannot be claimed any more.",
  takenBack: "Taken back",
  releaseClaim: "Release the claim",
  onlyIfYou: "Only if you know that it did not run: it can then be claimed and run again.",
  takeApprovalBack: "Take the approval back",
  takeBackConsequence: "It can then not be claimed any more. What already ran is not undone.",
};

interface ExecutionProps {
  readonly hold: Hold;
  readonly onChanged: () => void;
}

export function Execution({ hold, onChanged }: ExecutionProps): ReactNode {
  const nameOf = useNames();
  const api = useApi();
  const { claim, claims = 0, revoked, outcome } = hold;
  if (outcome?.kind !== "decided" || !isGranting(hold, outcome.action)) return null;
  const isUsedUp = claim?.state === "done" && !hasUsesLeft(hold, claims);
  return (
    <section className="app-panel">
      <h2>{WORDS.execution}</h2>
      {claim === undefined ? (
        <p>{WORDS.nobodyHasClaimed}</p>
      ) : (
        <dl className="app-facts">
          <div>
            <dt>{WORDS.claimedBy}</dt>
            <dd>
              <Text>{nameOf(claim.claimedBy)}</Text> <Badge>{claim.state}</Badge>
            </dd>
          </div>
          <div>
            <dt>{claim.endedAt === undefined ? WORDS.until : WORDS.ended}</dt>
            <dd>
              <Moment at={claim.endedAt ?? claim.until} />
            </dd>
          </div>
        </dl>
      )}
      {revoked === undefined ? null : (
        <p>
          <strong>{WORDS.takenBack}</strong> <Moment at={revoked.at} />
          {WORDS.cannotClaimedAny}
        </p>
      )}
      <div className="app-tools">
        {claim === undefined || claim.state === "done" ? null : (
          <Sure
            label={WORDS.releaseClaim}
            question={WORDS.onlyIfYou}
            act={() => api.send("POST", `/v1/holds/${hold.id}/claim/release`, {})}
            onDone={onChanged}
          />
        )}
        {revoked !== undefined || isUsedUp ? null : (
          <Sure
            label={WORDS.takeApprovalBack}
            question={WORDS.takeBackConsequence}
            act={() => api.send("POST", `/v1/holds/${hold.id}/revoke`)}
            onDone={onChanged}
          />
        )}
      </div>
    </section>
  );
}
