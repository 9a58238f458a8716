/** Shared parts of the handlers: load the intent that the caller may see, run a command, reply with the result. */

import type { EntityOf } from "../../domains.ts";
import { fail } from "../../faces/http/failure.ts";
import type { Call } from "../../faces/http/mount.ts";
import type { HttpReply } from "../../faces/http/respond.ts";
import type { Entity } from "../../kernel/entity.ts";
import { type Principal, SYSTEM } from "../../kernel/principal.ts";
import type { SeenIntent } from "../reads/intents.ts";
import type { CreateIntent, IntentCommand, MadeHold, OnOneIntent } from "../rules/intent/commands.ts";
import type { Intent, Level } from "../rules/intent/intent.ts";
import { whyNot } from "../rules/intent/who.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { intentFailure, refusedIntent } from "./errors.ts";
import { followUp } from "./follow-up.ts";
import { presentIntent } from "./present.ts";

type From = Pick<Call, "workspace" | "by">;

export async function enter(
  intentId: string,
  { workspace, by }: From,
  deps: OpenIntentDeps,
  level: Level = "read",
): Promise<SeenIntent> {
  const seen = await deps.intents.get(workspace, intentId);
  if (seen === undefined)
    throw fail("not_found", "there is no intent with this id, or this key may not read it");
  const denied = whyNot(seen.intent.body, by, level, deps.engine.clock.now());
  if (denied !== null) throw refusedIntent(denied);
  return seen;
}

type OnIntent = Extract<IntentCommand, CreateIntent | OnOneIntent>;

export async function ran(command: OnIntent, deps: OpenIntentDeps): Promise<EntityOf<"intent">> {
  const result = await deps.engine.run(command);
  if (!result.ok) throw refusedIntent(result.failure);
  return followed(result.entity, deps);
}

export function followed(
  changed: EntityOf<"intent">,
  { engine }: OpenIntentDeps,
): Promise<EntityOf<"intent">> {
  const { workspace, id } = changed;
  const tick = { kind: "tick_intent", workspace, by: SYSTEM, intentId: id } as const;
  return followUp(changed, engine.clock, async () => {
    const result = await engine.run(tick).catch(() => undefined);
    return result?.ok === true ? result.entity : undefined;
  });
}

/** Replies with the intent after a command, as the caller may see it. */
export async function ranAndSeen(command: OnIntent, deps: OpenIntentDeps): Promise<HttpReply> {
  const entity = await ran(command, deps);
  return seenReply({ entity }, command.by, deps);
}

export async function seenReply(
  { entity }: { readonly entity: EntityOf<"intent"> },
  by: Principal,
  deps: OpenIntentDeps,
): Promise<HttpReply> {
  const [seen] = await deps.intents.see([entity]);
  return seen === undefined ? { status: 500 } : intentReply(seen, by);
}

export async function intentReply(seen: SeenIntent, by: Principal): Promise<HttpReply> {
  return { status: 200, body: await presentIntent(seen, by), headers: versionTag(seen.intent) };
}

export function versionTag({ body }: Entity<Intent>): { readonly etag: string } {
  return { etag: `"${body.version}"` };
}

/** The version in `If-Match`: `3`, `"3"` or `W/"3"`. Any other value counts as absent. */
export function ifMatch(call: Pick<Call, "header">): number | undefined {
  const match = /^(?:W\/)?"?(\d{1,15})"?$/.exec(call.header("if-match")?.trim() ?? "");
  return match === null ? undefined : Number(match[1]);
}

export function ifMatchOrRefuse(call: Pick<Call, "header">): number {
  const version = ifMatch(call);
  if (version === undefined)
    throw intentFailure("if_match_required", "If-Match with the intent's version is required");
  return version;
}

export function madeHold({ ids, engine }: OpenIntentDeps): MadeHold {
  return { holdId: `hold_${ids.next(engine.clock.now())}`, salt: ids.salt() };
}

export function fresh(prefix: string, { ids, engine }: OpenIntentDeps): string {
  return `${prefix}_${ids.next(engine.clock.now())}`;
}
