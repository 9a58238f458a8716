/** What an identity provider says is checked: its answers to a sign-in, and its logout tokens. */

import { generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { CLIENT, type IdentityProvider, signed } from "../../testing/identity-provider.ts";
import { Browser, begin, isCallback, me, type Scene, scene, signIn } from "../../testing/oidc-scene.ts";

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

  it("reads the provider's keys once however many wrong tokens come, and tells their sender to wait", async () => {
    await using on = await scene();
    const stranger = { ...on.idp.key, ...(await generateKeyPair("RS256")), kid: "unknown" };
    const wrong = await on.idp.logoutToken({ sub: "ada-1" }, stranger);
    const replies = await Promise.all(Array.from({ length: 30 }, () => post(on, wrong)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]));
    expect(on.idp.keysRead).toBe(1);
    const blocked = await post(on, wrong);
    expect([blocked.status, await blocked.json()]).toEqual([
      429,
      expect.objectContaining({ error: "temporarily_unavailable" }),
    ]);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await post(on, await on.idp.logoutToken({ sub: "ada-1" }))).status).toBe(200);
    expect(on.idp.keysRead).toBe(1);
  });

  it("does not ask a provider that fails for its keys again within a moment, and asks it after that", async () => {
    await using on = await scene();
    on.idp.hidesKeys = true;
    const token = await on.idp.logoutToken({ sub: "ada-1" });
    for (let n = 0; n < 3; n += 1) expect((await post(on, token)).status).toBe(400);
    expect(on.idp.keysRead).toBe(1);
    on.idp.hidesKeys = false;
    await on.test.clock.advance(5_000);
    expect((await post(on, token)).status).toBe(200);
    expect(on.idp.keysRead).toBe(2);
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
