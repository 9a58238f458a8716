/** Signing in at a real identity provider (oidc-provider), over HTTP, with what a browser would do. */

import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../system/clock.ts";
import type { OidcProvider } from "../../system/sign-in-config.ts";
import { CLIENT, IdentityProvider, signed } from "../../testing/identity-provider.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { personWith, type SignedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

interface Scene extends AsyncDisposable {
  readonly idp: IdentityProvider;
  readonly test: TestServer;
  readonly url: string;
}

const GROUPS = {
  approvers: { role: "operator", teams: ["finance"] },
  admins: { role: "admin", teams: [] },
  auditors: { role: "auditor", teams: [] },
} as const;

/** A server on a port that knows the provider, and the provider that knows the server. */
async function scene(part: Partial<OidcProvider> = {}): Promise<Scene> {
  let fetch: (request: Request, env: unknown) => Response | Promise<Response> = () => new Response(null);
  const http = createAdaptorServer({ fetch: (request, env) => fetch(request, env) });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const idp = await IdentityProvider.start({ clientUrl: url });
  const provider: OidcProvider = {
    ...{ name: "corp", label: "Corp", issuer: idp.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
    ...{
      scopes: ["openid", "profile", "email"],
      groupsClaim: "groups",
      groups: GROUPS,
      workspace: "default",
    },
    ...part,
  };
  // The provider has the real time, so the server's clock begins there.
  const clock = new ManualClock({ startAt: systemClock.now() });
  const test = await testServer({ clock, publicUrl: url, signIn: { providers: [provider] } });
  await test.call("POST", "/v1/teams", { key: test.keys.admin, body: { id: "finance" } });
  fetch = test.server.app.fetch;
  return {
    ...{ idp, test, url },
    async [Symbol.asyncDispose]() {
      if ("closeAllConnections" in http) http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await test[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

/** A browser: it keeps cookies by host and path prefix, and follows redirects one at a time. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  last = "";

  cookieHeader(url: string): string {
    return [...(this.#cookies.get(new URL(url).host) ?? [])]
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  }

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).host)?.get(name);
  }

  async get(url: string): Promise<Response> {
    this.last = url;
    const headers = { cookie: this.cookieHeader(url), "user-agent": "Mozilla/5.0 Firefox/140.0" };
    const reply = await fetch(url, { redirect: "manual", headers });
    const jar = this.#cookies.get(new URL(url).host) ?? new Map<string, string>();
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    this.#cookies.set(new URL(url).host, jar);
    return reply;
  }

  /** Follows redirects until `isThere`, or until there is none. */
  async follow(url: string, isThere: (url: string) => boolean = () => false): Promise<Response> {
    for (let next = url, hops = 0; hops < 12; hops += 1) {
      const reply = await this.get(next);
      const location = reply.headers.get("location");
      if (location === null) return reply;
      await reply.body?.cancel();
      next = new URL(location, next).href;
      this.last = next;
      if (isThere(next)) return reply;
    }
    throw new Error(`too many redirects, the last to ${this.last}`);
  }
}

const begin = ({ url }: Scene, query = "") => `${url}/signin/oidc/corp${query}`;
const isCallback = (url: string) => url.includes("/callback");

/** Signs in and returns the person, or the page that says why not. */
async function signIn(
  on: Scene,
  query = "",
  browser = new Browser(),
): Promise<{ person?: SignedInPerson; page: string; browser: Browser }> {
  await browser.follow(begin(on, query), isCallback);
  const reply = await browser.get(browser.last);
  const cookie = browser.cookie(on.url, "holdpoint_session");
  if (reply.status !== 303 || cookie === undefined) return { page: await reply.text(), browser };
  return {
    person: personWith(on.test, `holdpoint_session=${cookie}`),
    page: reply.headers.get("location") ?? "",
    browser,
  };
}

async function me(person: SignedInPerson | undefined) {
  return (await person?.call("GET", "/v1/me"))?.body;
}

describe("signing in at an identity provider", () => {
  it("adds the person by issuer and subject, with the role and the teams of their groups, and goes back to where they were", async () => {
    await using on = await scene();
    on.idp.account = {
      sub: "ada-1",
      name: "Ada Park",
      email: "ada@example.com",
      email_verified: true,
      groups: ["approvers", "unknown"],
    };
    const { person, page } = await signIn(on, "?return=%2Fconsole%2Fpeople");
    expect(page).toBe("/console/people");
    const { name: id, role } = await me(person);
    expect({ id, role }).toEqual({ id: expect.stringMatching(/^oidc-[\w-]{16}$/), role: "operator" });
    const { body } = await on.test.call("GET", "/v1/people", { key: on.test.keys.admin });
    expect(body.people).toMatchObject([
      {
        ...{
          id,
          name: "Ada Park",
          email: "ada@example.com",
          role: "operator",
          teams: ["finance"],
          source: "oidc",
        },
        accounts: [{ platform: "oidc", tenant: on.idp.issuer, user_id: "ada-1" }],
      },
    ]);
  });

  it("records auth_time, acr and amr in the log, and not the subject", async () => {
    await using on = await scene();
    await signIn(on, "?fresh");
    const events = await on.test.store.events({ after: 0, limit: 100 });
    const started = events.find(({ type }) => type === "session.started");
    expect(JSON.parse(started?.data ?? "{}")).toMatchObject({
      ...{ how: "oidc", provider: "corp", acr: "urn:example:silver", amr: ["pwd", "otp"] },
      auth_time: expect.stringMatching(/^\d{4}-/),
    });
    expect(JSON.stringify(events)).not.toContain("ada-1");
  });

  it("reads the role again at every sign-in: less is less, and no mapped group ends every session", async () => {
    await using on = await scene();
    on.idp.account = { sub: "ada-1", groups: ["admins"] };
    const first = await signIn(on);
    expect((await me(first.person)).role).toBe("admin");
    on.idp.account = { sub: "ada-1", groups: ["approvers"] };
    await on.test.clock.advance(1_000);
    const second = await signIn(on);
    expect((await me(second.person)).role).toBe("operator");
    expect((await me(first.person)).code).toBe("unauthenticated");
    on.idp.account = { sub: "ada-1", groups: ["strangers"] };
    const third = await signIn(on);
    expect(third).toMatchObject({
      page: expect.stringContaining("None of your groups gives you a role here"),
    });
    expect(third.person).toBeUndefined();
    expect((await me(second.person)).code).toBe("unauthenticated");
  });

  it("never finds a person by their e-mail address", async () => {
    await using on = await scene({});
    const body = { id: "root2", name: "Root", email: "root@example.com", role: "admin" };
    await on.test.call("POST", "/v1/people", { key: on.test.keys.admin, body });
    on.idp.account = {
      sub: "mallory",
      email: "root@example.com",
      email_verified: true,
      groups: ["auditors"],
    };
    const { person } = await signIn(on);
    expect(await me(person)).toMatchObject({ role: "auditor", name: expect.stringMatching(/^oidc-/) });
  });

  it("without mapped groups signs in only people whose account is linked; a signed-in person links their own", async () => {
    await using on = await scene({ groups: undefined as never });
    expect((await signIn(on)).page).toContain("Nobody here has this account");
    const { keys } = on.test;
    await on.test.call("POST", "/v1/people", { key: keys.admin, body: { id: "ada", name: "Ada" } });
    const made = await on.test.call("POST", "/v1/sign-ins", { key: keys.admin, body: { name: "ada" } });
    const browser = new Browser();
    await browser.follow(made.body.url, (at) => at.endsWith("/console"));
    const ada = personWith(on.test, `holdpoint_session=${browser.cookie(on.url, "holdpoint_session")}`);
    const asked = await fetch(`${on.url}/signin/oidc/corp/link`, {
      method: "POST",
      headers: { ...ada.headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ _csrf: ada.headers["x-csrf-token"] ?? "", return: "/console/settings" }),
    });
    const { location } = (await asked.json()) as { location: string };
    const attempt = asked.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    await browser.follow(location, isCallback);
    const stolen = await fetch(browser.last, { redirect: "manual", headers: { cookie: attempt } });
    expect(stolen.status).toBe(403);
    const again = await fetch(`${on.url}/signin/oidc/corp/link`, {
      method: "POST",
      headers: { ...ada.headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ _csrf: ada.headers["x-csrf-token"] ?? "", return: "/console/settings" }),
    });
    const next = (await again.json()) as { location: string };
    const cookie = `${again.headers.getSetCookie()[0]?.split(";")[0]}; ${ada.headers["cookie"]}`;
    await browser.follow(next.location, isCallback);
    const linked = await fetch(browser.last, { redirect: "manual", headers: { cookie } });
    expect([linked.status, linked.headers.get("location")]).toEqual([303, "/console/settings"]);
    expect(await me((await signIn(on)).person)).toMatchObject({ name: "ada", role: "operator" });
  });

  it("links no account without the console's own token or a fresh sign-in", async () => {
    await using on = await scene();
    const { person } = await signIn(on, "?fresh");
    const link = (headers: object, csrf: string) =>
      on.test.server.app.request("/signin/oidc/corp/link", {
        method: "POST",
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ _csrf: csrf }),
      });
    const headers = person?.headers ?? {};
    expect((await link(headers, "wrong")).status).toBe(403);
    await on.test.clock.advance(600_001);
    const stale = await link(headers, headers["x-csrf-token"] ?? "");
    expect([stale.status, ((await stale.json()) as { code: string }).code]).toEqual([
      403,
      "fresh_sign_in_required",
    ]);
  });

  it("asks the provider for a new authentication when a fresh sign-in is needed", async () => {
    await using on = await scene();
    const reply = await new Browser().get(begin(on, "?fresh"));
    const asked = new URL(reply.headers.get("location") ?? "").searchParams;
    expect([asked.get("max_age"), asked.get("prompt"), asked.get("code_challenge_method")]).toEqual([
      "0",
      "login",
      "S256",
    ]);
    const browser = new Browser();
    await signIn(on, "", browser);
    const { page } = await signIn(on, "?fresh&return=%2Fconsole%2Frules", browser);
    expect(page).toBe("/console/rules");
  });

  it("counts an old authentication at the provider as old, even if the session here is new", async () => {
    await using on = await scene();
    on.idp.account = { sub: "root-1", groups: ["admins"] };
    const key = (person: SignedInPerson | undefined) =>
      person?.call("POST", "/v1/keys", { name: "bot", role: "agent" });
    const fresh = await signIn(on, "?fresh");
    expect((await key(fresh.person))?.status).toBe(201);
    on.idp.forge = (claims) => ({ ...claims, auth_time: Math.floor(systemClock.now() / 1_000) - 3_600 });
    const old = await signIn(on);
    expect(await key(old.person)).toMatchObject({ status: 403, body: { code: "fresh_sign_in_required" } });
    expect((await signIn(on, "?fresh")).page).toContain("did not confirm who you are");
  });

  it("says that a person declined, that a provider is unknown, and that one cannot be reached", async () => {
    await using on = await scene();
    on.idp.account = undefined;
    const declined = await signIn(on);
    expect(declined.page).toContain("did not confirm who you are");
    expect((await on.test.call("GET", "/signin/oidc/other")).status).toBe(404);
    await using lonely = await scene({ issuer: "http://127.0.0.1:1" });
    const reply = await new Browser().get(begin(lonely));
    expect(reply.status).toBe(403);
    expect(await reply.text()).toContain("cannot be reached");
    expect(lonely.test.log.map(({ place }) => place)).toContain("sign-in by corp");
  });
});

