import { describe, expect, it } from "vitest";
import { channelsFrom, signInFrom } from "../configured.ts";
import { sealerOf } from "../system/sealing.ts";
import { readSignIn } from "../system/sign-in-config.ts";
import { MailServer } from "../testing/mail-server.ts";
import { personWith, signedInPerson } from "../testing/signed-in.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";

const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
const MINUTE = 60_000;

interface Scene extends AsyncDisposable {
  readonly test: TestServer;
  readonly mail: MailServer;
}

async function scene(): Promise<Scene> {
  const mail = await MailServer.start();
  const channels = { mail: { kind: "email", url: mail.url, from: "Holdpoint <hp@example.com>" } } as const;
  const signIn = signInFrom({ signIn: readSignIn(undefined, channels, {}), channels }, {});
  const test = await testServer({ signIn });
  const ada = { id: "ada", name: "Ada Park", email: "ada@example.com" };
  await test.call("POST", "/v1/people", { key: test.keys.admin, body: ada });
  return {
    ...{ test, mail },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

const form = (test: TestServer, path: string, fields: Record<string, string>, headers: object = {}) =>
  test.server.app.request(path, {
    method: "POST",
    headers: { ...BROWSER, "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields),
  });

const ask = ({ test }: Scene, email: string, more: Record<string, string> = {}) =>
  form(test, "/signin/email", { email, ...more });

async function linkIn({ mail }: Scene, count = 1): Promise<URL> {
  await mail.received(count);
  return new URL(/http:\S+/.exec(mail.mails.at(-1)?.text ?? "")?.[0] ?? "");
}

const press = ({ test }: Scene, link: URL) =>
  form(test, "/signin/link", {
    token: link.searchParams.get("token") ?? "",
    return: link.searchParams.get("return") ?? "",
  });

describe("a sign-in link by e-mail", () => {
  it("goes to the person with this address, asks for a click, and signs in once", async () => {
    await using on = await scene();
    expect((await ask(on, " ADA@example.com ", { return: "/console/rules" })).status).toBe(200);
    const link = await linkIn(on);
    expect(on.mail.mails[0]).toMatchObject({ to: ["ada@example.com"], from: "hp@example.com" });
    expect(on.mail.mails[0]?.headers["subject"]).toBe("Sign in to Holdpoint at localhost:4100");
    // A filter that opens the link uses nothing up.
    for (let times = 0; times < 2; times += 1) {
      const page = await on.test.server.app.request(link.pathname + link.search, { headers: BROWSER });
      expect([page.status, page.headers.get("set-cookie")]).toEqual([200, null]);
    }
    const entered = await press(on, link);
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/console/rules"]);
    const ada = personWith(on.test, entered.headers.get("set-cookie") ?? "");
    expect((await ada.call("GET", "/v1/me")).body).toMatchObject({ name: "ada", role: "operator" });
    expect((await ada.call("GET", "/v1/sessions")).body.sessions).toMatchObject([{ how: "email" }]);
    expect((await press(on, link)).status).toBe(401);
  });

  it("works for fifteen minutes", async () => {
    await using on = await scene();
    await ask(on, "ada@example.com");
    const link = await linkIn(on);
    await on.test.clock.advance(15 * MINUTE);
    expect((await press(on, link)).status).toBe(401);
  });

  it("gives the same reply, and no mail, for an address of nobody, of a suspended person and of an erased one", async () => {
    await using on = await scene();
    const { test } = on;
    const key = test.keys.admin;
    for (const id of ["sue", "eve"])
      await test.call("POST", "/v1/people", { key, body: { id, name: id, email: `${id}@example.com` } });
    await test.call("PATCH", "/v1/people/sue", { key, body: { status: "suspended" } });
    await test.call("POST", "/v1/people/eve/erase", { key });
    const replies = [];
    for (const who of ["ada", "nobody", "sue", "eve"]) {
      const reply = await ask(on, `${who}@example.com`);
      replies.push([reply.status, await reply.text()]);
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    await on.mail.received(1);
    await test.server.stop();
    expect(on.mail.mails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  });

  it("is sent three times in a quarter of an hour to one mailbox, and the reply does not tell", async () => {
    await using on = await scene();
    for (let times = 0; times < 5; times += 1) expect((await ask(on, "ada@example.com")).status).toBe(200);
    await on.mail.received(3);
    await on.test.server.stop();
    expect(on.mail.mails).toHaveLength(3);
  });

  it("can be asked for twenty times from one network address", async () => {
    await using on = await scene();
    for (let times = 0; times < 20; times += 1) await ask(on, `x${times}@example.com`);
    const refused = await ask(on, "ada@example.com");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"]);
    await on.test.clock.advance(15 * MINUTE);
    expect((await ask(on, "ada@example.com")).status).toBe(200);
  });

  it("is neither sent nor used for a form of another site", async () => {
    await using on = await scene();
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await form(on.test, "/signin/email", { email: "ada@example.com" }, foreign)).status).toBe(403);
    await ask(on, "ada@example.com");
    const token = (await linkIn(on)).searchParams.get("token") ?? "";
    const other = { origin: "https://evil.example" };
    expect((await form(on.test, "/signin/link", { token }, other)).status).toBe(403);
    const own = { origin: "http://localhost:4100" };
    expect((await form(on.test, "/signin/link", { token }, own)).status).toBe(303);
  });

  it("says in the server's log that the mail server refused", async () => {
    await using on = await scene();
    on.mail.refuse = 550;
    expect((await ask(on, "ada@example.com")).status).toBe(200);
    await on.test.server.stop();
    expect(on.test.log).toMatchObject([{ place: "sign-in by e-mail" }]);
  });

  it("is offered only where an e-mail channel is configured", async () => {
    await using test = await testServer();
    expect((await form(test, "/signin/email", { email: "ada@example.com" })).status).toBe(404);
    const plain = await (await test.server.app.request("/signin", { headers: BROWSER })).text();
    expect(plain).not.toContain("Send me a link");
    await using on = await scene();
    expect(await (await on.test.server.app.request("/signin")).text()).toContain("Send me a link");
  });
});

describe("an invitation", () => {
  it("is sent by e-mail, works for three days, and gives the role of the day it is used", async () => {
    await using on = await scene();
    const root = await signedInPerson(on.test, "root", "admin");
    const sent = await root.call("POST", "/v1/people/ada/invite", { by: "email" });
    expect(sent).toMatchObject({ status: 201, body: { person: "ada", sent_to: "ada@example.com" } });
    expect(on.mail.mails[0]?.text).toContain("within 72 hours");
    const link = await linkIn(on);
    await on.test.clock.advance(71 * 60 * MINUTE);
    await on.test.call("PATCH", "/v1/people/ada", { key: on.test.keys.admin, body: { role: "auditor" } });
    const ada = personWith(on.test, (await press(on, link)).headers.get("set-cookie") ?? "");
    expect((await ada.call("GET", "/v1/me")).body.role).toBe("auditor");
  });

  it("is a one-time link to hand over if nothing else is said", async () => {
    await using on = await scene();
    const { admin } = on.test.keys;
    const { body } = await on.test.call("POST", "/v1/people/ada/invite", { key: admin, body: {} });
    const entered = await press(on, new URL(body.url));
    expect(
      (await personWith(on.test, entered.headers.get("set-cookie") ?? "").call("GET", "/v1/me")).body.name,
    ).toBe("ada");
  });

  it("signs in only by a press, also under the address of links that sign in when they are opened", async () => {
    await using on = await scene();
    const { admin } = on.test.keys;
    const { body } = await on.test.call("POST", "/v1/people/ada/invite", { key: admin, body: {} });
    await ask(on, "ada@example.com");
    for (const link of [new URL(body.url), await linkIn(on)]) {
      const opened = await on.test.server.app.request(`/signin${link.search}`, { headers: BROWSER });
      expect([opened.status, opened.headers.get("set-cookie")]).toEqual([200, null]);
      expect(await opened.text()).toContain("Sign in to Holdpoint");
      expect((await press(on, link)).status).toBe(303);
    }
  });

  it("is refused with the reason without an address, for a suspended person, and when the mail is refused", async () => {
    await using on = await scene();
    const { test } = on;
    const key = test.keys.admin;
    const invite = (id: string) =>
      test.call("POST", `/v1/people/${id}/invite`, { key, body: { by: "email" } });
    await test.call("POST", "/v1/people", { key, body: { id: "bo", name: "Bo" } });
    expect((await invite("bo")).body).toMatchObject({
      code: "not_sent",
      detail: expect.stringContaining("no e-mail address"),
    });
    on.mail.refuse = 550;
    expect((await invite("ada")).body).toMatchObject({
      code: "not_sent",
      detail: expect.stringContaining("could not be sent"),
    });
    await test.call("PATCH", "/v1/people/ada", { key, body: { status: "suspended" } });
    expect((await invite("ada")).body).toMatchObject({ code: "not_allowed" });
  });
});

describe("sign-in links by a mail server that is connected in the console", () => {
  const LOGIN = { user: "hp", password: "SMTP-PASSWORD" };

  /** A server whose file has no e-mail channel. */
  async function withoutMail(email?: string | false): Promise<Scene> {
    const mail = await MailServer.start({ login: LOGIN });
    const signIn = signInFrom(
      { signIn: readSignIn({ ...(email === undefined ? {} : { email }) }, {}, {}), channels: {} },
      {},
    );
    const test = await testServer({ signIn, sealer: sealerOf("key") });
    const ada = { id: "ada", name: "Ada Park", email: "ada@example.com" };
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: ada });
    return {
      ...{ test, mail },
      async [Symbol.asyncDispose]() {
        await test[Symbol.asyncDispose]();
        await mail[Symbol.asyncDispose]();
      },
    };
  }

  async function connect({ test, mail }: Scene, name: string, from = "hp@example.com"): Promise<void> {
    const port = Number(new URL(mail.url).port);
    const body = { platform: "email", host: "127.0.0.1", port, tls: "optional", from, ...LOGIN };
    const put = await test.call("PUT", `/v1/channels/${name}`, { key: test.keys.admin, body });
    expect(put.status).toBe(200);
  }

  const signInPage = async ({ test }: Scene) =>
    (await test.server.app.request("/signin", { headers: BROWSER })).text();

  it("are offered, sent and used as soon as it is connected, and no longer when it is disconnected", async () => {
    await using on = await withoutMail();
    expect(await signInPage(on)).not.toContain("/signin/email");
    expect((await ask(on, "ada@example.com")).status).toBe(404);
    await connect(on, "mail");
    expect(await signInPage(on)).toContain("/signin/email");
    expect((await ask(on, "ada@example.com")).status).toBe(200);
    const link = await linkIn(on);
    expect(on.mail.mails[0]).toMatchObject({ to: ["ada@example.com"], from: "hp@example.com" });
    expect((await press(on, link)).status).toBe(303);
    await on.test.call("DELETE", "/v1/channels/mail", { key: on.test.keys.admin });
    expect(await signInPage(on)).not.toContain("/signin/email");
    expect((await ask(on, "ada@example.com")).status).toBe(404);
  });

  it("invitations are sent by it too, and without it the refusal says so", async () => {
    await using on = await withoutMail();
    const { test } = on;
    const invite = () =>
      test.call("POST", "/v1/people/ada/invite", { key: test.keys.admin, body: { by: "email" } });
    expect((await invite()).body).toMatchObject({
      ...{ code: "not_sent", detail: expect.stringContaining("no e-mail channel is connected") },
    });
    await connect(on, "mail");
    expect(await invite()).toMatchObject({ status: 201, body: { sent_to: "ada@example.com" } });
  });

  it("the one that was connected first sends them, so that another one changes nothing", async () => {
    await using on = await withoutMail();
    await connect(on, "second-by-name", "first@example.com");
    await on.test.clock.advance(1);
    await connect(on, "another", "later@example.com");
    await ask(on, "ada@example.com");
    await on.mail.received(1);
    expect(on.mail.mails).toMatchObject([{ from: "first@example.com" }]);
  });

  it("the one that sign_in.email names sends them; a name that nobody has is told in the log", async () => {
    await using on = await withoutMail("letters");
    expect(on.test.log).toMatchObject([
      { level: "warn", message: expect.stringContaining("there is no e-mail channel named letters") },
    ]);
    await connect(on, "mail", "other@example.com");
    expect((await ask(on, "ada@example.com")).status).toBe(404);
    await connect(on, "letters", "named@example.com");
    await ask(on, "ada@example.com");
    await on.mail.received(1);
    expect(on.mail.mails).toMatchObject([{ from: "named@example.com" }]);
  });

  it("sign_in.email: false turns them off, whatever is connected", async () => {
    await using on = await withoutMail(false);
    await connect(on, "mail");
    expect(await signInPage(on)).not.toContain("/signin/email");
    expect((await ask(on, "ada@example.com")).status).toBe(404);
  });
});

describe("the sign-in configuration", () => {
  const channels = { mail: { kind: "email" }, other: { kind: "webhook" } } as const;
  const provider = { issuer: "https://id.example", client_id: "hp" };

  it("takes the only e-mail channel, a named one, or none", () => {
    expect(readSignIn(undefined, channels, {}).emailChannel).toBe("mail");
    expect(readSignIn({ email: false }, channels, {})).toEqual({ providers: [] });
    expect(readSignIn({ email: "own" }, channels, {}).consoleEmail).toEqual({ name: "own" });
    expect(readSignIn({}, {}, {})).toEqual({ providers: [], consoleEmail: {} });
    expect(readSignIn({}, { ...channels, more: { kind: "email" } }, {})).toEqual({ providers: [] });
    expect(readSignIn({ email: "mail" }, channels, {}).emailChannel).toBe("mail");
    expect(() => readSignIn({ email: "other" }, channels, {})).toThrow(
      "sign_in.email: there is no e-mail channel named other",
    );
    expect(Object.keys(channelsFrom({ channels: {}, people: {} }, {} as never))).toEqual([]);
  });

  it("takes several identity providers, with secrets from the environment", () => {
    const read = readSignIn(
      {
        oidc: {
          corp: {
            ...provider,
            client_secret_env: "CORP",
            label: "Corp",
            groups: { admins: { role: "admin", teams: [] } },
          },
          partner: { ...provider, issuer: "http://localhost:5556/dex", workspace: "elsewhere" },
        },
      },
      {},
      { CORP: "s3cret" },
    );
    expect(read.providers).toMatchObject([
      {
        name: "corp",
        label: "Corp",
        clientSecret: "s3cret",
        scopes: ["openid", "profile", "email"],
        groupsClaim: "groups",
      },
      { name: "partner", label: "partner", workspace: "elsewhere" },
    ]);
    expect(read.providers[1]).not.toHaveProperty("groups");
  });

  it.each([
    [{ ...provider, issuer: "http://id.example" }, "sign_in.oidc.corp.issuer must start with https://"],
    [{ ...provider, client_secret_env: "NONE" }, "the environment variable NONE is not set"],
    [{ ...provider, scopes: ["profile"] }, "sign_in.oidc.corp.scopes must include openid"],
  ])("refuses %j at start", (corp, message) => {
    expect(() => readSignIn({ oidc: { corp } }, {}, {})).toThrow(message);
  });
});
