/** Withdrawing a case: by whoever holds its link, or by the agent that asked. Nobody has decided then (G5). */

import { hitlOperations } from "@holdpoint/protocol/hitl";
import type { Context, Hono } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import type { CancelHold } from "../../kernel/hold/commands.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { MountOptions } from "../http/mount.ts";
import type { HitlDeps } from "./deps.ts";
import { bearerOf, byKey, enter, findCase, findOwnCase } from "./enter.ts";
import { mountDoor } from "./entrants.ts";
import { refusedCase, settledTrouble } from "./errors.ts";
import { statusOf } from "./poll.ts";

export function mountCancel(app: Hono, deps: HitlDeps, mounting: MountOptions): void {
  const letIn = (c: Context, ip: string) => come(c, ip, deps);
  mountDoor(app, hitlOperations.cancelCase, { mounting, letIn }, (who, { body }) =>
    cancel(who, body.reason, deps),
  );
}

interface Comer extends Pick<CancelHold, "linkHash"> {
  readonly hold: Entity<Hold>;
  readonly workspace: string;
  readonly by: Principal;
}

async function come(c: Context, ip: string, deps: HitlDeps): Promise<Comer> {
  if (bearerOf(c) === undefined && c.req.header("x-api-key") === undefined) {
    const { link, ...entrant } = await enter(c, ip, { takes: ["review"] }, deps);
    return { ...entrant, linkHash: link.hash };
  }
  const caseId = c.req.param("case_id") ?? "";
  await findCase(caseId, deps);
  const { workspace, principal } = await byKey(c, ip, deps);
  const hold = await findOwnCase(caseId, workspace, principal, deps);
  if (hold.body.status !== "open") throw settledTrouble(hold.body);
  return { hold, workspace, by: principal };
}

async function cancel({ hold, workspace, by, linkHash }: Comer, reason: string | undefined, deps: HitlDeps) {
  const result = await deps.engine.run({
    kind: "cancel_hold",
    workspace,
    by,
    holdId: hold.id,
    ...(linkHash === undefined ? {} : { linkHash }),
    ...(reason === undefined ? {} : { reason }),
  });
  if (!result.ok) throw refusedCase(result.failure, result.hold);
  const body = statusOf(result.entity, by, deps);
  return { status: 200, body, headers: { "cache-control": "no-store" } };
}
