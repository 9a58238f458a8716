/** The review page behind a link. The link is the authority: no sign-in, no cookie; a GET never decides (G6). */

import { everyAddressOf, hitlOperations } from "@holdpoint/protocol/hitl";
import { caseIdOf, holdIdOf } from "@holdpoint/protocol/hitl/case";
import { fieldsOf, wantsFile } from "@holdpoint/protocol/rules";
import type { Context, Hono } from "hono";
import type { LinkFound } from "../../identity/identity.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { ipOf } from "../http/mount.ts";
import { again, type PageStatus, type Posted, type Tried, tryAnswer, viewOf } from "./answer-form.ts";
import { isPersonLooking } from "./bots.ts";
import type { PageDeps } from "./deps.ts";
import { findDraft, keepDraft } from "./draft.ts";
import { readForm } from "./posted-form.ts";
import { earlierRounds } from "./rounds.ts";
import { tooMany } from "./too-many.ts";
import { WRONG_LINK } from "./words.ts";

export type Opened = Extract<LinkFound, { ok: true }>;

const STATE_WAIT_SECONDS_MAX = 25;

export function mountReview(app: Hono, deps: PageDeps): void {
  app.get("/review/:case_id", (c) => withLink(c, deps, (found, holdId) => show(c, found, holdId, deps)));
  app.post("/review/:case_id/answer", (c) =>
    withLink(c, deps, (found, holdId) => answer(c, found, holdId, deps)),
  );
  // The protocol's own address takes forms too. A person's browser is answered with a page, whatever comes of it.
  for (const { path } of everyAddressOf(hitlOperations.respondCase))
    app.post(path.replace("{case_id}", ":case_id"), (c, next) =>
      isFormOfBrowser(c) ? withLink(c, deps, (found, holdId) => answer(c, found, holdId, deps)) : next(),
    );
  app.post("/review/:case_id/dismiss", (c) =>
    withLink(c, deps, (found, holdId) => dismiss(c, found, holdId, deps)),
  );
  app.get("/review/:case_id/state", (c) =>
    withLink(c, deps, (found, holdId) => state(c, found, holdId, deps)),
  );
  app.put("/review/:case_id/draft", (c) =>
    withLink(c, deps, (found, holdId) => keepDraft(c, found, holdId, deps)),
  );
}

function isFormOfBrowser(c: Context): boolean {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
  return (
    isForm.test(c.req.header("content-type") ?? "") &&
    (c.req.header("accept") ?? "").includes("text/html") &&
    c.req.header("authorization") === undefined
  );
}

async function withLink(
  c: Context,
  deps: PageDeps,
  act: (found: Opened, holdId: string) => Promise<Response>,
): Promise<Response> {
  const holdId = holdIdOf(c.req.param("case_id") ?? "");
  const found = await deps.identity.byLink(c.req.query("token"), holdId, ipOf(c));
  if (found.ok && found.link.purpose === "review" && found.link.revokedAt === undefined)
    return act(found, holdId);
  if (!found.ok && found.retryAfterMs !== undefined) return tooMany(c, found.retryAfterMs, deps);
  return c.body(deps.renderer.simple(WRONG_LINK), 401, deps.renderer.headers);
}

async function show(c: Context, found: Opened, holdId: string, deps: PageDeps): Promise<Response> {
  const { workspace, principal: by } = found.caller;
  const person = isPersonLooking(
    c.req.method,
    c.req.header("user-agent"),
    c.req.header("sec-purpose") ?? c.req.header("purpose") ?? c.req.header("x-purpose"),
  );
  if (person) await deps.engine.run({ kind: "open_hold", workspace, by, holdId, linkHash: found.hash });
  return page(c, found, holdId, deps, 200, undefined, c.req.query("done") !== undefined);
}

