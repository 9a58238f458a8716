/** Which attempt to reach people a suspension has come to, and what a hook is shown of it. */

import type { Suspension } from "./types.ts";

const INTERVAL_SECONDS = 3600;

/** By the schedule alone: what an agent goes by when it has heard nothing. The placing is the first. */
export function attemptBy(suspension: Suspension, now: number): number {
  const { suspended_at: at, retry_policy: policy, timeout_seconds: timeout } = suspension;
  const most = policy?.max_attempts ?? 1;
  const startedAt = at === undefined ? Number.NaN : Date.parse(at);
  if (Number.isNaN(startedAt) || most <= 1) return 1;
  const intervalMs = (policy?.interval_seconds || timeout || INTERVAL_SECONDS) * 1000;
  return Math.min(most, 1 + Math.max(0, Math.floor((now - startedAt) / intervalMs)));
}

/** As a hook sees it: the attempt in its context, and the channel that this attempt goes by. The record itself stays as it is. */
export function atAttempt(suspension: Suspension, attempt: number): Suspension {
  const steps = (suspension.retry_policy?.escalation_ladder ?? []).filter((step) => step.attempt === attempt);
  const channel = steps.findLast(({ channel_hint: hint }) => hint)?.channel_hint ?? suspension.channel_hint;
  const most = suspension.retry_policy?.max_attempts ?? 1;
  return {
    ...suspension,
    ...(channel === undefined ? {} : { channel_hint: channel }),
    context: { ...suspension.context, _attempt: attempt, _max_attempts: most },
  };
}
