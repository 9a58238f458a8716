/** Fresh links: the raw token lives in the URL that is handed out, its hash goes into the command. */

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

/** The address to hand to whoever placed the hold: only where the link of this token was kept with it. */
export function handedUrl(
  publicUrl: string,
  hold: Hold,
  token: string | undefined,
  platform: Platform,
): string | undefined {
  const isKept = token !== undefined && hold.status === "open" && givesLinksToAsker(hold, platform);
  return isKept ? reviewUrl(publicUrl, hold.id, token) : undefined;
}
