/** The ways in: one-time link, link by e-mail, identity providers, passkeys. Every way ends with a session cookie. */

import { attemptCookie, attemptIn, sessionCookie, sessionIn } from "../../../identity/session-cookie.ts";
import { newSession, SESSION_MS } from "../../../identity/sign-in.ts";
import { whyNotFresh } from "../../../kernel/access/fresh.ts";
import type { Failure } from "../../../kernel/failure.ts";
import { personIdOf } from "../../../kernel/people/person.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { sameSecret, tokenHash } from "../../../system/digest.ts";
import { HttpFailure } from "../../http/failure.ts";
import { presentAsked } from "../../http/passkey.ts";
import { time } from "../../http/present.ts";
import { type HttpReply, transportHeaders } from "../../http/respond.ts";
import { isPersonLooking } from "../bots.ts";
import type { PageDeps } from "../deps.ts";
import { pageFailure } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { returnPath } from "../return-to.ts";
import { SIGN_IN_NEEDED, SIGNED_OUT } from "../words.ts";

interface Visit {
  readonly ip: string;
  header(name: string): string | undefined;
}

export const signInPages = {
  /**
   * Only a browser uses up the link, because a preview of the link must not lock its owner out. A link that was made for a
   * person is handed on by mail or chat, where programs open it as browsers do: it asks for a click, whatever its address is.
   */
  async signIn(call, deps) {
    const { renderer } = deps;
    const token = call.search("token");
    const returnTo = returnPath(call.search("return"));
    if (token === undefined) return waysIn(deps, returnTo, call.search("fresh") !== undefined);
    const purpose = call.header("sec-purpose") ?? call.header("purpose");
    if (!isPersonLooking(call.method, call.header("user-agent"), purpose)) {
      return { status: 200, body: renderer.simple(SIGN_IN_NEEDED), headers: renderer.headers };
    }
    const found = await deps.engine.store.find("sign_in", tokenHash(token));
    if (found?.body.isForPerson === true) return clickPage(token, returnTo, deps);
    return useToken(token, returnTo, call, deps);
  },

  /** Mail filters open links, so a link from an e-mail asks for a click. */
  linkPage(call, deps) {
    return clickPage(call.search("token") ?? "", returnPath(call.search("return")), deps);
  },

  useLink(call, deps) {
    const { fields } = call.body;
    refuseForeign(call, deps);
    return useToken(fields.get("token") ?? "", returnPath(fields.get("return")), call, deps);
  },

  async emailSignIn(call, deps) {
    const { renderer, emailSignIns } = deps;
    const { fields } = call.body;
    refuseForeign(call, deps);
    if (!emailSignIns?.isOffered) throw pageFailure("not_found");
    const asked = emailSignIns.ask(fields.get("email") ?? "", call.ip, returnPath(fields.get("return")));
    if (!asked.ok) throw pageFailure("rate_limited", "", {}, { retryAfterMs: asked.retryAfterMs });
    return { status: 200, body: renderer.signIn({ kind: "sent" }), headers: renderer.headers };
  },

  async oidcBegin(call, deps) {
    const spent = deps.signIns.spend(call.ip);
    if (!spent.ok) throw pageFailure("rate_limited", "", {}, { retryAfterMs: spent.retryAfterMs });
    const returnTo = returnPath(call.search("return"));
    const isFresh = call.search("fresh") !== undefined;
    const begun = await deps.oidc.begin(call.params.provider, { returnTo, isFresh });
    if ("code" in begun) return refusedPage(begun, deps, returnTo);
    const cookie = attemptCookie(begun.browser, deps.publicUrl);
    return { status: 303, headers: { location: begun.location, "set-cookie": cookie } };
  },

  /** A signed-in person links their account at the provider. The console's script follows the location. */
  async oidcLink({ workspace, by, params, authority, search }, deps) {
    const stale = whyNotFresh(by, deps.engine.clock.now());
    if (stale !== null) throw new HttpFailure(stale);
    const personId = personIdOf(by);
    if (personId === undefined) throw pageFailure("not_allowed");
    const returnTo = returnPath(authority.form.fields.get("return") ?? search("return"));
    const options = { returnTo, isFresh: false, linkTo: { workspace, personId } };
    const begun = await deps.oidc.begin(params.provider, options);
    if ("code" in begun) throw new HttpFailure(begun);
    const headers = { "set-cookie": attemptCookie(begun.browser, deps.publicUrl) };
    return { status: 200, body: { location: begun.location }, headers };
  },

  async oidcCallback(call, deps) {
    const query = new URLSearchParams();
    for (const name of CALLBACK_PARAMETERS) {
      const value = call.search(name);
      if (value !== undefined) query.set(name, value);
    }
    const cookie = call.header("cookie");
    const { ip } = call;
    const session = await deps.identity.authenticate({ ip, cookie, sameOrigin: false, unsafe: false });
    const finished = await deps.oidc.finish(call.params.provider, {
      query: query.toString(),
      state: query.get("state") ?? "",
      browser: attemptIn(cookie) ?? "",
      device: call.header("user-agent"),
      ...(session.ok
        ? { signedIn: { workspace: session.caller.workspace, by: session.caller.principal } }
        : {}),
    });
    if ("code" in finished) return refusedPage(finished, deps, "/console");
    if (finished.kind === "linked") return { status: 303, headers: { location: finished.returnTo } };
    return signedIn(finished.secret, finished.returnTo, deps);
  },

  /** OpenID Connect Back-Channel Logout: the provider calls this itself. */
  async oidcLogout({ params, body, ip }, deps) {
    const refused = await deps.oidc.logout(params.provider, body.fields.get("logout_token") ?? "");
    const headers = { "cache-control": "no-store", "content-type": "application/json" };
    if (refused === null) return { status: 200, body: {}, headers };
    // Only tokens that prove nothing are counted: nobody can use up the limit for the provider.
    const retryAfterMs = deps.identity.wrongToken(ip);
    if (retryAfterMs === undefined)
      return { status: 400, body: { error: "invalid_request", error_description: refused.message }, headers };
    const message = "too many wrong logout tokens; wait before trying again";
    return {
      status: 429,
      body: { error: "temporarily_unavailable", error_description: message },
      headers: { ...headers, ...transportHeaders({ retryAfterMs }, false) },
    };
  },

  /** What a page that waits for a new sign-in asks. The token changes with the session. */
  sessionState({ by, authority }) {
    const { name, role, signedInAt = 0 } = by;
    const body = { name, role, csrf: authority.csrf, signed_in_at: time(signedInAt) };
    return {
      status: 200,
      body,
      headers: { "cache-control": "no-store", "content-type": "application/json" },
    };
  },

  signInDone(_call, { renderer }) {
    return { status: 200, body: renderer.signIn({ kind: "done" }), headers: renderer.headers };
  },

  async signInChallenge({ ip }, { passkeys, signIns }) {
    const spent = signIns.spend(ip);
    if (!spent.ok) throw pageFailure("rate_limited", "", {}, { retryAfterMs: spent.retryAfterMs });
    return { status: 200, body: presentAsked(await passkeys.toSignIn()) };
  },

  async signInByPasskey({ body, ip, header }, { passkeys, identity, publicUrl }) {
    const started = await passkeys.signIn(body, header("user-agent"));
    if ("code" in started) {
      const retryAfterMs = identity.wrongToken(ip);
      if (retryAfterMs === undefined) throw new HttpFailure(started);
      throw pageFailure("rate_limited", "", {}, { retryAfterMs });
    }
    const headers = { "set-cookie": sessionCookie(started.secret, started.lastsMs / 1000, publicUrl) };
    return { status: 200, body: { location: "/console" }, headers };
  },

  async signOut({ workspace, by, header }, { engine, renderer, publicUrl }) {
    const hash = tokenHash(sessionIn(header("cookie")) ?? "");
    await engine.run({ kind: "end_session", workspace, by, hash });
    const headers = {
      ...renderer.headers,
      "set-cookie": sessionCookie("", 0, publicUrl),
      // Not "storage": that would take the settings of this browser, other people's unsent answers and push along.
      "clear-site-data": '"cache"',
    };
    return { status: 200, body: renderer.simple(SIGNED_OUT), headers };
  },
} satisfies Routes;

