/**
 * A hold may be attached to an entity of another domain: `{ domain, id }`. That domain implements these rules: what
 * must be loaded when such a hold is placed or ends, who may act on it, and which facts of the domain are committed
 * together with it. The kernel calls the rules and does not know which domain implements them.
 */

import type { Context } from "./context.ts";
import type { Draft } from "./draft.ts";
import type { Failure } from "./failure.ts";
import type { Group } from "./hold/group.ts";
import type { Hold, Outcome } from "./hold/hold.ts";
import type { PassedRung } from "./hold/time.ts";
import type { Principal } from "./principal.ts";
import type { Need, World } from "./world.ts";

export interface Attached {
  readonly domain: string;
  readonly id: string;
}

/** The rules of one domain for the holds that are attached to its entities. */
export interface AttachmentRules {
  /** The id of the entity that the hold is attached to, read from the hold's row. */
  idOf(hold: Hold): string | undefined;
  /** The fields of the hold's row that store the attachment. */
  fieldsOf(id: string): Partial<Hold>;
  /**
   * Whether the log names the entity and the store finds holds by it. `false` where the id would reveal private
   * content.
   */
  readonly isNamed: boolean;
  /** The expiry reason of a hold that ends because `deadlineOf` has passed. */
  readonly deadlineReason: string;

  placeNeeds(id: string, holdId: string, world: World): readonly Need[];
  /** What must be loaded before an attached hold can end, send a notification, or be erased. */
  endNeeds(id: string, hold: Hold, world: World): readonly Need[];
  /** What must be loaded before an approved hold can be claimed. */
  claimNeeds(id: string, hold: Hold, world: World): readonly Need[];
  /** A deadline that limits the hold's own expiry time when it is placed. */
  deadlineOf(id: string, world: World): number | undefined;
  /** Why this caller may not answer or cancel a hold there; `null` if they may. */
  whyNotAct(id: string, by: Principal, world: World, now: number): Failure | null;

  /** Why an approved hold may no longer be claimed; `null` if it may. */
  whyNotClaim(id: string, hold: Hold, world: World, context: Context): Failure | null;

  /** Called when a hold is placed there. A failure refuses the placement. */
  placed(id: string, hold: Hold, by: Principal, draft: Draft, now: number): Failure | null;
  /** Called when a rung of the ladder notified people, before the hold's own facts are stated. */
  notified(id: string, hold: Hold, passed: readonly PassedRung[], draft: Draft, at: number): void;
  ended(id: string, hold: Hold, outcome: Outcome, draft: Draft, by: Principal): void;
  /** Called before an approval is revoked: the domain takes back what followed from it. A failure refuses the revocation. */
  revoked?(id: string, draft: Draft, by: Principal, at: number): Failure | null;
  /** Called when the hold's content is erased: the domain erases its copies of it. */
  erased(id: string, hold: Hold, draft: Draft, by: Principal, at: number): void;
}

/** What a domain does when the last hold of a group has ended. */
export interface GroupRules {
  needs(groupId: string): readonly Need[];
  /** Called before the group's own fact. */
  released(group: Group, draft: Draft, by: Principal, at: number): void;
}

/** The rules of all domains that attach to holds or follow groups. */
export interface Attachments {
  readonly domains: Readonly<Record<string, AttachmentRules>>;
  readonly groups: readonly GroupRules[];
}

export interface Attachment {
  readonly domain: string;
  readonly id: string;
  readonly rules: AttachmentRules;
}

export function attachmentOf(hold: Hold, { attachments }: World): Attachment | undefined {
  // Not `Object.entries`: every answer asks this several times, and most holds are attached to nothing.
  for (const domain in attachments.domains) {
    const rules = attachments.domains[domain] as AttachmentRules;
    const id = rules.idOf(hold);
    if (id !== undefined) return { domain, id, rules };
  }
  return undefined;
}

export function rulesOf(attached: Attached | undefined, { attachments }: World): Attachment | undefined {
  if (attached === undefined) return undefined;
  const rules = attachments.domains[attached.domain];
  if (rules === undefined)
    throw new Error(
      `Invariant: a hold is attached to the domain ${attached.domain}, which is not registered`,
    );
  return { ...attached, rules };
}

/** Why the domain that the hold is attached to does not let this caller act on it; `null` if it does. */
export function whyNotAttached(hold: Hold, by: Principal, world: World, now: number): Failure | null {
  const attached = attachmentOf(hold, world);
  return attached === undefined ? null : attached.rules.whyNotAct(attached.id, by, world, now);
}
