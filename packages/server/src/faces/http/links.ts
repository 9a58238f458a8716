/** Makes links: the URL contains the token, the command only its hash. */

import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import type { NewLink } from "../../kernel/hold/commands.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { givesLinksToAsker } from "../../kernel/hold/link.ts";
import type { Platform } from "../../kernel/platform.ts";
import { tokenHash } from "../../system/digest.ts";
import type { Ids } from "../../system/ids.ts";

export interface FreshLink {
  readonly link: NewLink;
  readonly token: string;
}

export function freshLink(ids: Ids, now: number, rest: Omit<NewLink, "id" | "hash">): FreshLink {
  const token = ids.token();
  return { token, link: { id: `link_${ids.next(now)}`, hash: tokenHash(token), ...rest } };
}

export function reviewUrl(publicUrl: string, holdId: string, token: string): string {
  return `${publicUrl}/review/${caseIdOf(holdId)}?token=${token}`;
}

/** The review URL for the caller that placed the hold; absent if the hold has ended or its asker gets no links. */
export function handedUrl(
  publicUrl: string,
  hold: Hold,
  token: string | undefined,
  platform: Platform,
): string | undefined {
  const isKept = token !== undefined && hold.status === "open" && givesLinksToAsker(hold, platform);
  return isKept ? reviewUrl(publicUrl, hold.id, token) : undefined;
}