describe("an identity provider's answer", () => {
  it.each<[string, (idp: IdentityProvider) => void]>([
    [
      "another nonce",
      (idp) => {
        idp.forge = (claims) => ({ ...claims, nonce: "other" });
      },
    ],
    [
      "no nonce",
      (idp) => {
        idp.forge = ({ nonce: _none, ...claims }) => claims;
      },
    ],
    [
      "another audience",
      (idp) => {
        idp.forge = (claims) => ({ ...claims, aud: "another-client" });
      },
    ],
    [
      "another issuer",
      (idp) => {
        idp.forge = (claims) => ({ ...claims, iss: "https://evil.example" });
      },
    ],
    [
      "an expired token",
      (idp) => {
        idp.forge = (claims) => ({ ...claims, exp: 1 });
      },
    ],
    [
      "no signature",
      (idp) => {
        idp.forgeToken = (claims) => `${part({ alg: "none" })}.${part(claims)}.`;
      },
    ],
    [
      "a signature with the client's secret",
      (idp) => {
        idp.forgeToken = (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: "HS256" })
            .sign(new TextEncoder().encode(CLIENT.secret));
      },
    ],
    [
      "another key's signature",
      (idp) => {
        idp.forgeToken = async (claims, key) =>
          signed(claims, { ...key, ...(await generateKeyPair("RS256")) });
      },
    ],
    [
      "a changed payload",
      (idp) => {
        idp.forgeToken = async (claims, key) => {
          const [head, , signature] = (await signed(claims, key)).split(".");
          return `${head}.${part({ ...claims, groups: ["admins"] })}.${signature}`;
        };
      },
    ],
  ])("with %s signs nobody in", async (_what, forge) => {
    await using on = await scene();
    forge(on.idp);
    const { person, page } = await signIn(on);
    expect(person).toBeUndefined();
    expect(page).toContain("did not confirm who you are");
    const events = await on.test.store.events({ after: 0, limit: 100 });
    expect(events.map(({ type }) => type)).not.toContain("session.started");
    expect(on.test.log).toHaveLength(1);
  });

  it("with a key that the provider has just changed to still signs in", async () => {
    await using on = await scene();
    expect((await signIn(on)).person).toBeDefined();
    await on.idp.rotateKeys();
    expect((await signIn(on)).person).toBeDefined();
    const old = on.idp.key;
    await on.idp.rotateKeys();
    on.idp.forgeToken = (claims) => signed(claims, old);
    expect((await signIn(on)).person).toBeUndefined();
  });

  it("is taken once: neither state nor code can be used again, nor in another browser, nor after ten minutes", async () => {
    await using on = await scene();
    const browser = new Browser();
    await browser.follow(begin(on), isCallback);
    const callback = browser.last;
    const elsewhere = await new Browser().get(callback);
    expect(elsewhere.status).toBe(403);
    expect((await browser.get(callback)).status).toBe(303);
    const replayed = await browser.get(callback);
    expect(replayed.status).toBe(403);
    expect(await replayed.text()).toContain("was used before");
    const next = new Browser();
    await next.follow(begin(on), isCallback);
    const code = new URL(callback).searchParams.get("code") ?? "";
    const mixed = new URL(next.last);
    mixed.searchParams.set("code", code);
    expect(await (await next.get(mixed.href)).text()).toContain("did not confirm");
    const late = new Browser();
    await late.follow(begin(on), isCallback);
    await on.test.clock.advance(600_000);
    expect((await late.get(late.last)).status).toBe(403);
    const wrong = new Browser();
    await wrong.follow(begin(on), isCallback);
    const other = new URL(wrong.last);
    other.searchParams.set("state", "guessed");
    expect((await wrong.get(other.href)).status).toBe(403);
  });

  it("does not lead to another site afterwards", async () => {
    await using on = await scene();
    for (const to of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "javascript:1",
      "/review/x",
      "x".repeat(1_001),
    ])
      expect((await signIn(on, `?return=${encodeURIComponent(to)}`)).page).toBe("/console");
  });
});

