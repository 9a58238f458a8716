/** The person behind an account that pressed a button, or why the account stands for nobody (K1). */

import { accountId, currentPerson, emailAccountId } from "../people/person.ts";
import type { Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import type { ChatMessage, Presser, PressRefusal } from "./chat.ts";

export function presserAccount({ platform, tenant, userId }: Presser): string {
  return accountId({ platform, userId, ...(tenant === undefined ? {} : { tenant }) });
}

export function presserNeeds(presser: Presser, world: World): readonly Need[] {
  const { email } = presser;
  const ids = [presserAccount(presser), ...(email === undefined ? [] : [emailAccountId(email)])];
  const person = ownerOf(presser, world);
  return [
    ...ids.map((id) => ({ kind: "account", id, read: true as const })),
    ...(person === undefined ? [] : [{ kind: "person", id: person, read: true as const }]),
  ];
}

/** The account's own link comes first. An address counts only where the operator trusts the platform with it. */
function ownerOf(presser: Presser, world: World): string | undefined {
  const linked = world.get("account", presserAccount(presser))?.personId;
  if (linked !== undefined || presser.email === undefined) return linked;
  return isOutsider(presser) ? undefined : world.get("account", emailAccountId(presser.email))?.personId;
}

function isOutsider({ isGuest, isForeign }: Presser): boolean {
  return isGuest === true || isForeign === true;
}

/** The principal who acts, or why nobody does. Bots, guests and foreign tenants are refused unless they are linked. */
export function principalOf(
  presser: Presser,
  message: ChatMessage,
  world: World,
): Principal | { readonly refused: PressRefusal } {
  if (presser.isBot === true) return { refused: "bot" };
  const owner = ownerOf(presser, world);
  if (owner === undefined) return { refused: isOutsider(presser) ? "foreign" : "not_linked" };
  const person = currentPerson(world, owner);
  if (person?.status !== "active") return { refused: "suspended" };
  return { role: person.role, via: "channel", id: doorOf(presser, message), name: person.id };
}

/** Which chat the answer came from. A direct chat has the account's number as its name, so the log does not get it (G9). */
function doorOf({ platform }: Presser, { channel, isDirect, ref }: ChatMessage): string {
  const door = channel === platform ? platform : `${platform}:${channel}`;
  return isDirect === true || ref === undefined ? door : `${door}/${ref.chat}`;
}
