import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sealerOf } from "../../system/sealing.ts";
import { MailServer } from "../../testing/mail-server.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, type TestServerOptions, testServer } from "../../testing/test-server.ts";
import { storeUnderTest } from "../../testing/test-store.ts";

const LOGIN = { user: "holdpoint", password: "SMTP-PASSWORD" };
let mail: MailServer;
beforeEach(async () => {
  mail = await MailServer.start({ login: LOGIN });
});
afterEach(() => mail[Symbol.asyncDispose]());

const server = (options: TestServerOptions = {}) => testServer({ sealer: sealerOf("key"), ...options });
const asAdmin = (at: TestServer) => ({ key: at.keys.admin });
const portOf = (one: MailServer) => Number(new URL(one.url).port);

function body(more: object = {}) {
  return {
    ...{ platform: "email", host: "127.0.0.1", port: portOf(mail), tls: "optional", ...LOGIN },
    ...{ from: "Holdpoint <holdpoint@example.com>", to: ["team@example.com"] },
    ...more,
  };
}

function connect(at: TestServer, more: object = {}) {
  return at.call("PUT", "/v1/channels/mail", { ...asAdmin(at), body: body(more) });
}

function without(name: string): object {
  return Object.fromEntries(Object.entries(body()).filter(([key]) => key !== name));
}

const listed = async (at: TestServer) => (await at.call("GET", "/v1/channels", asAdmin(at))).body.channels;

async function ask(at: TestServer, to?: string): Promise<void> {
  const rung = { after: "0s", channel: "mail", ...(to === undefined ? {} : { to }) };
  const hold = { type: "approval", prompt: "Refund 40 EUR?", links: "server", ladder: [rung] };
  expect((await at.call("POST", "/v1/holds", { key: at.keys.agent, body: hold })).status).toBe(201);
  await at.server.sender.idle();
}

