/** Whether a person is suspended, by id or by the link that was made for them. An erased person is suspended too. */

import type { Link } from "../kernel/hold/link.ts";
import { emailAccountId, type Person, personMeant } from "../kernel/people/person.ts";
import type { Store } from "../store/port.ts";

export async function personRow(store: Store, workspace: string, id: string): Promise<Person | undefined> {
  const [person] = await store.load([{ workspace, kind: "person", id, read: true }]);
  return person?.body;
}

export async function isSuspended(store: Store, workspace: string, personId: string): Promise<boolean> {
  return (await personRow(store, workspace, personId))?.status === "suspended";
}

/**
 * Whether the person whom a link was made for is suspended or erased: the one whom it names, or the one whom its recipient means
 * now. Links of earlier versions name nobody. A recipient is the id of a person or an e-mail address; an address that no person
 * has is nobody's.
 */
export async function isForSuspended(
  { recipient, personId }: Pick<Link, "recipient" | "personId">,
  store: Store,
  workspace: string,
): Promise<boolean> {
  if (recipient === undefined) return false;
  const account = { workspace, kind: "account", id: emailAccountId(recipient), read: true } as const;
  const [owner] = await store.load([account]);
  const meant = personMeant(recipient, owner?.body);
  const ids = new Set([meant, personId ?? meant]);
  const people = await store.load(
    [...ids].map((id) => ({ workspace, kind: "person", id, read: true }) as const),
  );
  return people.some(({ body }) => body.status === "suspended");
}
