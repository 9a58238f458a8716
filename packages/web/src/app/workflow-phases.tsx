/** The phases of a workflow, one after the other, with what waits for a person; and what all views of containers share. */

import type { HoldListOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "./hooks.ts";
import { Badge, To } from "./parts.tsx";
import { type Phase, shownOf } from "./workflow.ts";

const WORDS = {
  done: (percent: number) => `${percent} % done`,
  suspended: "Waits for a person",
  since: "since",
  until: ", until",
  after: (names: string) => `after ${names}`,
  first: "begins at once",
  here: "(this one)",
  open: "Open the question",
};

export interface Progress {
  readonly completion_percentage: number;
  readonly total: number;
  readonly completed?: number;
}

interface Suspended {
  readonly intent_id: string;
  readonly suspended_since: string;
  readonly expires_at: string | null;
}

export function Bar({ progress }: { readonly progress: Progress }): ReactNode {
  const { completion_percentage: percent } = progress;
  return (
    <p className="app-progress">
      <progress value={percent} max={100} aria-label={WORDS.done(percent)} /> {WORDS.done(percent)}
    </p>
  );
}

interface SinceProps {
  readonly since: string;
  readonly until: string | null;
}

export function WaitingSince({ since, until }: SinceProps): ReactNode {
  return (
    <small>
      {WORDS.since} <Moment at={since} />
      {until === null ? null : (
        <>
          {WORDS.until} <Moment at={until} />
        </>
      )}
    </small>
  );
}

interface QuestionProps {
  readonly intentId: string;
  /** If it is known already. */
  readonly holdId: string | undefined;
}

/** A way to the hold that another intent waits for. */
export function QuestionOf({ intentId, holdId }: QuestionProps): ReactNode {
  return holdId === undefined ? (
    <FoundQuestion intentId={intentId} />
  ) : (
    <To href={`/console/holds/${holdId}`}>{WORDS.open}</To>
  );
}

function FoundQuestion({ intentId }: Pick<QuestionProps, "intentId">): ReactNode {
  const api = useApi();
  const path = `/v1/holds?intent_id=${encodeURIComponent(intentId)}&status=open&limit=1`;
  const { value } = useLoaded(() => api.get<HoldListOut>(path), path);
  const [hold] = value?.holds ?? [];
  return hold === undefined ? null : <To href={`/console/holds/${hold.id}`}>{WORDS.open}</To>;
}

interface PhasesProps {
  readonly phases: readonly Phase[];
  readonly suspended: readonly Suspended[];
  /** The holds that members wait for, by their intents. */
  readonly holds: ReadonlyMap<string, string>;
  readonly intentId: string;
}

export function WorkflowPhases({ phases, suspended, holds, intentId }: PhasesProps): ReactNode {
  const waiting = new Map(suspended.map((each) => [each.intent_id, each]));
  const rank = (phase: Phase) => (phase.intentId === intentId ? 0 : waiting.has(phase.intentId) ? 1 : 2);
  return (
    <ol className="app-ladder">
      {shownOf(phases, rank).map((phase) => {
        const wait = waiting.get(phase.intentId);
        const how = phase.status === "completed" ? "done" : "waiting";
        return (
          <li key={phase.intentId} className={`app-rung app-rung-${how}`}>
            <span className="app-rung-title">
              <Text>{phase.name}</Text> <Badge>{wait === undefined ? phase.status : WORDS.suspended}</Badge>
            </span>{" "}
            {phase.intentId === intentId ? WORDS.here : null}
            {wait === undefined || phase.intentId === intentId ? null : (
              <QuestionOf intentId={phase.intentId} holdId={holds.get(phase.intentId)} />
            )}
            <small>
              <Text>{phase.after.length === 0 ? WORDS.first : WORDS.after(phase.after.join(", "))}</Text>
            </small>
            {wait === undefined ? null : (
              <WaitingSince since={wait.suspended_since} until={wait.expires_at} />
            )}
          </li>
        );
      })}
    </ol>
  );
}
