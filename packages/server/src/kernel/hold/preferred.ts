/** Which channel a person is told by, where nobody named one. */

import type { Person } from "../people/person.ts";
import { type Notify, PUSH } from "../platform.ts";
import type { World } from "../world.ts";

/** The one the person prefers, then the usual one, then any that reaches them. */
export function channelFor(to: string | undefined, world: World, notify: Notify): string | undefined {
  const { defaultChannel, kinds = {} } = notify;
  const person = to?.startsWith("person:") ? world.get("person", to.slice("person:".length)) : undefined;
  if (person === undefined) return defaultChannel;
  const wished = [person.preferredChannel, defaultChannel, ...Object.keys(kinds)];
  return wished.find((name) => name !== undefined && reaches(name, person, notify)) ?? defaultChannel;
}

/** A chat needs a linked account and e-mail an address; a person who prefers web push has added a device. Of other channels only the usual one is for everybody. */
function reaches(name: string, person: Person, { kinds = {}, defaultChannel }: Notify): boolean {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined && name === PUSH && person.preferredChannel === PUSH) return true;
  if (kind === "email") return person.email !== undefined;
  if (kind === undefined || kind === "webhook") return name === defaultChannel;
  return person.accounts.some(({ platform }) => platform === kind);
}
