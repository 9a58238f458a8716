/** Whether a person is suspended, by id or by the recipient that a link was made for. */

import { emailAccountId, type Person } from "../kernel/people/person.ts";
import type { Store } from "../store/port.ts";

export async function personRow(store: Store, workspace: string, id: string): Promise<Person | undefined> {
  const [person] = await store.load([{ workspace, kind: "person", id, read: true }]);
  return person?.body;
}

export async function isSuspended(store: Store, workspace: string, personId: string): Promise<boolean> {
  return (await personRow(store, workspace, personId))?.status === "suspended";
}

/** A recipient is the id of a person or an e-mail address. An address that no person has is nobody's. */
export async function isSuspendedRecipient(
  store: Store,
  workspace: string,
  recipient: string,
): Promise<boolean> {
  const id = emailAccountId(recipient);
  const [account] = await store.load([{ workspace, kind: "account", id, read: true }]);
  return isSuspended(store, workspace, account?.body.personId ?? recipient);
}
