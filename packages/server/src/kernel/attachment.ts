/**
 * A hold may be attached to something that another domain keeps: `{ domain, id }`. The domain says here what it must see
 * when such a hold is placed or ends, who may act on it, and which facts of its own follow in the same commit. The kernel
 * asks; it does not know who answers.
 */

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

/** What one domain says about the holds that are attached to its entities. */
export interface AttachmentRules {
  /** The entity that a hold is attached to, read from the hold's row. */
  idOf(hold: Hold): string | undefined;
  /** What the hold's row keeps of the attachment. */
  fieldsOf(id: string): Partial<Hold>;
  /** Why a hold ends when `deadlineOf` has passed. */
  readonly deadlineReason: string;

  placeNeeds(id: string, holdId: string, world: World): readonly Need[];
  /** What must be loaded before an attached hold can end, be told about, or be erased. */
  endNeeds(id: string, hold: Hold, world: World): readonly Need[];
  /** A deadline that the hold takes over when it is placed. */
  deadlineOf(id: string, world: World): number | undefined;
  /** Why this caller may not answer or cancel a hold there. */
  whyNotAct(id: string, by: Principal, world: World, now: number): Failure | null;

  /** A hold was placed there. A failure refuses the placing. */
  placed(id: string, hold: Hold, by: Principal, draft: Draft, now: number): Failure | null;
  /** People were told about the hold again. Called before the hold's own facts. */
  told(id: string, hold: Hold, passed: readonly PassedRung[], draft: Draft, at: number): void;
  ended(id: string, hold: Hold, outcome: Outcome, draft: Draft, by: Principal): void;
  /** The hold's content was erased: what the domain quoted of it goes too. */
  erased(id: string, hold: Hold, draft: Draft, by: Principal, at: number): void;
}

/** What a domain does when the last hold of a group has ended. */
export interface GroupRules {
  needs(groupId: string): readonly Need[];
  /** Called before the group's own fact. */
  released(group: Group, draft: Draft, by: Principal, at: number): void;
}

/** All domains that attach to holds or follow groups. */
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
  for (const [domain, rules] of Object.entries(attachments.domains)) {
    const id = rules.idOf(hold);
    if (id !== undefined) return { domain, id, rules };
  }
  return undefined;
}

export function rulesOf(attached: Attached | undefined, { attachments }: World): Attachment | undefined {
  if (attached === undefined) return undefined;
  const rules = attachments.domains[attached.domain];
  if (rules === undefined) throw new Error(`Invariant: no domain is called ${attached.domain}`);
  return { ...attached, rules };
}

/** Why the domain that the hold is attached to does not let this caller act on it. */
export function whyNotAttached(hold: Hold, by: Principal, world: World, now: number): Failure | null {
  const attached = attachmentOf(hold, world);
  return attached === undefined ? null : attached.rules.whyNotAct(attached.id, by, world, now);
}
