import { describe, expect, it } from "vitest";
import { addPasskey, personWith, type SignedInPerson, signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";

const HOUR = 3_600_000;
const list = async (person: SignedInPerson, query = "") =>
  (await person.call("GET", `/v1/sessions${query}`)).body.sessions;
const isIn = async (person: SignedInPerson) => (await person.call("GET", "/v1/me")).status === 200;

async function withPeople(): Promise<TestServer> {
  const test = await testServer();
  for (const id of ["ada", "lin"])
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id, name: id } });
  return test;
}

describe("sessions", () => {
  it("are listed with how and where they began; people see their own, admins and auditors all", async () => {
    await using test = await withPeople();
    const ada = await signedInPerson(test, "ada");
    await test.clock.advance(1);
    const lin = await signedInPerson(test, "lin");
    const root = await signedInPerson(test, "root", "admin");
    expect(await list(ada)).toEqual([
      {
        ...{ id: expect.stringMatching(/^session_/), person: "ada", role: "operator", how: "link" },
        ...{ device: expect.stringContaining("Firefox"), current: true },
        ...{ started_at: "2026-01-01T00:00:00.000Z", expires_at: "2026-01-01T12:00:00.000Z" },
      },
    ]);
    expect(await list(root)).toHaveLength(3);
    expect((await list(root, "?person=lin")).map(({ person }: { person: string }) => person)).toEqual([
      "lin",
    ]);
    expect(await lin.call("GET", "/v1/sessions?person=ada")).toMatchObject({ status: 403 });
    const { body } = await test.call("GET", "/v1/sessions", { key: test.keys.auditor });
    expect(body.sessions).toHaveLength(3);
  });

  it("say that a passkey began them", async () => {
    await using test = await withPeople();
    const device = await addPasskey(await signedInPerson(test, "ada"));
    const asked = (await test.call("POST", "/signin/challenge")).body;
    const proof = { id: asked.id, credential: device.get(asked.public_key) };
    const entered = await test.call("POST", "/signin/passkey", { body: proof });
    const ada = personWith(test, entered.headers.get("set-cookie") ?? "");
    expect((await list(ada)).map(({ how }: { how: string }) => how).toSorted()).toEqual(["link", "passkey"]);
  });

  it("end one by one: one's own, and anybody's for an admin, at once", async () => {
    await using test = await withPeople();
    const [one, other] = [await signedInPerson(test, "ada"), await signedInPerson(test, "ada")];
    const lin = await signedInPerson(test, "lin");
    const idOf = async (person: SignedInPerson) => (await person.call("GET", "/v1/me")).body.id;
    expect(await lin.call("DELETE", `/v1/sessions/${await idOf(one)}`)).toMatchObject({ status: 404 });
    const ended = await one.call("DELETE", `/v1/sessions/${await idOf(other)}`);
    expect(ended).toMatchObject({ status: 200, body: { person: "ada", current: false } });
    expect([await isIn(one), await isIn(other)]).toEqual([true, false]);
    const path = `/v1/sessions/${await idOf(lin)}`;
    expect((await test.call("DELETE", path, { key: test.keys.admin })).status).toBe(200);
    expect(await isIn(lin)).toBe(false);
    const events = await test.store.events({ after: 0, limit: 200, types: ["session.ended"] });
    expect(events.map(({ actor }) => actor)).toEqual(["session:ada", "key:root"]);
  });

  it("end all together, by the person or an admin; the next sign-in works", async () => {
    await using test = await withPeople();
    const [one, other] = [await signedInPerson(test, "ada"), await signedInPerson(test, "ada")];
    const lin = await signedInPerson(test, "lin");
    expect((await one.call("DELETE", "/v1/people/ada/sessions")).status).toBe(200);
    expect([await isIn(one), await isIn(other), await isIn(lin)]).toEqual([false, false, true]);
    await test.clock.advance(1);
    const again = await signedInPerson(test, "ada");
    expect(await list(again)).toHaveLength(1);
    await test.call("DELETE", "/v1/people/ada/sessions", { key: test.keys.admin });
    expect(await isIn(again)).toBe(false);
  });

  it.each([{ status: "suspended" }, { role: "admin" }])(
    "end when a person is changed to %j",
    async (patch) => {
      await using test = await withPeople();
      const ada = await signedInPerson(test, "ada");
      await test.call("PATCH", "/v1/people/ada", { key: test.keys.admin, body: patch });
      expect(await isIn(ada)).toBe(false);
      const { body } = await test.call("GET", "/v1/sessions", { key: test.keys.admin });
      expect(body.sessions).toEqual([]);
    },
  );

  it("are deleted when they expire, and the log still verifies", async () => {
    await using test = await withPeople();
    const ada = await signedInPerson(test, "ada");
    await test.clock.advance(12 * HOUR);
    expect(await isIn(ada)).toBe(false);
    expect(await test.store.query({ workspace: "default", kind: "session", limit: 10 })).toEqual([]);
    expect(await verifyLog(test.store)).toMatchObject({ breaks: [] });
  });
});

