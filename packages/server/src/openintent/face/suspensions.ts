/** Asking, answering and taking back. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Hono } from "hono";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { responseOf } from "../rules/intent/suspension.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { ifMatch, madeHold, ran, ranAndSeen, versionTag } from "./enter.ts";
import { operations } from "./operations/index.ts";

export function mountSuspensions(app: Hono, deps: OpenIntentDeps, options: MountOptions): void {
  mount(app, operations.suspendIntent, (call) => suspend(call, deps), options);
  mount(app, operations.respondToSuspension, (call) => respond(call, deps), options);
  mount(app, operations.cancelSuspension, (call) => cancel(call, deps), options);
}

function suspend(call: Call<typeof operations.suspendIntent>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const record = body as unknown as JsonObject;
  const command = { kind: "suspend_intent", workspace, by, intentId: params.id, record } as const;
  return ranAndSeen({ ...command, ...version(call), made: madeHold(deps) }, deps);
}

function version(call: Pick<Call, "header">): { readonly ifVersion?: number } {
  const ifVersion = ifMatch(call);
  return ifVersion === undefined ? {} : { ifVersion };
}

async function respond(call: Call<typeof operations.respondToSuspension>, deps: OpenIntentDeps) {
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
  if (hold.outcome?.kind !== "decided") throw new Error("an accepted answer has decided the hold");
  const { metadata: _kept, ...response } = responseOf(hold, hold.outcome, false);
  return {
    status: 200,
    body: { intent_id: intent.id, suspension_id: suspensionId, resolution: "responded", ...response },
    headers: versionTag(intent),
  };
}

/** Names that a client sends are claims, and travel as such. */
function withClaims(by: Principal, body: Call<typeof operations.respondToSuspension>["body"]): Principal {
  const { responded_by: name, metadata } = body;
  const claimed = {
    ...(name === null || name === undefined ? {} : { name }),
    ...(metadata === null || metadata === undefined ? {} : { metadata }),
  };
  return Object.keys(claimed).length === 0 ? by : { ...by, claimed };
}

function cancel(call: Call<typeof operations.cancelSuspension>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const reason = body.reason ?? undefined;
  const command = { kind: "cancel_suspension", workspace, by, intentId: params.id } as const;
  const more = { suspensionId: body.suspension_id, ...(reason === undefined ? {} : { reason }) };
  return ranAndSeen({ ...command, ...more }, deps);
}
