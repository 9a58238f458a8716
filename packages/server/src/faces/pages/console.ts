/** The operator's console: sign in by a one-time link, then a session cookie; every form carries the session's token. */

import type { Context, Hono } from "hono";
import type { Caller } from "../../identity/identity.ts";
import { cookieValue, SESSION_COOKIE } from "../../identity/identity.ts";
import { csrfTokenOf } from "../../identity/secrets.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { tokenHash } from "../../system/digest.ts";
import { credentialsOf, ipOf } from "../http/mount.ts";
import { presentHold } from "../http/present.ts";
import { isStorable } from "../http/strict-json.ts";
import { again, type PageStatus, type Posted, type Tried, tryAnswer, viewOf } from "./answer-form.ts";
import { isPersonLooking } from "./bots.ts";
import type { PageDeps } from "./deps.ts";
import { plainRenderer } from "./plain/index.ts";
import { NO_FORM, type PostedForm, readForm } from "./posted-form.ts";
import type { InboxView } from "./render.ts";
import { earlierRounds } from "./rounds.ts";
import { tooMany } from "./too-many.ts";
import { LOCAL_ONLY, SIGN_IN_FAILED, SIGN_IN_NEEDED, WRONG_LINK } from "./words.ts";

const SESSION_MS = 12 * 3_600_000;
const PAGE = 50;

interface SignedIn extends Caller {
  readonly csrf: string;
}

export function mountConsole(app: Hono, deps: PageDeps): void {
  app.get("/signin", (c) => signIn(c, deps));
  app.post("/signout", (c) => signOut(c, deps));
  app.get("/console", (c) => withSession(c, deps, (who) => inApp(c, who, deps) ?? inbox(c, who, deps)));
  app.get("/console/holds/:id", (c) =>
    withSession(c, deps, (who) => inApp(c, who, deps) ?? showHold(c, who, deps)),
  );
  app.post("/console/holds/:id/open", (c) => withSession(c, deps, (who) => open(c, who, deps)));
  app.post("/console/holds/:id/answer", (c) =>
    withSession(c, deps, (who, form) => answer(c, who, form, deps)),
  );
  app.post("/console/holds/:id/dismiss", (c) => withSession(c, deps, (who) => dismiss(c, who, deps)));
  if (deps.renderer.app === undefined) return;
  // It makes keys and asks for trial: nothing for a server that others reach.
  app.on("GET", ["/playground", "/playground/agui"], (c) =>
    withSession(c, deps, (who) =>
      deps.isLocal
        ? (inApp(c, who, deps) ?? inbox(c, who, deps))
        : Promise.resolve(c.body(deps.renderer.simple(LOCAL_ONLY), 404, deps.renderer.headers)),
    ),
  );
  for (const path of ["/console/*", "/gallery"]) {
    app.get(path, (c) => withSession(c, deps, (who) => inApp(c, who, deps) ?? inbox(c, who, deps)));
  }
}

/** With script the console draws itself from the API; whoever has none is led to the plain pages. */
function inApp(c: Context, who: SignedIn, deps: PageDeps): Promise<Response> | undefined {
  const { renderer, publicUrl, version, isLocal } = deps;
  if (renderer.app === undefined || c.req.query("plain") !== undefined) return undefined;
  const { name, role } = who.principal;
  const now = deps.engine.clock.now();
  const html = renderer.app({
    ...{ name, role, csrf: who.csrf, now, publicUrl, version, isLocal },
    plainPath: `${c.req.path}?plain${c.req.query("done") === undefined ? "" : "&done"}`,
  });
  return Promise.resolve(c.body(html, 200, renderer.headers));
}

async function open(c: Context, who: SignedIn, deps: PageDeps): Promise<Response> {
  const { workspace, principal: by } = who;
  await deps.engine.run({ kind: "open_hold", workspace, by, holdId: c.req.param("id") ?? "" });
  return c.body(null, 204);
}

/** The link is used up by a person's browser only: a preview of it must not lock its owner out. */
async function signIn(c: Context, deps: PageDeps): Promise<Response> {
  const token = c.req.query("token");
  const failed = () => c.body(deps.renderer.simple(SIGN_IN_FAILED), 401, deps.renderer.headers);
  if (token === undefined) return failed();
  const purpose = c.req.header("sec-purpose") ?? c.req.header("purpose");
  if (!isPersonLooking(c.req.method, c.req.header("user-agent"), purpose)) {
    return c.body(deps.renderer.simple(SIGN_IN_NEEDED), 200, deps.renderer.headers);
  }
  const hash = tokenHash(token);
  const found = await deps.engine.store.find("sign_in", hash);
  if (found === undefined) {
    const retryAfterMs = deps.identity.wrongToken(ipOf(c));
    return retryAfterMs === undefined ? failed() : tooMany(c, retryAfterMs, deps);
  }
  const secret = deps.ids.token();
  const session = { id: `session_${deps.ids.next(deps.engine.clock.now())}`, hash: tokenHash(secret) };
  const { workspace } = found;
  const used = await deps.engine.run({
    kind: "use_sign_in",
    workspace,
    by: SYSTEM,
    hash,
    session,
    lastsMs: SESSION_MS,
  });
  if (!used.ok) return failed();
  c.header("set-cookie", cookie(secret, SESSION_MS / 1000, deps.publicUrl));
  return c.redirect("/console", 303);
}

function cookie(value: string, maxAge: number, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}

