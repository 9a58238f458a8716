/** Review links of a hold. */

import type { LinkIn, LinkListOut, LinkOut } from "@holdpoint/protocol";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { isGivenToAsker, type Link, linkId, personOf } from "../../../kernel/hold/link.ts";
import { seesDeliveries } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { freshLink, reviewUrl } from "../../http/links.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { visibleHold } from "./holds.ts";

export async function makeLink(
  caller: Caller,
  holdId: string,
  { to, channel, purpose = "review", actions }: LinkIn,
  deps: CallDeps,
): Promise<LinkOut> {
  const { workspace, by } = caller;
  const hold = await visibleHold(caller, holdId, deps);
  const { link, token } = freshLink(deps.ids, deps.engine.clock.now(), {
    purpose,
    ...(to === undefined ? {} : { recipient: to }),
    ...(channel === undefined ? {} : { channel }),
    ...(actions === undefined ? {} : { actions }),
  });
  accepted(await deps.engine.run({ kind: "make_link", workspace, by, holdId, link }), by);
  const made = await storedLink(workspace, linkId(holdId, link.hash), deps);
  const secret = purpose === "review" ? { url: reviewUrl(deps.publicUrl, holdId, token) } : { token };
  return { ...presentLink(made, hold.body), ...secret };
}

export async function listLinks(caller: Caller, holdId: string, deps: CallDeps): Promise<LinkListOut> {
  const hold = await visibleHold(caller, holdId, deps);
  if (!seesDeliveries(caller.by)) throw fail("not_allowed");
  const links = await linksOf(caller.workspace, hold.id, deps);
  return { links: links.map((link) => presentLink(link, hold.body)) };
}

export async function revokeLink(
  caller: Caller,
  holdId: string,
  id: string,
  deps: CallDeps,
): Promise<LinkOut> {
  const { workspace, by } = caller;
  const hold = await visibleHold(caller, holdId, deps);
  const link = (await linksOf(workspace, holdId, deps)).find((one) => one.id === id);
  if (link === undefined) throw fail("not_found");
  accepted(await deps.engine.run({ kind: "revoke_link", workspace, by, holdId, linkHash: link.hash }), by);
  return presentLink(await storedLink(workspace, linkId(holdId, link.hash), deps), hold.body);
}

async function storedLink(workspace: string, id: string, deps: CallDeps): Promise<Link> {
  const [found] = await deps.engine.store.load([{ workspace, kind: "link", id, read: true }]);
  if (found === undefined) throw fail("not_found");
  return found.body;
}

const PAGE = 500;

/** Reads all links in pages, because every repeated placing under the same key adds one. */
async function linksOf(workspace: string, holdId: string, deps: CallDeps): Promise<readonly Link[]> {
  const prefix = linkId(holdId, "");
  const links: Link[] = [];
  for (let from = {}, isMore = true; isMore; ) {
    const page = await deps.engine.store.query({ workspace, kind: "link", prefix, ...from, limit: PAGE });
    links.push(...page.map(({ body }) => body));
    from = { after: page.at(-1)?.id };
    isMore = page.length === PAGE;
  }
  return links.toSorted((a, b) => a.madeAt - b.madeAt);
}

function presentLink(link: Link, hold: Hold): LinkOut {
  const to = personOf(link, hold);
  return {
    id: link.id,
    hold_id: link.holdId,
    purpose: link.purpose,
    ...(link.actions === undefined ? {} : { actions: [...link.actions] }),
    ...(to === undefined ? {} : { to }),
    ...(isGivenToAsker(link, hold) ? { given_to: "asker" } : {}),
    ...(link.channel === undefined ? {} : { channel: link.channel }),
    ...(link.attempt === undefined ? {} : { attempt: link.attempt }),
    created_at: time(link.madeAt),
    created_by: link.madeBy,
    ...(link.revokedAt === undefined ? {} : { revoked_at: time(link.revokedAt) }),
  };
}
