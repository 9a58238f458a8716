import type { AppView } from "@holdpoint/protocol";
import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { plainRenderer } from "./plain/index.ts";

const PERSON = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };

async function signInLink(test: TestServer, body: object = { name: "Ada" }): Promise<string> {
  const made = await test.call("POST", "/v1/sign-ins", { key: test.keys.admin, body });
  return made.body.url.slice("http://localhost:4100".length);
}

const look = (test: TestServer, path: string, headers: Record<string, string> = {}) =>
  test.server.app.request(path, { headers: { ...PERSON, ...headers } });

interface Console {
  readonly cookie: string;
  readonly csrf: string;
}

async function enter(test: TestServer, body?: object): Promise<Console> {
  const entered = await look(test, await signInLink(test, body));
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await look(test, "/console", { cookie })).text();
  return { cookie, csrf: /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? "" };
}

const send = (
  test: TestServer,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string>,
) =>
  test.server.app.request(path, {
    method: "POST",
    headers: { ...PERSON, "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });

const placed = async (test: TestServer, more: object = {}) =>
  (
    await test.call("POST", "/v1/holds", {
      key: test.keys.agent,
      body: { type: "approval", prompt: "Refund 40 EUR?", ...more },
    })
  ).body;

describe("signing in to the console", () => {
  it("a sign-in link works once and starts a session in a cookie that scripts cannot read", async () => {
    await using test = await testServer();
    const link = await signInLink(test);
    const entered = await look(test, link);
    expect({ status: entered.status, to: entered.headers.get("location") }).toEqual({
      status: 303,
      to: "/console",
    });
    const cookie = entered.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^holdpoint_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    const again = await look(test, link);
    expect(again.status).toBe(401);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  it("the session cookie is Secure if the server is reached by https", async () => {
    await using test = await testServer({ publicUrl: "https://hold.example" });
    const made = await test.call("POST", "/v1/sign-ins", { key: test.keys.admin, body: {} });
    const entered = await look(test, made.body.url.slice("https://hold.example".length));
    expect(entered.headers.get("set-cookie")).toContain("; Secure");
  });

  it("a program that previews a sign-in link does not use it up", async () => {
    await using test = await testServer();
    const link = await signInLink(test);
    for (const headers of [{ "user-agent": "Slackbot 1.0" }, { "sec-purpose": "prefetch" }]) {
      const reply = await look(test, link, headers);
      expect({ status: reply.status, cookie: reply.headers.get("set-cookie") }).toEqual({
        status: 200,
        cookie: null,
      });
    }
    expect((await look(test, link)).status).toBe(303);
  });

  it("signing in is refused with an expired link, a wrong link, and after too many wrong links", async () => {
    await using test = await testServer();
    const link = await signInLink(test);
    await test.clock.advance(12 * 3_600_000);
    expect((await look(test, link)).status).toBe(401);
    expect(await look(test, "/signin"), "the ways to sign in").toMatchObject({ status: 200 });
    for (let i = 0; i < 30; i += 1) expect((await look(test, `/signin?token=wrong${i}`)).status).toBe(401);
    expect((await look(test, "/signin?token=wrong")).status).toBe(429);
    expect((await look(test, await signInLink(test))).status).toBe(303);
  });

  it("a session ends when the person signs out, and after twelve hours", async () => {
    await using test = await testServer();
    const { cookie, csrf } = await enter(test);
    expect((await look(test, "/console", { cookie })).status).toBe(200);
    const left = await send(test, "/signout", { _csrf: csrf }, { cookie });
    expect(left.headers.get("set-cookie")).toContain("Max-Age=0");
    // Browsers drop the pages that they kept for going back.
    expect(left.headers.get("clear-site-data")).toBe('"cache"');
    expect((await look(test, "/console", { cookie })).status).toBe(401);
    const other = await enter(test);
    await test.clock.advance(12 * 3_600_000);
    expect((await look(test, "/console", { cookie: other.cookie })).status).toBe(401);
  });

  it("every page of the console requires a session", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    for (const path of ["/console", `/console/holds/${hold.id}`])
      expect((await look(test, path)).status).toBe(401);
    // A key is for programs: it opens no page.
    const headers = { authorization: `Bearer ${test.keys.admin}` };
    expect((await look(test, "/console", headers)).status).toBe(401);
  });
});

describe("forms of the console", () => {
  const CROSS = [
    ["without the token", { sent: false }, {}],
    ["with a wrong token", { sent: "wrong" }, {}],
    ["from another site", { sent: true }, { "sec-fetch-site": "cross-site" }],
    ["from a sibling site", { sent: true }, { "sec-fetch-site": "same-site" }],
    ["from another origin", { sent: true }, { origin: "https://evil.example" }],
    ["from nowhere", { sent: true }, { origin: "null" }],
  ] as const;

  it.each(CROSS)("a form of the console is refused %s", async (_how, { sent }, headers) => {
    await using test = await testServer();
    const hold = await placed(test);
    const { cookie, csrf } = await enter(test);
    const token = sent === true ? { _csrf: csrf } : sent === false ? {} : { _csrf: sent };
    for (const path of [
      `/console/holds/${hold.id}/answer`,
      `/console/holds/${hold.id}/dismiss`,
      "/signout",
    ]) {
      const reply = await send(
        test,
        path,
        { _action: "approve", ...token },
        { cookie, host: "localhost", ...headers },
      );
      expect(reply.status).toBe(403);
    }
    expect((await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent })).body.status).toBe(
      "open",
    );
    expect((await look(test, "/console", { cookie })).status).toBe(200);
  });

  it("a form of the console answers as the person who signed in", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    const { cookie, csrf } = await enter(test);
    const page = await (await look(test, `/console/holds/${hold.id}`, { cookie })).text();
    expect(page).toContain(`name="_shown" value="${hold.digest}"`);
    const form = { _action: "approve", _csrf: csrf, _shown: hold.digest };
    const own = { cookie, origin: "http://localhost", host: "localhost", "sec-fetch-site": "same-origin" };
    const reply = await send(test, `/console/holds/${hold.id}/answer`, form, own);
    expect({ status: reply.status, to: reply.headers.get("location") }).toEqual({
      status: 303,
      to: `/console/holds/${hold.id}?done`,
    });
    const { body } = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent });
    expect(body).toMatchObject({
      opened_at: expect.any(String),
      outcome: { door: "console", by: { kind: "session", name: "Ada" } },
    });
    expect(JSON.stringify(body)).not.toContain(cookie.split("=")[1]);
  });

  it("a form of the console reports an error with a matching status", async () => {
    await using test = await testServer();
    const { cookie, csrf } = await enter(test);
    const post = (id: string, what: string, form: object = {}) =>
      send(test, `/console/holds/${id}/${what}`, { _csrf: csrf, ...form }, { cookie });
    const hold = await placed(test, { timeout: "1h" });
    expect((await post(hold.id, "answer", { _action: "explode" })).status).toBe(422);
    expect((await post("hold_nothing", "answer", { _action: "approve" })).status).toBe(404);
    expect((await post("hold_nothing", "dismiss")).status).toBe(404);
    expect((await post("%0d%0aset-cookie:x", "dismiss")).status).toBe(404);
    expect((await post("%00", "dismiss")).status).toBe(404);
    expect((await post(hold.id, "dismiss")).status).toBe(303);
    expect((await post(hold.id, "dismiss")).status).toBe(409);
    expect((await post(hold.id, "answer", { _action: "approve" })).status).toBe(409);
  });

  it("an auditor can look at the console, and looking writes nothing", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    const { cookie, csrf } = await enter(test, { name: "Kay", role: "auditor" });
    expect((await look(test, `/console/holds/${hold.id}`, { cookie })).status).toBe(200);
    const reply = await send(
      test,
      `/console/holds/${hold.id}/answer`,
      { _action: "approve", _csrf: csrf },
      { cookie },
    );
    expect(reply.status).toBe(403);
    expect((await send(test, `/console/holds/${hold.id}/dismiss`, { _csrf: csrf }, { cookie })).status).toBe(
      403,
    );
    const { body } = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.agent });
    expect(body).toMatchObject({ status: "open", version: hold.version });
  });
});

