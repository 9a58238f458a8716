/** Links and claims of a hold. */

import { operations } from "@holdpoint/protocol";
import { parseDuration } from "@holdpoint/protocol/rules";
import type { Hono } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { isGivenToAsker, type Link, linkId, personOf } from "../../kernel/hold/link.ts";
import { mayOperate } from "../../kernel/principal.ts";
import { freshLink, reviewUrl } from "../http/links.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import { presentClaim, presentHold, time } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { visibleHold } from "./holds.ts";
import { accepted } from "./refusals.ts";

const LEASE_MS = 5 * 60_000;

export function mountClaims(app: Hono, deps: RestDeps, options: MountOptions): void {
  mount(app, operations.makeLink, (call) => makeLink(call, deps), options);
  mount(app, operations.listLinks, (call) => listLinks(call, deps), options);
  mount(app, operations.revokeLink, (call) => revokeLink(call, deps), options);
  mount(app, operations.claimHold, (call) => claim(call, deps), options);
  mount(app, operations.releaseClaim, (call) => release(call, deps), options);
  mount(app, operations.revokeHold, (call) => revoke(call, deps), options);
  mount(app, operations.finishClaim, (call) => finish(call, deps), options);
}

async function makeLink(call: Call<typeof operations.makeLink>, deps: RestDeps) {
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
}

async function linkMade(workspace: string, id: string, deps: RestDeps): Promise<Link> {
  const [found] = await deps.engine.store.load([{ workspace, kind: "link", id, read: true }]);
  if (found === undefined) throw new HttpTrouble({ code: "not_found" });
  return found.body;
}

const PAGE = 500;

/** All of them, in pages: every placing again under the same key makes one more. */
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

async function listLinks(call: Call<typeof operations.listLinks>, deps: RestDeps) {
  const { workspace, by, params } = call;
  const hold = await visibleHold(params.id, workspace, by, deps);
  if (!mayOperate(by) && by.role !== "auditor") throw new HttpTrouble({ code: "not_allowed" });
  const links = await linksOf(workspace, hold.id, deps);
  return { status: 200, body: { links: links.map((link) => presentLink(link, hold.body)) } };
}

async function revokeLink(call: Call<typeof operations.revokeLink>, deps: RestDeps) {
  const { workspace, by, params } = call;
  const hold = await visibleHold(params.id, workspace, by, deps);
  const link = (await linksOf(workspace, params.id, deps)).find(({ id }) => id === params.link_id);
  if (link === undefined) throw new HttpTrouble({ code: "not_found" });
  accepted(
    await deps.engine.run({ kind: "revoke_link", workspace, by, holdId: params.id, linkHash: link.hash }),
    by,
  );
  const revoked = await linkMade(workspace, linkId(params.id, link.hash), deps);
  return { status: 200, body: presentLink(revoked, hold.body) };
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

async function claim(call: Call<typeof operations.claimHold>, deps: RestDeps) {
  const { workspace, by, body, params } = call;
  const leaseMs = body.lease === undefined ? LEASE_MS : parseDuration(body.lease);
  if (leaseMs === null) throw new HttpTrouble({ code: "invalid_body", detail: "/lease: not a duration" });
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
}

/** Whoever names the claim can repeat the call after a lost reply and hold the same claim. */
function claimIdOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (!/^[\w.:-]{8,200}$/.test(key))
    throw new HttpTrouble({ code: "invalid_query", detail: "Idempotency-Key is too odd" });
  return `claim_${key}`;
}

function claimOf(entity: Entity<Hold>) {
  if (entity.body.claim === undefined) throw new HttpTrouble({ code: "not_found" });
  return presentClaim(entity.id, entity.body.claim);
}

async function finish(call: Call<typeof operations.finishClaim>, deps: RestDeps) {
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
}

async function release(call: Call<typeof operations.releaseClaim>, deps: RestDeps) {
  const { workspace, by, params } = call;
  const result = await deps.engine.run({ kind: "release_claim", workspace, by, holdId: params.id });
  return { status: 200, body: presentHold(accepted(result, by), by) };
}

async function revoke(call: Call<typeof operations.revokeHold>, deps: RestDeps) {
  const { workspace, by, params } = call;
  const result = await deps.engine.run({ kind: "revoke_hold", workspace, by, holdId: params.id });
  return { status: 200, body: presentHold(accepted(result, by), by) };
}