const CALLBACK_PARAMETERS = ["code", "state", "iss", "error", "error_description", "session_state"];

function waysIn(deps: PageDeps, returnTo: string, isFresh: boolean, notice?: string): HttpReply {
  const { renderer, passkeys, oidc, emailSignIns } = deps;
  const origin = passkeys.relyingParty?.origin;
  const view = {
    ...({
      kind: "ways",
      providers: oidc.shown,
      byEmail: emailSignIns?.isOffered ?? false,
      returnTo,
      isFresh,
    } as const),
    ...(origin === undefined ? {} : { passkeyOrigin: origin }),
    ...(notice === undefined ? {} : { notice }),
  };
  return { status: notice === undefined ? 200 : 403, body: renderer.signIn(view), headers: renderer.headers };
}

function clickPage(token: string, returnTo: string, { renderer }: PageDeps): HttpReply {
  const body = renderer.signIn({ kind: "link", token, returnTo });
  return { status: 200, body, headers: renderer.headers };
}

/** Says why, and shows the other ways in. */
function refusedPage({ code, message }: Failure, deps: PageDeps, returnTo: string): HttpReply {
  if (code === "not_found") throw pageFailure("not_found");
  return waysIn(deps, returnTo, false, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`);
}

async function useToken(token: string, returnTo: string, call: Visit, deps: PageDeps): Promise<HttpReply> {
  const { engine, ids } = deps;
  const hash = tokenHash(token);
  const found = await engine.store.find("sign_in", hash);
  if (found === undefined || !sameSecret(hash, found.body.hash)) {
    const retryAfterMs = deps.identity.wrongToken(call.ip);
    if (retryAfterMs === undefined) throw pageFailure("sign_in_failed");
    throw pageFailure("rate_limited", "", {}, { retryAfterMs });
  }
  const { secret, session } = newSession(ids, engine.clock.now(), call.header("user-agent"));
  const { workspace } = found;
  const command = { kind: "use_sign_in", workspace, by: SYSTEM, hash, session } as const;
  const used = await engine.run({ ...command, lastsMs: SESSION_MS });
  if (!used.ok) throw pageFailure("sign_in_failed");
  return signedIn(secret, returnTo, deps);
}

function signedIn(secret: string, location: string, { publicUrl }: PageDeps): HttpReply {
  return {
    status: 303,
    headers: { location, "set-cookie": sessionCookie(secret, SESSION_MS / 1000, publicUrl) },
  };
}

/** A form of another site must not sign anybody in, nor send mails. */
function refuseForeign({ header }: Visit, { publicUrl }: PageDeps): void {
  const site = header("sec-fetch-site");
  const origin = header("origin");
  const isOwn =
    site === undefined
      ? origin === undefined || isOwnOrigin(origin, header("host"), publicUrl)
      : site === "same-origin";
  if (!isOwn) throw pageFailure("not_allowed");
}

function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);
}