describe("connecting a mail server", () => {
  it("mail is sent by it at once, without a restart, and no mail is sent to try it", async () => {
    await using at = await server();
    const connected = await connect(at);
    expect(connected).toMatchObject({ status: 200 });
    expect(connected.body).toEqual({
      ...{ name: "mail", platform: "email", state: "ready", source: "console", to: ["team@example.com"] },
      mail: {
        ...{ host: "127.0.0.1", port: portOf(mail), tls: "optional", user: "holdpoint" },
        from: "Holdpoint <holdpoint@example.com>",
      },
    });
    expect(mail.mails).toEqual([]);
    await ask(at);
    expect(mail.mails).toMatchObject([{ to: ["team@example.com"], from: "holdpoint@example.com" }]);
  });

  it("the password is in no reply, no event, no log and no row in clear", async () => {
    const { store } = await storeUnderTest(new ManualClock());
    await using at = await server({ store });
    const replies = [await connect(at), await listed(at)];
    const events = await store.events({ after: 0, limit: 1_000 });
    const rows = await store.query({ workspace: "default", kind: "email_channel", limit: 10 });
    expect(rows).toHaveLength(1);
    const connected = events.find(({ type }) => type === "channel.connected");
    expect(JSON.parse(connected?.data ?? "")).toEqual({ name: "mail", platform: "email" });
    expect(JSON.stringify([replies, events, rows, at.log])).not.toContain(LOGIN.password);
  });

  it("a wrong host, password, encryption or sender is refused with a code of its own, and nothing is kept", async () => {
    await using at = await server();
    const gone = await MailServer.start();
    const port = portOf(gone);
    await gone[Symbol.asyncDispose]();
    const refusals = [
      [{ port }, "mail_unreachable", "connection_refused"],
      [{ host: "no-such-host.invalid" }, "mail_unreachable", "name_not_found"],
      [{ password: "GUESSED" }, "mail_password_refused", "refused the user and the password"],
      [{ tls: "starttls" }, "mail_tls_refused", "no encrypted connection"],
      [{ tls: "implicit" }, "mail_tls_refused", "no encrypted connection"],
      [{ from: "Holdpoint" }, "invalid_body", "from is not an e-mail address"],
    ] as const;
    for (const [more, code, detail] of refusals) {
      const refused = await connect(at, more);
      expect(refused).toMatchObject({ status: 422, body: { code, detail: expect.stringContaining(detail) } });
      expect(JSON.stringify(refused.body)).not.toContain("GUESSED");
    }
    expect(await listed(at)).toEqual([]);
  });

  it("a password is kept for the same mail server only, so that nobody gets it by writing another host", async () => {
    await using at = await server();
    await connect(at);
    const changed = { ...without("password"), to: ["ops@example.com"] };
    const put = (sent: object) => at.call("PUT", "/v1/channels/mail", { ...asAdmin(at), body: sent });
    expect(await put(changed)).toMatchObject({ status: 200, body: { to: ["ops@example.com"] } });
    await ask(at);
    expect(mail.mails).toMatchObject([{ to: ["ops@example.com"] }]);
    await using thief = await MailServer.start({ login: LOGIN });
    const elsewhere = await put({ ...changed, port: portOf(thief) });
    expect(elsewhere).toMatchObject({ status: 422, body: { code: "mail_password_refused" } });
    expect(await listed(at)).toMatchObject([{ mail: { port: portOf(mail) } }]);
  });

  it("a mail server without a sign-in is connected without user and password", async () => {
    await using open = await MailServer.start();
    await using at = await server();
    const { user: _user, password: _none, ...bare } = body({ port: portOf(open) });
    const connected = await at.call("PUT", "/v1/channels/mail", { ...asAdmin(at), body: bare });
    expect(connected.body.mail).not.toHaveProperty("user");
    await ask(at);
    expect(open.mails).toHaveLength(1);
  });

  it("disconnecting ends it: later questions are not sent by it", async () => {
    await using at = await server();
    await connect(at);
    const removed = await at.call("DELETE", "/v1/channels/mail", asAdmin(at));
    expect(removed).toMatchObject({ status: 200, body: { platform: "email" } });
    expect(await listed(at)).toEqual([]);
    expect(at.server.engine.platform.notify.channels).toEqual({});
    expect((await at.call("DELETE", "/v1/channels/mail", asAdmin(at))).status).toBe(404);
  });

  it("after a restart it is there again, and a server with another key says that it cannot read the password", async () => {
    const clock = new ManualClock();
    const data = await storeUnderTest(clock);
    const first = await server({ clock, store: data.store });
    await connect(first);
    await first[Symbol.asyncDispose]();
    const second = await server({ clock, store: (await data.again()).store });
    await ask(second);
    expect(mail.mails).toHaveLength(1);
    await second[Symbol.asyncDispose]();
    const sealer = sealerOf("another");
    await using third = await server({ clock, sealer, store: (await data.again()).store });
    expect(await listed(third)).toMatchObject([{ state: "failed", reason: "secret_key_differs" }]);
  });

  it("a chat and a mail server cannot have the same name", async () => {
    await using at = await server();
    await connect(at);
    const chat = { platform: "telegram", to: ["-1"] };
    const refused = await at.call("PUT", "/v1/channels/mail", { ...asAdmin(at), body: chat });
    expect(refused.body).toMatchObject({ code: "already_exists" });
  });

  it("a channel of the configuration is listed and not changed here", async () => {
    const notify = { allow: [], channels: { mail: ["a@example.com"] }, kinds: { mail: "email" } };
    await using at = await server({ platform: { notify } });
    expect(await listed(at)).toEqual([
      { name: "mail", platform: "email", to: ["a@example.com"], state: "ready", source: "config" },
    ]);
    expect((await connect(at)).body).toMatchObject({ code: "already_exists" });
  });

  it("an admin of another workspace and a session that is not fresh are refused before the mail server is asked", async () => {
    await using at = await server();
    const sent = body();
    await mail[Symbol.asyncDispose]();
    const elsewhere = await at.call("PUT", "/v1/channels/mail", { key: at.keys.elsewhere, body: sent });
    expect(elsewhere).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    const session = await signedInPerson(at, "lin", "admin");
    await at.clock.advance(10 * 60_000 + 1);
    const stale = await session.call("PUT", "/v1/channels/mail", sent);
    expect(stale).toMatchObject({ status: 403, body: { code: "fresh_sign_in_required" } });
    mail = await MailServer.start();
  });

  it("the first test question goes to the admin's own address", async () => {
    await using at = await server();
    await connect(at, { to: [] });
    const refused = await at.call("POST", "/v1/channels/mail/test", asAdmin(at));
    expect(refused.body).toMatchObject({ code: "nobody_to_ask" });
    const session = await signedInPerson(at, "lin", "admin");
    const person = { id: "lin", name: "Lin", role: "admin", email: "lin@example.com" };
    await at.call("POST", "/v1/people", { ...asAdmin(at), body: person });
    const sent = await session.call("POST", "/v1/channels/mail/test");
    expect(sent).toMatchObject({ status: 201, body: { to: "person:lin" } });
    await at.server.sender.idle();
    expect(mail.mails).toMatchObject([{ to: ["lin@example.com"] }]);
    const asked = await at.call("GET", `/v1/holds/${sent.body.hold_id}`, asAdmin(at));
    expect(asked.body.prompt).toBe("Did this message arrive? This is a test of Holdpoint.");
  });
});