describe("the console's inbox", () => {
  it("the inbox lists open holds by page and by search, and none of another workspace", async () => {
    await using test = await testServer();
    const { cookie } = await enter(test);
    for (let i = 0; i < 55; i += 1) {
      await placed(test, { prompt: `Refund number ${i}?` });
      await test.clock.advance(1);
    }
    await test.call("POST", "/v1/holds", {
      key: test.keys.elsewhere,
      body: { type: "approval", prompt: "Elsewhere?" },
    });
    const first = await (await look(test, "/console?plain", { cookie })).text();
    expect(first).toContain("Refund number 54?");
    expect(first).not.toContain("Refund number 4?");
    expect(first).not.toContain("Elsewhere?");
    const older = /href="(\/console\?[^"]*cursor=[^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(await (await look(test, older, { cookie })).text()).toContain("Refund number 4?");
    const found = await (await look(test, "/console?plain&q=number+7%3F", { cookie })).text();
    expect(found).toContain("Refund number 7?");
    expect(found).not.toContain("Refund number 8?");
    for (const odd of ["?q=%00", "?cursor=%00", "?status=nonsense", "?q=%ED%A0%80", "?cursor=../.."]) {
      expect((await look(test, `/console${odd}`, { cookie })).status).toBe(200);
    }
  });

  it("the inbox withholds sensitive answers from administrators too (G9)", async () => {
    await using test = await testServer();
    const form = { fields: [{ key: "pin", label: "PIN", type: "text", sensitive: true }] };
    const hold = await placed(test, { type: "input", prompt: "PIN?", form });
    await test.call("POST", `/v1/holds/${hold.id}/answer`, {
      key: test.keys.operator,
      body: { action: "submit", data: { pin: "4711" } },
    });
    const { cookie } = await enter(test, { name: "root", role: "admin" });
    expect(await (await look(test, `/console/holds/${hold.id}?plain`, { cookie })).text()).not.toContain(
      "4711",
    );
  });
});

