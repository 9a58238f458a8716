/** Passkeys in the console. Adding one needs a fresh sign-in; admins see and remove those of everybody. */

import { isOwn } from "../../../kernel/access/sessions.ts";
import type { Entity } from "../../../kernel/entity.ts";
import type { Passkey } from "../../../kernel/passkey/passkey.ts";
import { seesSettings } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { presentAsked } from "../../http/passkey.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const passkeys = {
  async startPasskey(call, deps) {
    return { status: 200, body: presentAsked(await deps.passkeys.toAdd(call)) };
  },

  async addPasskey(call, deps) {
    const { id, credential, name = "Passkey" } = call.body;
    const added = accepted(await deps.passkeys.add(call, id, credential, name), call.by);
    return { status: 201, body: presentPasskey(added) };
  },

  async listPasskeys({ workspace, by, query }, deps) {
    const { person = by.name } = query ?? {};
    // An agent may have the name of a person, and has no passkeys.
    if (!isOwn({ name: person }, by) && !seesSettings(by)) throw fail("not_allowed");
    const { store } = deps.engine;
    const [found] = await store.load([{ workspace, kind: "person", id: person, read: true }]);
    const wanted = (found?.body.passkeys ?? []).map(
      (id) => ({ workspace, kind: "passkey", id, read: true }) as const,
    );
    const rows = await store.load(wanted);
    const inOrder = rows.toSorted((one, other) => one.body.madeAt - other.body.madeAt);
    return { status: 200, body: { passkeys: inOrder.map(presentPasskey) } };
  },

  async removePasskey({ workspace, by, params }, deps) {
    const known = { workspace, kind: "passkey", id: params.id, read: true } as const;
    const [before] = await deps.engine.store.load([known]);
    accepted(await deps.engine.run({ kind: "remove_passkey", workspace, by, passkeyId: params.id }), by);
    if (before === undefined) throw fail("not_found");
    return { status: 200, body: presentPasskey(before) };
  },
} satisfies Routes;

function presentPasskey({ body }: Entity<Passkey>) {
  const { id, personId: person, name, relyingParty: host, madeAt, lastUsedAt } = body;
  return {
    ...{ id, person, name, host, created_at: time(madeAt) },
    ...(lastUsedAt === undefined ? {} : { last_used_at: time(lastUsedAt) }),
  };
}
