import { describe, expect, it } from "vitest";
import { relyingPartyOf } from "../../identity/relying-party.ts";
import { seedPeople } from "../../people-seed.ts";
import { Authenticator, type Flags } from "../../testing/authenticator.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { Receiver } from "../../testing/receiver.ts";
import { addPasskey, personWith, type SignedInPerson, signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { storeUnderTest } from "../../testing/test-store.ts";
import { verifyLog } from "../../verify-log.ts";

const STRONG = { approve: [{ need: 1, from: ["team:finance"] }], strength: "passkey" };

/** ada and grace are in finance and sign with a passkey; root is an admin. */
async function withFinance(options: Parameters<typeof testServer>[0] = {}): Promise<TestServer> {
  const test = await testServer(options);
  const people = { ada: {}, grace: {}, root: { role: "admin" } } as const;
  await seedPeople(test.server.engine, { people, teams: { finance: { members: ["ada", "grace"] } } });
  return test;
}

async function placed(test: TestServer, decision: object = STRONG): Promise<string> {
  const body = { type: "approval", prompt: "Wire 10,000 EUR?", decision };
  return (await test.call("POST", "/v1/holds", { key: test.keys.agent, body })).body.id;
}

async function challenged(person: SignedInPerson, id: string, body: object = { action: "approve" }) {
  return (await person.call("POST", `/v1/holds/${id}/challenge`, body)).body;
}

async function vote(person: SignedInPerson, id: string, device: Authenticator, flags: Flags = {}) {
  const asked = await challenged(person, id);
  const passkey = { id: asked.id, credential: device.get(asked.public_key, flags) };
  return person.call("POST", `/v1/holds/${id}/answer`, { action: "approve", passkey });
}

const refused = (code: string) => ({ status: 403, body: { code } });

describe("passkeys of a person", () => {
  it("a passkey is added after a fresh sign-in, listed, sent to webhooks, logged and removed", async () => {
    await using receiver = await Receiver.start();
    await using test = await withFinance();
    const hook = { url: receiver.url(), events: ["passkey.added"] };
    await test.call("POST", "/v1/webhooks", { key: test.keys.admin, body: hook });
    const ada = await signedInPerson(test);
    const device = await addPasskey(ada, "Blue key");
    const mine = { id: device.id, person: "ada", name: "Blue key", host: "localhost" };
    expect((await ada.call("GET", "/v1/passkeys")).body.passkeys).toMatchObject([mine]);
    await test.server.sender.idle();
    expect(JSON.parse(receiver.requests[0]?.body ?? "")).toMatchObject({
      type: "passkey.added",
      data: { event: { data: { person_id: "ada", name: "Blue key" } } },
    });
    const all = await test.call("GET", "/v1/passkeys?person=ada", { key: test.keys.admin });
    expect(all.body.passkeys).toMatchObject([mine]);
    expect(await ada.call("DELETE", `/v1/passkeys/${device.id}`)).toMatchObject({ status: 200, body: mine });
    expect((await ada.call("GET", "/v1/passkeys")).body.passkeys).toEqual([]);
    expect(await verifyLog(test.store)).toMatchObject({ breaks: [] });
  });

  it("an agent or an app with the name of a person does not see the person's passkeys", async () => {
    await using test = await withFinance();
    await addPasskey(await signedInPerson(test));
    for (const role of ["agent", "app"]) {
      const made = await test.call("POST", "/v1/keys", { key: test.keys.admin, body: { name: "ada", role } });
      expect(made.status).toBe(201);
      for (const path of ["/v1/passkeys", "/v1/passkeys?person=ada"])
        expect(await test.call("GET", path, { key: made.body.secret })).toMatchObject(refused("not_allowed"));
    }
    const own = await test.call("GET", "/v1/passkeys", { key: test.keys.operator });
    expect(own.body.passkeys).toMatchObject([{ person: "ada" }]);
  });

  it("a passkey is made for the host of the public URL and signed at its origin only", async () => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const { body: asked } = await ada.call("POST", "/v1/passkey-challenges");
    expect(asked.public_key).toMatchObject({
      rp: { id: "localhost" },
      user: { name: "ada" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const elsewhere = new Authenticator("http://evil.test");
    const credential = elsewhere.create(asked.public_key);
    expect(await ada.call("POST", "/v1/passkeys", { id: asked.id, credential })).toMatchObject(
      refused("not_proven"),
    );
  });

  it("passkeys do not work after the public host changed, and the server warns at start", async () => {
    const clock = new ManualClock();
    const data = await storeUnderTest(clock);
    {
      await using before = await withFinance({ clock, store: data.store });
      await addPasskey(await signedInPerson(before));
      expect(before.log).toEqual([]);
    }
    const { store } = await data.again();
    await using after = await testServer({ clock, store, publicUrl: "https://hold.example.com" });
    expect(after.log).toMatchObject([
      { level: "warn", message: expect.stringContaining("made for localhost do not work") },
    ]);
  });

  it.each([
    ["https://hold.example.com/", "hold.example.com", "https://hold.example.com"],
    ["http://127.0.0.1:4100", "localhost", "http://localhost:4100"],
    ["http://[::1]", "localhost", "http://localhost"],
  ])("passkeys for the public URL %s belong to %s", (url, id, origin) => {
    expect(relyingPartyOf(url)).toEqual({ id, origin });
  });

  it("a server that is reached by an IP address offers no passkeys", () => {
    expect(relyingPartyOf("http://192.0.2.1:4100")).toBeUndefined();
  });

  it("a passkey signs its owner in with a new session, and a signature works once", async () => {
    await using test = await withFinance();
    const device = await addPasskey(await signedInPerson(test));
    const { body: asked } = await test.call("POST", "/signin/challenge");
    const body = { id: asked.id, credential: device.get(asked.public_key) };
    const entered = await test.call("POST", "/signin/passkey", { body });
    expect(entered).toMatchObject({ status: 200, body: { location: "/console" } });
    const ada = personWith(test, entered.headers.get("set-cookie") ?? "");
    expect((await ada.call("GET", "/v1/me")).body).toMatchObject({ name: "ada", kind: "session" });
    expect(await test.call("POST", "/signin/passkey", { body })).toMatchObject(refused("not_proven"));
  });

  it("a passkey of a suspended person and an unknown or unverified signature sign nobody in", async () => {
    await using test = await withFinance();
    const device = await addPasskey(await signedInPerson(test));
    const signIn = async (by: Authenticator, flags: Flags = {}) => {
      const { body: asked } = await test.call("POST", "/signin/challenge");
      const body = { id: asked.id, credential: by.get(asked.public_key, flags) };
      return test.call("POST", "/signin/passkey", { body });
    };
    expect(await signIn(new Authenticator())).toMatchObject(refused("not_proven"));
    expect(await signIn(device, { verified: false })).toMatchObject(refused("not_proven"));
    const body = { status: "suspended" };
    await test.call("PATCH", "/v1/people/ada", { key: test.keys.admin, body });
    expect(await signIn(device)).toMatchObject(refused("not_proven"));
  });

  it("an address that sends many wrong signatures is told to wait", async () => {
    await using test = await withFinance();
    const { body: asked } = await test.call("POST", "/signin/challenge");
    const body = { id: asked.id, credential: new Authenticator().get(asked.public_key) };
    const send = () => test.call("POST", "/signin/passkey", { body });
    for (let n = 0; n < 30; n += 1) expect(await send()).toMatchObject(refused("not_proven"));
    const blocked = await send();
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("one address can start at most thirty passkey ceremonies a minute", async () => {
    await using test = await withFinance();
    for (let n = 0; n < 30; n += 1)
      expect(await test.call("POST", "/signin/challenge")).toMatchObject({ status: 200 });
    expect(await test.call("POST", "/signin/challenge")).toMatchObject({ status: 429 });
  });
});

describe("decisions that require a passkey", () => {
  it("a vote that a passkey signed counts, and its evidence is stored for later checks", async () => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const device = await addPasskey(ada);
    const id = await placed(test);
    const done = await vote(ada, id, device);
    expect(done.body).toMatchObject({
      status: "decided",
      votes: [{ person: "ada", strength: "passkey", door: "console" }],
    });
    const [hold] = await test.store.load([{ workspace: "default", kind: "hold", id, read: true }]);
    expect(hold?.body.votes?.[0]?.proof).toMatchObject({
      credential: device.id,
      evidence: {
        challenge: { hold: id, action: "approve", nonce: expect.any(String), expires: expect.any(Number) },
        authenticator_data: expect.any(String),
        client_data: expect.any(String),
        signature: expect.any(String),
        public_key: expect.any(String),
      },
    });
  });

  it("a plain answer by a session or a key is refused if the rule requires a passkey", async () => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const id = await placed(test);
    const plain = { action: "approve" };
    expect(await ada.call("POST", `/v1/holds/${id}/answer`, plain)).toMatchObject(
      refused("strength_too_low"),
    );
    const byKey = await test.call("POST", `/v1/holds/${id}/answer`, { key: test.keys.operator, body: plain });
    expect(byKey).toMatchObject(refused("strength_too_low"));
  });

  it.each([
    ["without user verification", { verified: false }],
    ["without user presence", { present: false }],
  ])("a passkey vote is refused with a signature %s", async (_how, flags) => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const device = await addPasskey(ada);
    expect(await vote(ada, await placed(test), device, flags)).toMatchObject(refused("not_proven"));
  });

  it("a passkey vote is refused for another answer than the signed one, a replay, and a challenge older than five minutes", async () => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const device = await addPasskey(ada);
    const id = await placed(test, { ...STRONG, approve: [{ need: 2, from: ["team:finance"] }], reject: 2 });
    const asked = await challenged(ada, id);
    const passkey = { id: asked.id, credential: device.get(asked.public_key) };
    const send = (action: string) => ada.call("POST", `/v1/holds/${id}/answer`, { action, passkey });
    expect(await send("reject")).toMatchObject(refused("not_proven"));
    expect(await send("approve")).toMatchObject({ status: 200, body: { status: "open" } });
    expect(await send("approve")).toMatchObject(refused("not_proven"));
    const late = await challenged(ada, id, { action: "reject" });
    const signed = { id: late.id, credential: device.get(late.public_key) };
    await test.clock.advance(5 * 60_000);
    const reply = await ada.call("POST", `/v1/holds/${id}/answer`, { action: "reject", passkey: signed });
    expect(reply).toMatchObject(refused("not_proven"));
  });

  it("a colleague's passkey is refused in one's own session", async () => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const device = await addPasskey(await signedInPerson(test, "grace"));
    expect(await vote(ada, await placed(test), device)).toMatchObject(refused("not_entitled"));
  });

  it("a signature by another key under the same credential id is refused", async () => {
    await using test = await withFinance();
    const ada = await signedInPerson(test);
    const device = await addPasskey(ada);
    const id = await placed(test);
    const asked = await challenged(ada, id);
    const forged = { ...new Authenticator().get(asked.public_key), id: device.id, rawId: device.id };
    const body = { action: "approve", passkey: { id: asked.id, credential: forged } };
    expect(await ada.call("POST", `/v1/holds/${id}/answer`, body)).toMatchObject(refused("not_proven"));
  });
});