describe("a console session at the API", () => {
  it("a session reads the API with its cookie, and writes only with its CSRF token from the server's own origin", async () => {
    await using test = await testServer();
    const hold = await placed(test);
    const { cookie, csrf } = await enter(test);
    expect((await test.call("GET", "/v1/me", { headers: { cookie } })).body).toMatchObject({
      kind: "session",
      name: "Ada",
      role: "operator",
    });
    const answer = (headers: Record<string, string>) =>
      test.call("POST", `/v1/holds/${hold.id}/answer`, {
        body: { action: "approve" },
        headers: { cookie, ...headers },
      });
    expect(await answer({})).toMatchObject({ status: 403 });
    expect(await answer({ "x-csrf-token": csrf, "sec-fetch-site": "cross-site" })).toMatchObject({
      status: 403,
    });
    expect(await answer({ "x-csrf-token": csrf })).toMatchObject({
      status: 200,
      body: { outcome: { door: "console" } },
    });
  });
});

describe("the playground", () => {
  const drawn = { ...plainRenderer, app: ({ isLocal }: AppView) => `drawn ${isLocal}` };

  async function open(publicUrl: string) {
    await using test = await testServer({ publicUrl, pages: { renderer: drawn } });
    const made = await test.call("POST", "/v1/sign-ins", { key: test.keys.admin, body: { name: "Ada" } });
    const entered = await look(test, made.body.url.slice(publicUrl.length));
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    const reply = await look(test, "/playground", { cookie });
    return { status: reply.status, text: await reply.text() };
  }

  it("the playground is served only if no other machine can reach the server", async () => {
    expect(await open("http://localhost:4100")).toEqual({ status: 200, text: "drawn true" });
    const elsewhere = await open("https://holds.example");
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.text).toContain("Only on your own machine");
  });
});
