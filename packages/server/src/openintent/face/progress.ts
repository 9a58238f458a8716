/** The progress of a workflow: counts of the portfolio's members by status, and the phases that wait for a person. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { indexed, loadIntents, statusCountsOf } from "../reads/graphs.ts";
import type { SeenIntent } from "../reads/intents.ts";
import { aggregateOf, memberCountsId } from "../rules/graph/status-counts.ts";
import { type Intent, openSuspension, SUSPENDED } from "../rules/intent/intent.ts";
import { may } from "../rules/intent/who.ts";
import { wireTime } from "../rules/intent/wire-time.ts";
import type { Portfolio } from "../rules/portfolio/portfolio.ts";
import { phaseNameOf } from "../rules/workflow/phases.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { timeOrNull } from "./present.ts";

export async function progressOf(
  { workspace, id }: Entity<Portfolio>,
  by: Principal,
  deps: OpenIntentDeps,
): Promise<JsonObject> {
  const { store, clock } = deps.engine;
  const suspended: SeenIntent[] = [];
  for await (const page of indexed(store, workspace, "membership", {
    name: "suspended",
    value: id,
  })) {
    const ids = page.map(({ body }) => body.intentId);
    const found = await loadIntents(store, workspace, ids);
    suspended.push(
      ...(await deps.intents.see(found.filter(({ body }) => may(body, by, "read", clock.now())))),
    );
  }
  const aggregate = aggregateOf(await statusCountsOf(store, workspace, memberCountsId(id)));
  return {
    portfolio_id: id,
    total: aggregate.total,
    completed: aggregate.by_status.completed,
    completion_percentage: aggregate.completion_percentage,
    suspended_phases: suspended.flatMap(phaseOf),
  };
}

function phaseOf(seen: SeenIntent): readonly JsonObject[] {
  const waiting = waitOf(seen);
  if (waiting === undefined) return [];
  return [{ phase_name: phaseNameOf(seen.intent.body), intent_id: seen.intent.id, ...waiting }];
}

/** When an intent began to wait for a person, and until when it waits; `undefined` if it does not wait. */
export function waitOf({ intent, holds }: SeenIntent): JsonObject | undefined {
  const { body } = intent;
  if (body.status !== SUSPENDED) return undefined;
  const hold = holdOf(body, holds);
  return {
    suspended_since: wireTime(hold?.createdAt ?? body.updatedAt),
    expires_at: timeOrNull(hold?.expiresAt),
  };
}

function holdOf(intent: Intent, holds: ReadonlyMap<string, Hold>): Hold | undefined {
  const open = openSuspension(intent);
  return open === undefined ? undefined : holds.get(open.holdId);
}