describe("the review page of a decision that requires a passkey", () => {
  async function onPage(test: TestServer) {
    const id = await placed(test);
    const made = await test.call("POST", `/v1/holds/${id}/links`, { key: test.keys.admin, body: {} });
    const url = new URL(made.body.url);
    const at = (verb: string) => `${url.pathname}/${verb}${url.search}`;
    const post = (verb: string, fields: Record<string, string>) =>
      test.call("POST", at(verb), {
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      });
    return { id, page: url.pathname + url.search, post };
  }

  it("the page accepts the vote of the passkey's owner without a session", async () => {
    await using test = await withFinance();
    const device = await addPasskey(await signedInPerson(test, "grace"));
    const { post } = await onPage(test);
    const { body: asked } = await post("challenge", { _action: "approve" });
    const signed = JSON.stringify({ id: asked.id, credential: device.get(asked.public_key) });
    const done = await post("answer", { _action: "approve", _passkey: signed });
    expect(done.body.hold).toMatchObject({
      status: "decided",
      votes: [{ person: "grace", strength: "passkey", door: "page" }],
      outcome: { by: { kind: "link", name: "grace" } },
    });
  });

  it("the page has no plain button that decides, and says that a passkey needs JavaScript", async () => {
    await using test = await withFinance();
    const { page, post, id } = await onPage(test);
    expect((await test.call("GET", page)).body).toContain("A passkey needs JavaScript");
    for (const fields of [
      { _action: "approve" },
      { _action: "approve", _passkey: "nonsense" },
      { _action: "approve", _passkey: "{}" },
    ]) {
      const { status, body } = await post("answer", fields);
      expect({ status, notice: body.notice }).toMatchObject({
        status: 403,
        notice: expect.stringMatching(/passkey/),
      });
    }
    expect((await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent })).body.status).toBe("open");
  });

  it("the page reports an invalid answer before anybody signs it", async () => {
    await using test = await withFinance();
    const { post } = await onPage(test);
    expect(await post("challenge", { _action: "explode" })).toMatchObject({ status: 422 });
    expect(await post("challenge", {})).toMatchObject({ status: 400 });
  });
});
