/** People, asks and commands that tests of the core begin with. Times are small numbers, so that tables read well. */

import type { Ask } from "@holdpoint/protocol/rules";
import type { HoldIn, NewLink } from "../kernel/hold/commands.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import { type Link, linkId } from "../kernel/hold/link.ts";
import type { Principal, Role } from "../kernel/principal.ts";

export const WORKSPACE = "default";
export const NOW = 1_000;

function key(role: Role, name: string): Principal {
  return { role, via: "key", id: `key_${name}`, name };
}

/** `refunder` placed the sample hold. */
export const AGENT = key("agent", "refunder");
export const OTHER_AGENT = key("agent", "stranger");
export const APP = key("app", "shop");
export const OPERATOR = key("operator", "ada");
export const ADMIN = key("admin", "root");
export const AUDITOR = key("auditor", "kay");
export const DEV = key("dev", "dev");

export function reviewer(link: Pick<Link, "id">): Principal {
  return { role: "reviewer", via: "link", id: link.id, name: "" };
}

export const APPROVAL: Ask = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } };
export const INPUT: Ask = {
  type: "input",
  prompt: "Where to?",
  form: { fields: [{ key: "city", label: "City", type: "text", required: true }] },
};

/** A hold to be placed as `h1`, by default an approval that never expires. */
export function holdIn(part: Partial<HoldIn> = {}): HoldIn {
  return { id: "h1", salt: "salt-1", ask: APPROVAL, rungs: [], links: "agent", newLinks: [], ...part };
}

/** An open hold of `refunder`, as it lies in the store. */
export function openHold(
  part: Partial<Hold> & { readonly intentId?: string; readonly intentRequestId?: string } = {},
): Hold {
  return {
    id: "h1",
    ask: APPROVAL,
    digest: "sha256:h1",
    salt: "salt-1",
    status: "open",
    createdBy: AGENT.name,
    creatorKey: AGENT.id,
    createdAt: 0,
    rungs: [],
    attempt: 1,
    links: "agent",
    ...part,
  };
}

export const APPROVED = {
  kind: "decided",
  action: "approve",
  data: {},
  by: { kind: "key", id: OPERATOR.id, name: OPERATOR.name },
  door: "rest",
  at: 500,
} as const;

export function decidedHold(part: Partial<Hold> = {}): Hold {
  return openHold({ status: "decided", outcome: APPROVED, ...part });
}

export function newLink(part: Partial<NewLink> = {}): NewLink {
  return { id: "link_1", hash: "hash-1", purpose: "review", ...part };
}

/** A review link to `h1` that an operator made, as it lies in the store. */
export function link(part: Partial<Link> = {}) {
  const body: Link = {
    ...newLink(),
    holdId: "h1",
    madeAt: 0,
    madeBy: "key:root",
    givenTo: "people",
    ...part,
  };
  return { kind: "link", id: linkId(body.holdId, body.hash), body } as const;
}