async function withSession(
  c: Context,
  deps: PageDeps,
  act: (who: SignedIn, form: PostedForm) => Promise<Response>,
): Promise<Response> {
  const { ip, unsafe, cookie: session, sameOrigin } = credentialsOf(c, ipOf(c));
  const known = { ip, cookie: session, sameOrigin };
  // Only whoever is signed in has their form read: it is in there that a page says it is the console's own.
  let found = await deps.identity.authenticate({ ...known, unsafe: false });
  const form = found.ok && unsafe ? await readForm(c) : NO_FORM;
  if (found.ok && unsafe) {
    const csrf = form.fields.get("_csrf") ?? undefined;
    found = await deps.identity.authenticate({ ...known, unsafe, csrf });
  }
  if (!found.ok) {
    const status = found.why === "not_allowed" ? 403 : found.why === "rate_limited" ? 429 : 401;
    return c.body(deps.renderer.simple(SIGN_IN_NEEDED), status, deps.renderer.headers);
  }
  if (!isStorable(c.req.param("id") ?? ""))
    return c.body(deps.renderer.simple(WRONG_LINK), 404, deps.renderer.headers);
  const csrf = csrfTokenOf(cookieValue(c.req.header("cookie"), SESSION_COOKIE) ?? "");
  return act({ ...found.caller, csrf }, form);
}

async function signOut(c: Context, deps: PageDeps): Promise<Response> {
  return withSession(c, deps, async (who) => {
    const hash = tokenHash(cookieValue(c.req.header("cookie"), SESSION_COOKIE) ?? "");
    await deps.engine.run({ kind: "end_session", workspace: who.workspace, by: who.principal, hash });
    c.header("set-cookie", cookie("", 0, deps.publicUrl));
    return c.body(deps.renderer.simple(SIGN_IN_NEEDED), 200, deps.renderer.headers);
  });
}

async function inbox(c: Context, who: SignedIn, deps: PageDeps): Promise<Response> {
  const status = statusOf(c.req.query("status"));
  const query = (c.req.query("q") ?? "").replaceAll("\u0000", "").slice(0, 200).toWellFormed();
  const after = c.req.query("cursor");
  const { holds, next } = await findPage(who.workspace, status, query, after, deps);
  const view: InboxView = {
    name: who.principal.name,
    role: who.principal.role,
    csrf: who.csrf,
    status,
    query,
    holds: holds.map((hold) => presentHold(hold, { ...who.principal, role: "operator" })),
    next,
    now: deps.engine.clock.now(),
  };
  return c.body(plainRenderer.inbox(view), 200, plainRenderer.headers);
}

async function findPage(
  workspace: string,
  status: Hold["status"],
  text: string,
  after: string | undefined,
  deps: PageDeps,
) {
  const from = after === undefined || !/^[\w-]{1,100}$/.test(after) ? {} : { after };
  if (text !== "") {
    const page = await deps.engine.store.searchHolds({ workspace, text, status, ...from, limit: PAGE });
    return { holds: page.holds, next: page.resumeAfter };
  }
  const index = { name: "status", value: status };
  const query = { workspace, kind: "hold", index, ...from, newestFirst: true, limit: PAGE } as const;
  const holds = await deps.engine.store.query(query);
  return { holds, next: holds.length < PAGE ? null : (holds.at(-1)?.id ?? null) };
}

function statusOf(text: string | undefined): Hold["status"] {
  return text === "decided" || text === "expired" || text === "cancelled" ? text : "open";
}

async function showHold(c: Context, who: SignedIn, deps: PageDeps): Promise<Response> {
  const { workspace, principal: by } = who;
  const holdId = c.req.param("id") ?? "";
  if (isPersonLooking(c.req.method, c.req.header("user-agent"), c.req.header("sec-purpose"))) {
    await deps.engine.run({ kind: "open_hold", workspace, by, holdId });
  }
  return page(c, who, holdId, deps, 200, undefined, c.req.query("done") !== undefined);
}

async function page(
  c: Context,
  who: SignedIn,
  holdId: string,
  deps: PageDeps,
  status: PageStatus,
  tried?: Tried,
  justAnswered = false,
): Promise<Response> {
  const hold = await deps.holds.get(who.workspace, holdId);
  if (hold === undefined) return c.body(deps.renderer.simple(WRONG_LINK), 404, deps.renderer.headers);
  const view = viewOf(hold, {
    answerPath: `/console/holds/${holdId}/answer`,
    dismissPath: `/console/holds/${holdId}/dismiss`,
    earlier: await earlierRounds(hold, deps),
    viewer: { ...who.principal, role: "operator" },
    now: deps.engine.clock.now(),
    justAnswered,
    console: { name: who.principal.name, csrf: who.csrf },
    ...(tried === undefined ? {} : { tried }),
  });
  return c.body(plainRenderer.review(view), status, plainRenderer.headers);
}

async function answer(c: Context, who: SignedIn, form: PostedForm, deps: PageDeps): Promise<Response> {
  const holdId = c.req.param("id") ?? "";
  const hold = await deps.holds.get(who.workspace, holdId);
  if (hold === undefined) return c.body(deps.renderer.simple(WRONG_LINK), 404, deps.renderer.headers);
  const posted: Posted = { workspace: who.workspace, by: who.principal, door: "console" };
  const tried = await tryAnswer(hold, form, posted, deps);
  if (tried.kind === "answered") return c.redirect(`/console/holds/${holdId}?done`, 303);
  return page(c, who, holdId, deps, tried.status, tried);
}

async function dismiss(c: Context, who: SignedIn, deps: PageDeps): Promise<Response> {
  const holdId = c.req.param("id") ?? "";
  const { workspace, principal: by } = who;
  const reason = "dismissed in the console";
  const result = await deps.engine.run({ kind: "cancel_hold", workspace, by, holdId, reason });
  if (result.ok) return c.redirect(`/console/holds/${holdId}`, 303);
  const tried = again(result.failure);
  return page(c, who, holdId, deps, tried.status, tried);
}
