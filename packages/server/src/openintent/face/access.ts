/** Access lists. */

import type { Hono } from "hono";
import type * as z from "zod";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import { aclOf } from "../rules/intent/acl.ts";
import type { AclEntryIn } from "../rules/intent/commands.ts";
import { readTime } from "../rules/intent/wire-time.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { enter, fresh, ran } from "./enter.ts";
import { operations } from "./operations/index.ts";
import { presentAcl, presentEntry } from "./present.ts";
import type { GrantIn } from "./wire/work.ts";

export function mountAccess(app: Hono, deps: OpenIntentDeps, options: MountOptions): void {
  mount(app, operations.getAcl, (call) => read(call, deps), options);
  mount(app, operations.setAcl, (call) => replace(call, deps), options);
  mount(app, operations.grantAccess, (call) => grant(call, deps), options);
  mount(app, operations.revokeAccess, (call) => revoke(call, deps), options);
}

async function read(call: Call<typeof operations.getAcl>, deps: OpenIntentDeps) {
  return { status: 200, body: presentAcl((await enter(call.params.id, call, deps)).intent.body) };
}

async function replace(call: Call<typeof operations.setAcl>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const entries = (body.entries ?? []).map((entry) => entryOf(entry, deps));
  const policy = body.default_policy ?? "open";
  const intent = await ran({ kind: "set_acl", workspace, by, intentId: params.id, policy, entries }, deps);
  return { status: 200, body: presentAcl(intent.body) };
}

function entryOf(entry: z.infer<typeof GrantIn>, deps: OpenIntentDeps): AclEntryIn {
  const expiresAt = readTime(entry.expires_at ?? "") ?? undefined;
  const reason = entry.reason ?? undefined;
  return {
    id: fresh("acl", deps),
    principalId: entry.principal_id,
    principalType: entry.principal_type ?? "agent",
    permission: entry.permission,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(reason === undefined ? {} : { reason }),
  };
}

async function grant(call: Call<typeof operations.grantAccess>, deps: OpenIntentDeps) {
  const { workspace, by, params, body } = call;
  const entry = entryOf(body, deps);
  const intent = await ran({ kind: "grant_access", workspace, by, intentId: params.id, entry }, deps);
  const made = aclOf(intent.body).entries.find(({ id }) => id === entry.id);
  if (made === undefined) throw new Error("an entry that was granted is there");
  return { status: 200, body: presentEntry(made) };
}

async function revoke(call: Call<typeof operations.revokeAccess>, deps: OpenIntentDeps) {
  const { workspace, by, params } = call;
  await ran({ kind: "revoke_access", workspace, by, intentId: params.id, entryId: params.entry_id }, deps);
  return { status: 204 };
}
