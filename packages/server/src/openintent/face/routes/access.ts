/** Access lists. */

import type * as z from "zod";
import { aclOf } from "../../rules/intent/acl.ts";
import type { AclEntryIn } from "../../rules/intent/commands.ts";
import { readTime } from "../../rules/intent/wire-time.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter, fresh, ran } from "../enter.ts";
import type { Routes } from "../operations/index.ts";
import { presentAcl, presentEntry } from "../present.ts";
import type { GrantIn } from "../wire/work.ts";

export const access = {
  async getAcl(call, deps) {
    return { status: 200, body: presentAcl((await enter(call.params.id, call, deps)).intent.body) };
  },

  async setAcl(call, deps) {
    const { workspace, by, params, body } = call;
    const entries = (body.entries ?? []).map((entry) => entryOf(entry, deps));
    const policy = body.default_policy ?? "open";
    const intent = await ran({ kind: "set_acl", workspace, by, intentId: params.id, policy, entries }, deps);
    return { status: 200, body: presentAcl(intent.body) };
  },

  async grantAccess(call, deps) {
    const { workspace, by, params, body } = call;
    const entry = entryOf(body, deps);
    const intent = await ran({ kind: "grant_access", workspace, by, intentId: params.id, entry }, deps);
    const made = aclOf(intent.body).entries.find(({ id }) => id === entry.id);
    if (made === undefined) throw new Error("Invariant: an entry that was granted is not in the access list");
    return { status: 200, body: presentEntry(made) };
  },

  async revokeAccess(call, deps) {
    const { workspace, by, params } = call;
    await ran({ kind: "revoke_access", workspace, by, intentId: params.id, entryId: params.entry_id }, deps);
    return { status: 204 };
  },
} satisfies Routes;

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