describe("a dangerous setting in the console", () => {
  it("needs a sign-in within ten minutes, with a code that says so; reading and answering do not", async () => {
    await using test = await withPeople();
    const root = await signedInPerson(test, "root", "admin");
    const key = { name: "bot", role: "agent" };
    expect((await root.call("POST", "/v1/keys", key)).status).toBe(201);
    await test.clock.advance(10 * 60_000);
    expect(await root.call("POST", "/v1/keys", key)).toMatchObject({
      status: 403,
      body: { code: "fresh_sign_in_required", detail: expect.stringContaining("sign in again") },
    });
    expect((await root.call("PUT", "/v1/rules", { rules: [] })).body.code).toBe("fresh_sign_in_required");
    expect((await root.call("GET", "/v1/keys")).status).toBe(200);
    const { body: hold } = await test.call("POST", "/v1/holds", {
      key: test.keys.agent,
      body: { type: "approval", prompt: "Refund?" },
    });
    expect((await root.call("POST", `/v1/holds/${hold.id}/answer`, { action: "approve" })).status).toBe(200);
    expect((await test.call("POST", "/v1/keys", { key: test.keys.admin, body: key })).status).toBe(201);
  });

  it("can wait for the new session: the page asks for its token", async () => {
    await using test = await withPeople();
    const root = await signedInPerson(test, "root", "admin");
    const { status, body } = await root.call("GET", "/signin/session");
    expect([status, body]).toEqual([
      200,
      {
        ...{ name: "root", role: "admin", csrf: root.headers["x-csrf-token"] },
        signed_in_at: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect((await test.call("GET", "/signin/session")).status).toBe(401);
  });
});

describe("a decision with max_age", () => {
  const decision = { approve: [{ need: 1, from: ["person:ada"] }], max_age: 60 };
  const place = async (test: TestServer) => {
    const ask = { type: "approval", prompt: "Wire 10,000 EUR?", decision };
    return (await test.call("POST", "/v1/holds", { key: test.keys.agent, body: ask })).body;
  };

  it("counts a vote of somebody who signed in recently, and asks others to sign in again", async () => {
    await using test = await withPeople();
    const hold = await place(test);
    expect(hold.decision).toMatchObject({ max_age: 60 });
    const path = `/v1/holds/${hold.id}/answer`;
    const ada = await signedInPerson(test, "ada");
    await test.clock.advance(60_001);
    expect(await ada.call("POST", path, { action: "approve" })).toMatchObject({
      status: 403,
      body: { code: "fresh_sign_in_required", detail: expect.stringContaining("60 seconds") },
    });
    const byKey = await test.call("POST", path, { key: test.keys.operator, body: { action: "approve" } });
    expect(byKey.body.code).toBe("fresh_sign_in_required");
    const again = await signedInPerson(test, "ada");
    await test.clock.advance(60_000);
    expect((await again.call("POST", path, { action: "approve" })).body).toMatchObject({ status: "decided" });
  });
});
