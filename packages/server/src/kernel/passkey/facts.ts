/** Facts about passkeys. The log has ids and people; keys and challenges stay in the rows (G9). */

import { NO_SETTINGS } from "../access/access.ts";
import type { FactTable } from "../domain.ts";
import { messageAbout } from "../message.ts";
import type { Person } from "../people/person.ts";
import type { Change, World } from "../world.ts";
import type { Challenge, Passkey } from "./passkey.ts";

export type PasskeyFact =
  | { readonly type: "challenge.made"; readonly challenge: Challenge }
  | { readonly type: "challenge.ended" }
  | { readonly type: "passkey.added" | "passkey.removed"; readonly passkey: Passkey }
  | { readonly type: "passkey.host_noted"; readonly host: string }
  /** Not written to the log: what the passkey signed is there. */
  | { readonly type: "passkey.used"; readonly passkey: Passkey };

interface HasPasskey {
  readonly passkey: Passkey;
}

function passkeyData({ passkey: { id, personId, name, relyingParty } }: HasPasskey) {
  return { passkey_id: id, person_id: personId, name, host: relyingParty };
}

/** The person's row lists their passkeys; both change in the same commit. */
function listed(world: World, { id, personId }: Passkey, isAdded: boolean): Change {
  const person = world.get("person", personId) as Person;
  const others = (person.passkeys ?? []).filter((other) => other !== id);
  return { kind: "person", id: personId, body: { ...person, passkeys: isAdded ? [...others, id] : others } };
}

export const PASSKEY_FACTS: FactTable<PasskeyFact> = {
  "challenge.made": {
    evolve: (_world, id, { challenge }) => [{ kind: "challenge", id, body: challenge }],
    log: () => null,
  },
  "challenge.ended": {
    evolve: (_world, id) => [{ kind: "challenge", id, body: null }],
    log: () => null,
  },
  "passkey.added": {
    evolve: (world, id, { passkey }) => [
      { kind: "passkey", id, body: passkey },
      listed(world, passkey, true),
    ],
    log: passkeyData,
    messages: (_record, event, world) =>
      (world.get("workspace", "settings") ?? NO_SETTINGS).webhooks
        .filter(({ events }) => events.length === 0 || events.includes(event.type))
        .map(({ id, lane = id }) => ({
          ...messageAbout(event, event.stream, "webhook", id, lane, {}),
          holdId: null,
        })),
  },
  "passkey.removed": {
    evolve: (world, id, { passkey }) => [{ kind: "passkey", id, body: null }, listed(world, passkey, false)],
    log: passkeyData,
  },
  "passkey.host_noted": {
    evolve: (_world, id, { host }) => [{ kind: "passkey_host", id, body: { host } }],
    log: ({ host }) => ({ host }),
  },
  "passkey.used": {
    evolve: (_world, id, { passkey }) => [{ kind: "passkey", id, body: passkey }],
    log: () => null,
  },
};
