/** Who else is an admin, so that an identity provider's groups never take the role of the last one. */

import { type Account, accountId, type Person } from "../../kernel/people/person.ts";
import type { Store } from "../../store/port.ts";

const PAGE = 200;

interface SigningIn {
  readonly person: Person;
  /** One other active admin, or nobody. The kernel looks again under its lock. */
  readonly otherAdmins: readonly string[];
}

/** `undefined`: the account is not an active admin's. */
export async function adminSigningIn(
  store: Store,
  workspace: string,
  account: Omit<Account, "at" | "linkedBy">,
): Promise<SigningIn | undefined> {
  const [owner] = await store.load([
    { workspace, kind: "account", id: accountId(account), read: true } as const,
  ]);
  if (owner === undefined) return undefined;
  const { personId: id } = owner.body;
  const [found] = await store.load([{ workspace, kind: "person", id, read: true } as const]);
  if (found === undefined || !isAdmin(found.body)) return undefined;
  return { person: found.body, otherAdmins: await anotherAdmin(store, workspace, id) };
}

async function anotherAdmin(store: Store, workspace: string, personId: string): Promise<readonly string[]> {
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after };
    const people = await store.query({ workspace, kind: "person", limit: PAGE, ...from });
    const other = people.find(({ id, body }) => id !== personId && isAdmin(body));
    if (other !== undefined) return [other.id];
    if (people.length < PAGE) return [];
    after = people.at(-1)?.id;
  }
}

function isAdmin({ status, role, erasedAt }: Person): boolean {
  return status === "active" && role === "admin" && erasedAt === undefined;
}

export function keptWords({ id }: Person): string {
  return `The groups of ${id} do not make them an admin any more. They keep the role: no other active admin is left. Their sessions ended. Make another person an admin, or run "holdpoint people recover ${id}" on the server's machine.`;
}
