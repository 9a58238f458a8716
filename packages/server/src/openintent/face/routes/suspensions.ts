/** Suspensions: ask, answer, cancel. */

import { voteWords } from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Call } from "../../../faces/http/mount.ts";
import { presentHold } from "../../../faces/http/present.ts";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { responseOf } from "../../rules/intent/suspension.ts";
import { ifMatch, madeHold, ran, ranAndSeen, versionTag } from "../enter.ts";
import type { operations, Routes } from "../operations/index.ts";

export const suspensions = {
  suspendIntent(call, deps) {
    const { workspace, by, params, body } = call;
    const record = body as JsonObject;
    const command = { kind: "suspend_intent", workspace, by, intentId: params.id, record } as const;
    return ranAndSeen({ ...command, ...version(call), made: madeHold(deps) }, deps);
  },

  async respondToSuspension(call, deps) {
    const { workspace, params, body } = call;
    const by = withClaims(call.by, body);
    const { suspension_id: suspensionId, value } = body;
    const command = {
      kind: "respond_to_suspension",
      workspace,
      by,
      intentId: params.id,
      suspensionId,
    } as const;
    const given = value === undefined ? {} : { value };
    const intent = await ran({ ...command, ...given, ...version(call), made: madeHold(deps) }, deps);
    const holdId = intent.body.suspension?.holdId ?? "";
    const [found] = await deps.engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
    const hold = found?.body as Hold;
    if (hold.status === "open") {
      const message = voteWords(presentHold(found as Entity<Hold>, by))?.summary ?? "";
      const body = { intent_id: intent.id, suspension_id: suspensionId, resolution: "pending", message };
      return { status: 202, body, headers: versionTag(intent) };
    }
    if (hold.outcome?.kind !== "decided")
      throw new Error(`Invariant: hold ${hold.id} is ${hold.status} after its answer was accepted`);
    const { metadata: _kept, ...response } = responseOf(hold, hold.outcome, false);
    return {
      status: 200,
      body: { intent_id: intent.id, suspension_id: suspensionId, resolution: "responded", ...response },
      headers: versionTag(intent),
    };
  },

  cancelSuspension(call, deps) {
    const { workspace, by, params, body } = call;
    const reason = body.reason ?? undefined;
    const command = { kind: "cancel_suspension", workspace, by, intentId: params.id } as const;
    const more = { suspensionId: body.suspension_id, ...(reason === undefined ? {} : { reason }) };
    return ranAndSeen({ ...command, ...more }, deps);
  },
} satisfies Routes;

function version(call: Pick<Call, "header">): { readonly ifVersion?: number } {
  const ifVersion = ifMatch(call);
  return ifVersion === undefined ? {} : { ifVersion };
}

/** Names that a client sends are stored as claimed, because nobody has checked them. */
function withClaims(by: Principal, body: Call<typeof operations.respondToSuspension>["body"]): Principal {
  const { responded_by: name, metadata } = body;
  const claimed = {
    ...(name === null || name === undefined ? {} : { name }),
    ...(metadata === null || metadata === undefined ? {} : { metadata }),
  };
  return Object.keys(claimed).length === 0 ? by : { ...by, claimed };
}
