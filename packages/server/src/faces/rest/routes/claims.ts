/** Links and claims of a hold. */

import { parseDuration } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { isGivenToAsker, type Link, linkId, personOf } from "../../../kernel/hold/link.ts";
import { seesDeliveries } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { freshLink, reviewUrl } from "../../http/links.ts";
import { presentClaim, presentHold, time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { visibleHold } from "./holds.ts";

const LEASE_MS = 5 * 60_000;

export const claims = {
  async makeLink(call, deps) {
    const { workspace, by, body, params } = call;
    const hold = await visibleHold(params.id, workspace, by, deps);
    const { to, channel, purpose = "review", actions } = body;
    const { link, token } = freshLink(deps.ids, deps.engine.clock.now(), {
      purpose,
      ...(to === undefined ? {} : { recipient: to }),
      ...(channel === undefined ? {} : { channel }),
      ...(actions === undefined ? {} : { actions }),
    });
    accepted(await deps.engine.run({ kind: "make_link", workspace, by, holdId: params.id, link }), by);
    const made = await linkMade(workspace, linkId(params.id, link.hash), deps);
    const secret = purpose === "review" ? { url: reviewUrl(deps.publicUrl, params.id, token) } : { token };
    return { status: 201, body: { ...presentLink(made, hold.body), ...secret } };
  },

  async listLinks(call, deps) {
    const { workspace, by, params } = call;
    const hold = await visibleHold(params.id, workspace, by, deps);
    if (!seesDeliveries(by)) throw fail("not_allowed");
    const links = await linksOf(workspace, hold.id, deps);
    return { status: 200, body: { links: links.map((link) => presentLink(link, hold.body)) } };
  },

  async revokeLink(call, deps) {
    const { workspace, by, params } = call;
    const hold = await visibleHold(params.id, workspace, by, deps);
    const link = (await linksOf(workspace, params.id, deps)).find(({ id }) => id === params.link_id);
    if (link === undefined) throw fail("not_found");
    accepted(
      await deps.engine.run({ kind: "revoke_link", workspace, by, holdId: params.id, linkHash: link.hash }),
      by,
    );
    const revoked = await linkMade(workspace, linkId(params.id, link.hash), deps);
    return { status: 200, body: presentLink(revoked, hold.body) };
  },

  async claimHold(call, deps) {
    const { workspace, by, body, params } = call;
    const leaseMs = body.lease === undefined ? LEASE_MS : parseDuration(body.lease);
    if (leaseMs === null) throw fail("invalid_body", "/lease: not a duration");
    const claimId =
      claimIdOf(call.header("idempotency-key")) ?? `claim_${deps.ids.next(deps.engine.clock.now())}`;
    const command = {
      kind: "claim_hold",
      workspace,
      by,
      holdId: params.id,
      claimId,
      digest: body.digest,
      leaseMs,
    } as const;
    const entity = accepted(await deps.engine.run(command), by);
    return { status: 201, body: claimOf(entity) };
  },

  async releaseClaim(call, deps) {
    const { workspace, by, params } = call;
    const result = await deps.engine.run({ kind: "release_claim", workspace, by, holdId: params.id });
    return { status: 200, body: presentHold(accepted(result, by), by) };
  },

  async revokeHold(call, deps) {
    const { workspace, by, params } = call;
    const result = await deps.engine.run({ kind: "revoke_hold", workspace, by, holdId: params.id });
    return { status: 200, body: presentHold(accepted(result, by), by) };
  },

  async finishClaim(call, deps) {
    const { workspace, by, body, params } = call;
    const { ok, detail } = body;
    const command = {
      kind: "finish_claim",
      workspace,
      by,
      holdId: params.id,
      claimId: params.claim_id,
      ok,
    } as const;
    const result = await deps.engine.run(detail === undefined ? command : { ...command, detail });
    return { status: 200, body: claimOf(accepted(result, by)) };
  },
} satisfies Routes;

async function linkMade(workspace: string, id: string, deps: RestDeps): Promise<Link> {
  const [found] = await deps.engine.store.load([{ workspace, kind: "link", id, read: true }]);
  if (found === undefined) throw fail("not_found");
  return found.body;
}

const PAGE = 500;

/** Reads all links in pages, because every repeated placing under the same key adds one. */
async function linksOf(workspace: string, holdId: string, deps: RestDeps): Promise<readonly Link[]> {
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

function presentLink(link: Link, hold: Hold) {
  const to = personOf(link, hold);
  return {
    id: link.id,
    hold_id: link.holdId,
    purpose: link.purpose,
    ...(link.actions === undefined ? {} : { actions: link.actions }),
    ...(to === undefined ? {} : { to }),
    ...(isGivenToAsker(link, hold) ? { given_to: "asker" } : {}),
    ...(link.channel === undefined ? {} : { channel: link.channel }),
    ...(link.attempt === undefined ? {} : { attempt: link.attempt }),
    created_at: time(link.madeAt),
    created_by: link.madeBy,
    ...(link.revokedAt === undefined ? {} : { revoked_at: time(link.revokedAt) }),
  };
}

/** A claimer that names its claim can repeat the call after a lost reply and gets the same claim. */
function claimIdOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (!/^[\w.:-]{8,200}$/.test(key)) throw fail("invalid_query", "Idempotency-Key is too odd");
  return `claim_${key}`;
}

function claimOf(entity: Entity<Hold>) {
  if (entity.body.claim === undefined) throw fail("not_found");
  return presentClaim(entity.id, entity.body.claim);
}
