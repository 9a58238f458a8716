/** Logs a member's suspension and its end in the member's log, once for each of its portfolios. */

import type { Hold } from "../../../kernel/hold/hold.ts";
import { must } from "../../../kernel/must.ts";
import type { Intent } from "../intent/intent.ts";
import { append, changeIntent, type IntentLog } from "../intent/intent-log.ts";
import { wireTime } from "../intent/wire-time.ts";
import type { Change, Need, World } from "../world.ts";
import { membershipId } from "./portfolio.ts";

export interface Ending {
  readonly suspensionId: string;
  readonly resolution: "responded" | "expired" | "cancelled";
}

/** The membership rows, which say whether the member is suspended. */
export function watchNeeds({ id, portfolios = [] }: Intent): readonly Need[] {
  return portfolios.map(
    (portfolioId) => ({ kind: "membership", id: membershipId(portfolioId, id) }) as const,
  );
}

export function markMember(intentLog: IntentLog, suspended: boolean): IntentLog {
  const changes = marks(intentLog.intent, intentLog.draft, suspended);
  return changes.length === 0 ? intentLog : changeIntent(intentLog, {}, changes);
}

function marks(intent: Intent, world: World, suspended: boolean): readonly Change[] {
  return (intent.portfolios ?? []).map((portfolioId): Change => {
    const id = membershipId(portfolioId, intent.id);
    const { suspended: _before, ...rest } = must(
      world.get("membership", id),
      "the membership of an intent in its portfolio",
    );
    return { kind: "membership", id, body: suspended ? { ...rest, suspended: true } : rest };
  });
}

export function logMemberSuspended(intentLog: IntentLog, hold: Hold, suspensionId: string): IntentLog {
  const { id: intentId } = intentLog.intent;
  return eachPortfolio(intentLog, (portfolioId) => ({
    type: "portfolio.member_suspended",
    payload: {
      portfolio_id: portfolioId,
      intent_id: intentId,
      suspension_id: suspensionId,
      suspended_at: wireTime(hold.createdAt),
      expires_at: hold.expiresAt === undefined ? null : wireTime(hold.expiresAt),
    },
  }));
}

export function logMemberResumed(intentLog: IntentLog, { suspensionId, resolution }: Ending): IntentLog {
  const { id: intentId } = intentLog.intent;
  return eachPortfolio(intentLog, (portfolioId) => ({
    type: "portfolio.member_resumed",
    payload: {
      portfolio_id: portfolioId,
      intent_id: intentId,
      suspension_id: suspensionId,
      resolution,
      resumed_at: wireTime(intentLog.at),
    },
  }));
}

function eachPortfolio(
  intentLog: IntentLog,
  entryFor: (portfolioId: string) => Parameters<typeof append>[1],
): IntentLog {
  return (intentLog.intent.portfolios ?? []).reduce(
    (log, portfolioId) => append(log, entryFor(portfolioId)),
    intentLog,
  );
}