async function page(
  c: Context,
  found: Opened,
  holdId: string,
  deps: PageDeps,
  status: PageStatus,
  tried?: Tried,
  justAnswered = false,
): Promise<Response> {
  const hold = await deps.holds.get(found.caller.workspace, holdId);
  if (hold === undefined || hold.body.erasedAt !== undefined) {
    return c.body(deps.renderer.simple(WRONG_LINK), 404, deps.renderer.headers);
  }
  const draft = await findDraft(hold, deps);
  const base = `/review/${c.req.param("case_id")}`;
  const query = `?token=${encodeURIComponent(c.req.query("token") ?? "")}`;
  const view = viewOf(hold, {
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
    viewer: found.caller.principal,
    now: deps.engine.clock.now(),
    justAnswered,
    ...(tried === undefined ? {} : { tried }),
  });
  if (wantsData(c)) return c.json(view, status, { "cache-control": "no-store" });
  return c.body(deps.renderer.review(view), status, deps.renderer.headers);
}

/** The token goes to this server and to nobody else, whatever address a field names. */
function prefillOf(hold: Entity<Hold>, query: string, { publicUrl }: PageDeps) {
  const { ask, status } = hold.body;
  if (status !== "open" || ask?.form === undefined) return {};
  const here = `${publicUrl}/`;
  const paths = fieldsOf(ask.form).flatMap(({ key, default_ref: ref }): [string, string][] =>
    ref?.startsWith(here) && !ref.includes("?")
      ? [[key, `${ref.slice(publicUrl.length)}${query}&case_id=${caseIdOf(hold.id)}`]]
      : [],
  );
  return paths.length === 0 ? {} : { prefillPaths: Object.fromEntries(paths) };
}

/** A page with script sends the same form and draws what comes back itself. */
function wantsData(c: Context): boolean {
  return c.req.header("accept") === "application/json";
}

/** The hold as soon as it is settled, or as it is after a while; looking never decides (G6). */
async function state(c: Context, found: Opened, holdId: string, deps: PageDeps): Promise<Response> {
  const seconds = Number(c.req.query("wait") ?? "0");
  if (seconds > 0) {
    const waitMs = Math.min(seconds, STATE_WAIT_SECONDS_MAX) * 1000;
    await deps.holds.wait(found.caller.workspace, holdId, waitMs, c.req.raw.signal);
  }
  return page(c, found, holdId, deps, 200);
}

async function answer(c: Context, found: Opened, holdId: string, deps: PageDeps): Promise<Response> {
  const form = await readForm(c);
  const hold = await deps.holds.get(found.caller.workspace, holdId);
  if (hold === undefined) return c.body(deps.renderer.simple(WRONG_LINK), 404, deps.renderer.headers);
  const { workspace, principal: by } = found.caller;
  const posted: Posted = { workspace, by, linkHash: found.hash, door: "page" };
  const tried = await tryAnswer(hold, form, posted, deps);
  if (tried.kind === "answered" && wantsData(c)) return page(c, found, holdId, deps, 200, undefined, true);
  if (tried.kind === "answered") return c.redirect(backTo(c, "&done"), 303);
  return page(c, found, holdId, deps, tried.status, tried);
}

async function dismiss(c: Context, found: Opened, holdId: string, deps: PageDeps): Promise<Response> {
  const { workspace, principal: by } = found.caller;
  const reason = "dismissed by a reviewer";
  const result = await deps.engine.run({
    kind: "cancel_hold",
    workspace,
    by,
    holdId,
    linkHash: found.hash,
    reason,
  });
  if (result.ok && !wantsData(c)) return c.redirect(backTo(c, ""), 303);
  if (result.ok) return page(c, found, holdId, deps, 200);
  const tried = again(result.failure);
  return page(c, found, holdId, deps, tried.status, tried);
}

function backTo(c: Context, more: string): string {
  return `/review/${c.req.param("case_id")}?token=${encodeURIComponent(c.req.query("token") ?? "")}${more}`;
}
