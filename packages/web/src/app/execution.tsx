/** What became of an approval, and what an operator can still do about it. */

import type { Hold } from "@holdpoint/protocol/client";
import { hasUsesLeft, isGranting } from "@holdpoint/protocol/rules";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { useApi } from "./hooks.ts";
import { Badge } from "./parts.tsx";

interface ExecutionProps {
  readonly hold: Hold;
  readonly onChanged: () => void;
}

export function Execution({ hold, onChanged }: ExecutionProps): ReactNode {
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
            path={`/v1/holds/${hold.id}/claim/release`}
            onDone={onChanged}
          />
        )}
        {revoked !== undefined || isUsedUp ? null : (
          <Sure
            label="Take the approval back"
            question="It can then not be claimed any more. What already ran is not undone."
            path={`/v1/holds/${hold.id}/revoke`}
            onDone={onChanged}
          />
        )}
      </div>
    </section>
  );
}

interface SureProps {
  readonly label: string;
  readonly question: string;
  readonly path: string;
  readonly onDone: () => void;
}

/** Pressed twice, with what it means in between. */
function Sure({ label, question, path, onDone }: SureProps): ReactNode {
  const api = useApi();
  const [isAsked, setAsked] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  if (!isAsked) {
    return (
      <button type="button" className="app-button" onClick={() => setAsked(true)}>
        {label}
      </button>
    );
  }
  const act = () =>
    void api.send("POST", path, path.endsWith("release") ? {} : undefined).then(
      () => {
        setAsked(false);
        onDone();
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  return (
    <div className="hp-notice" role="alert">
      <p>{trouble ?? question}</p>
      <div className="app-tools">
        <button type="button" className="app-button app-danger" onClick={act}>
          Yes, {label.charAt(0).toLowerCase() + label.slice(1)}
        </button>
        <button type="button" className="app-button" onClick={() => setAsked(false)}>
          No
        </button>
      </div>
    </div>
  );
}
