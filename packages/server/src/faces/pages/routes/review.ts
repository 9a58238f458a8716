/** The review page behind a link. A GET never decides (G6). */

import type { Operation } from "@holdpoint/protocol";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { fieldsOf, wantsFile } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { LinkAuthority } from "../../http/authority.ts";
import type { Call } from "../../http/mount.ts";
import { presentAsked } from "../../http/passkey.ts";
import type { HttpReply } from "../../http/respond.ts";
import {
  again,
  type Posted,
  passkeyOf,
  type Shown,
  tryAnswer,
  tryChallenge,
  viewOf,
} from "../answer-form.ts";
import { isPersonLooking } from "../bots.ts";
import type { PageDeps } from "../deps.ts";
import { pageFailure } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { plainRenderer } from "../plain/index.ts";
import { isLong } from "../render.ts";
import { earlierRounds } from "../rounds.ts";
import { findDraft, keepDraft } from "./draft.ts";

const STATE_WAIT_SECONDS_MAX = 25;

export const review = {
  async reviewPage(call, deps) {
    const { authority, workspace, by, method, header } = call;
    const { holdId, hash: linkHash } = authority.link;
    const purpose = header("sec-purpose") ?? header("purpose") ?? header("x-purpose");
    if (isPersonLooking(method, header("user-agent"), purpose))
      await deps.engine.run({ kind: "open_hold", workspace, by, holdId, linkHash });
    return page(call, deps, { justAnswered: call.search("done") !== undefined });
  },

  async answerForm(call, deps) {
    const { authority, workspace, by, body: form } = call;
    const { holdId, hash: linkHash } = authority.link;
    const hold = await deps.holds.get(workspace, holdId);
    if (hold === undefined) throw pageFailure("not_found");
    const posted: Posted = { workspace, by, linkHash, door: "page" };
    const tried = await tryAnswer(hold, form, posted, deps);
    if (tried.kind === "again") return page(call, deps, { tried });
    return wantsData(call) ? page(call, deps, { justAnswered: true }) : backTo(call, "&done");
  },

  /** The same form as for the answer: the reply is the challenge to sign, or the page that says what is wrong. */
  async challengeForm(call, deps) {
    const { authority, workspace, by, body: form } = call;
    const { holdId, hash: linkHash } = authority.link;
    const hold = await deps.holds.get(workspace, holdId);
    if (hold === undefined) throw pageFailure("not_found");
    const asked = await tryChallenge(hold, form, { workspace, by, linkHash, door: "page" }, deps);
    if ("kind" in asked) return page(call, deps, { tried: asked });
    return { status: 200, body: presentAsked(asked) };
  },

  async dismissForm(call, deps) {
    const { authority, workspace, by } = call;
    const { holdId, hash: linkHash } = authority.link;
    const reason = "dismissed by a reviewer";
    const result = await deps.engine.run({ kind: "cancel_hold", workspace, by, holdId, linkHash, reason });
    if (!result.ok) return page(call, deps, { tried: again(result.failure) });
    return wantsData(call) ? page(call, deps) : backTo(call, "");
  },

  /** Waits until the hold is settled or the time is over, and returns the hold. Reading never decides (G6). */
  async reviewState(call, deps) {
    const seconds = Number(call.search("wait") ?? "0");
    if (seconds > 0) {
      const waitMs = Math.min(seconds, STATE_WAIT_SECONDS_MAX) * 1000;
      await deps.holds.wait(call.workspace, call.authority.link.holdId, waitMs, call.gone());
    }
    return page(call, deps);
  },

  keepDraft,
} satisfies Routes;

type ReviewCall = Pick<Call<Operation, LinkAuthority>, "authority" | "workspace" | "header"> & {
  readonly params: { readonly case_id: string };
};

async function page(call: ReviewCall, deps: PageDeps, shown: Shown = {}): Promise<HttpReply> {
  const { authority, workspace, params } = call;
  const { holdId } = authority.link;
  const hold = await deps.holds.get(workspace, holdId);
  if (hold === undefined || hold.body.erasedAt !== undefined) throw pageFailure("not_found");
  const draft = await findDraft(hold, deps);
  const base = `/review/${params.case_id}`;
  const query = `?token=${encodeURIComponent(authority.token)}`;
  const view = await viewOf(
    hold,
    {
      answerPath: `${base}/answer${query}`,
      dismissPath: `${base}/dismiss${query}`,
      statePath: `${base}/state${query}`,
      ...(hold.body.ask?.form?.session_id === undefined ? {} : { draftPath: `${base}/draft${query}` }),
      ...(hold.body.ask === null || !wantsFile(hold.body.ask)
        ? {}
        : { uploadPath: `/v1/files${query}&hold_id=${encodeURIComponent(holdId)}` }),
      fileQuery: query,
      ...(draft === undefined ? {} : { draft }),
      ...prefillOf(hold, query, deps),
      earlier: await earlierRounds(hold, deps),
      ...passkeyOf(hold, deps, `${base}/challenge${query}`),
      viewer: authority.by,
      now: deps.engine.clock.now(),
      ...shown,
    },
    deps,
  );
  const status = shown.tried?.status ?? 200;
  if (wantsData(call)) return { status, body: view };
  const renderer = isLong(view) ? plainRenderer : deps.renderer;
  return { status, body: renderer.review(view), headers: renderer.headers };
}

/** Only addresses of this server, because the page sends its token with the request. */
function prefillOf(hold: Entity<Hold>, query: string, { publicUrl }: PageDeps) {
  const { ask, status } = hold.body;
  if (status !== "open" || ask?.form === undefined) return {};
  const paths = fieldsOf(ask.form).flatMap(({ key, default_ref: ref = "" }): [string, string][] => {
    const path = pathHere(ref, publicUrl);
    return path === undefined ? [] : [[key, `${path}${query}&case_id=${caseIdOf(hold.id)}`]];
  });
  return paths.length === 0 ? {} : { prefillPaths: Object.fromEntries(paths) };
}

/**
 * The path of an address of this server, as a browser reads it; `undefined`: the address is another one. Where a path begins
 * with two slashes, a browser takes what follows for the name of a host.
 */
function pathHere(ref: string, publicUrl: string): string | undefined {
  if (ref.includes("?") || !URL.canParse(ref)) return undefined;
  const { origin, pathname } = new URL(ref);
  const here = new URL(publicUrl);
  const base = here.pathname.replace(/\/+$/, "");
  const path = pathname.slice(base.length);
  const isHere = origin === here.origin && pathname.startsWith(`${base}/`) && !path.startsWith("//");
  return isHere ? path : undefined;
}

/** A page with JavaScript posts the same form and gets JSON. */
function wantsData({ header }: Pick<Call, "header">): boolean {
  return header("accept") === "application/json";
}

function backTo({ params, authority }: ReviewCall, more: string): HttpReply {
  const location = `/review/${params.case_id}?token=${encodeURIComponent(authority.token)}${more}`;
  return { status: 303, headers: { location } };
}