describe("back-channel logout", () => {
  it("by the provider itself ends the session that began there", async () => {
    await using on = await scene();
    const { person, browser } = await signIn(on);
    expect((await me(person)).role).toBe("operator");
    const page = await (await browser.get(`${on.idp.issuer}/session/end?client_id=${CLIENT.id}`)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    await fetch(`${on.idp.issuer}/session/end/confirm`, {
      ...{ method: "POST", redirect: "manual" },
      headers: { cookie: browser.cookieHeader(on.idp.issuer) },
      body: new URLSearchParams({ xsrf, logout: "yes" }),
    });
    await expect.poll(() => me(person)).toMatchObject({ code: "unauthenticated" });
    const events = await on.test.store.events({ after: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "session.ended")).toMatchObject([{ actor: "system" }]);
  });

  const post = (on: Scene, token: string, name = "corp") =>
    fetch(`${on.url}/signin/oidc/${name}/logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
    });

  it("by subject ends all of the person's sessions that began before, and none of anybody else", async () => {
    await using on = await scene();
    const ada = [await signIn(on), await signIn(on)];
    on.idp.account = { sub: "bea-1", groups: ["approvers"] };
    const bea = await signIn(on);
    const token = await on.idp.logoutToken({ sub: "ada-1" });
    expect((await post(on, token)).status).toBe(200);
    for (const { person } of ada) expect((await me(person)).code).toBe("unauthenticated");
    expect((await me(bea.person)).role).toBe("operator");
    on.idp.account = { sub: "ada-1", groups: ["approvers"] };
    await on.test.clock.advance(60_000);
    const later = await signIn(on);
    expect((await post(on, token)).status).toBe(200);
    expect((await me(later.person)).role).toBe("operator");
  });

  it("is refused for tokens that prove nothing", async () => {
    await using on = await scene();
    const { person } = await signIn(on);
    const { idp } = on;
    const stranger = { ...idp.key, ...(await generateKeyPair("RS256")) };
    const tokens = [
      "",
      "not.a.token",
      await idp.logoutToken({ sub: "ada-1", aud: "another-client" }),
      await idp.logoutToken({ sub: "ada-1", iss: "https://evil.example" }),
      await idp.logoutToken({ sub: "ada-1", nonce: "n" }),
      await idp.logoutToken({ sub: "ada-1", events: {} }),
      await idp.logoutToken({}),
      await idp.logoutToken({ sub: "ada-1" }, stranger),
    ];
    for (const token of tokens) {
      const reply = await post(on, token);
      expect([reply.status, await reply.json()]).toEqual([
        400,
        expect.objectContaining({ error: "invalid_request" }),
      ]);
    }
    expect((await post(on, await idp.logoutToken({ sub: "ada-1" }), "other")).status).toBe(400);
    expect((await me(person)).role).toBe("operator");
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
