/** Signing in at a real identity provider (oidc-provider), over HTTP, with what a browser would do. */

import { describe, expect, it } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { Browser, begin, isCallback, me, scene, signIn } from "../../testing/oidc-scene.ts";
import { personWith, type SignedInPerson } from "../../testing/signed-in.ts";

/** An admin who does not come from the provider. */
async function addRoot({ test }: Awaited<ReturnType<typeof scene>>): Promise<void> {
  const body = { id: "root-person", name: "Root", role: "admin" };
  await test.call("POST", "/v1/people", { key: test.keys.admin, body });
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
    await addRoot(on);
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

  it("takes the role of somebody who lost every group from every other way in, and gives it back with a group", async () => {
    await using on = await scene();
    const { test } = on;
    const key = test.keys.admin;
    await addRoot(on);
    on.idp.account = { sub: "ada-1", groups: ["admins"] };
    const { name: id } = await me((await signIn(on)).person);
    const { body } = await test.call("POST", `/v1/people/${id}/invite`, { key, body: {} });
    const enter = () =>
      test.server.app.request("/signin/link", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ token: new URL(body.url).searchParams.get("token") ?? "" }),
      });
    on.idp.account = { sub: "ada-1", groups: [] };
    expect((await signIn(on)).page).toContain("None of your groups gives you a role here");
    expect((await enter()).status).toBe(401);
    const invited = await test.call("POST", `/v1/people/${id}/invite`, { key, body: {} });
    expect(invited.body).toMatchObject({ code: "not_allowed" });
    on.idp.account = { sub: "ada-1", groups: ["approvers"] };
    expect((await me((await signIn(on)).person)).role).toBe("operator");
    expect((await enter()).status).toBe(303);
    await test.call("PATCH", `/v1/people/${id}`, { key, body: { status: "suspended" } });
    expect((await signIn(on)).page).toContain("You are suspended here");
  });

  it.each([
    ["no mapped group", []],
    ["a lesser group", ["approvers"]],
  ])("leaves the last admin the role with %s, ends the sessions, and says so", async (_what, groups) => {
    await using on = await scene();
    on.idp.account = { sub: "ada-1", groups: ["admins"] };
    const { person } = await signIn(on);
    const { name: id } = await me(person);
    on.idp.account = { sub: "ada-1", groups };
    const again = await signIn(on);
    expect((await me(person)).code).toBe("unauthenticated");
    if (groups.length > 0) expect((await me(again.person)).role).toBe("operator");
    else expect(again.page).toContain("None of your groups gives you a role here");
    const { body } = await on.test.call("GET", "/v1/people", { key: on.test.keys.admin });
    expect(body.people).toMatchObject([{ id, role: "admin", status: "active" }]);
    const logged = on.test.log.map(({ message }) => message).join(" ");
    expect(logged).toContain("no other active admin is left");
  });

  it("knows several providers apart: the same subject is two people, and an answer of one is no answer of the other", async () => {
    await using on = await scene({}, "guests");
    const { guests } = on;
    guests.account = { sub: "ada-1", groups: ["auditors"] };
    const at = async (name: string, browser = new Browser()) => {
      await browser.follow(`${on.url}/signin/oidc/${name}`, isCallback);
      return browser;
    };
    const page = await (await fetch(`${on.url}/signin`)).text();
    expect([page.includes("Continue with Corp"), page.includes("Continue with guests")]).toEqual([
      true,
      true,
    ]);
    const corp = await signIn(on);
    const browser = await at("guests");
    expect((await browser.get(browser.last)).status).toBe(303);
    const cookie = `holdpoint_session=${browser.cookie(on.url, "holdpoint_session")}`;
    const [one, two] = [await me(corp.person), await me(personWith(on.test, cookie))];
    expect([one.role, two.role, one.name === two.name]).toEqual(["operator", "auditor", false]);
    const mixed = await at("guests");
    const elsewhere = await mixed.get(mixed.last.replace("/oidc/guests/", "/oidc/corp/"));
    expect([elsewhere.status, mixed.cookie(on.url, "holdpoint_session")]).toEqual([403, undefined]);
    const logout = await fetch(`${on.url}/signin/oidc/corp/logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: await guests.logoutToken({ sub: "ada-1" }) }),
    });
    expect([logout.status, (await me(corp.person)).role]).toEqual([400, "operator"]);
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
