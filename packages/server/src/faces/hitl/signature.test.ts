import { createPublicKey, verify } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { newResultSigner, resultSignerFromFile } from "../../system/signing.ts";
import { APPROVAL, CONFIRMATION, openCase } from "../../testing/hitl-cases.ts";
import { Receiver } from "../../testing/receiver.ts";
import { testServer } from "../../testing/test-server.ts";

const SIGNER = newResultSigner();

/** RFC 8785 for what is signed here: members in the order of their names, no spaces. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

// biome-ignore lint/suspicious/noExplicitAny: as the wire carries it.
function isGenuine(caseId: string, result: any, jwk: any): boolean {
  const { action, data, signature } = result;
  const text = canonical({ case_id: caseId, action, data, signed_at: signature.signed_at });
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return verify("sha256", Buffer.from(text), key, Buffer.from(signature.value, "base64url"));
}

describe("a signed result", () => {
  test("HP-189 a signature has algorithm, value, time and the address of the keys", async () => {
    await using server = await testServer({ resultSigner: SIGNER });
    const opened = await openCase(server);
    await opened.respond({ action: "approve" });
    const { body } = await opened.poll();
    expect(body.result.signature).toEqual({
      algorithm: "RS256",
      value: expect.stringMatching(/^[\w-]+$/),
      signed_at: body.completed_at,
      signer: "http://localhost:4100/.well-known/jwks.json",
    });
  });

  test("HP-190 anybody can verify a signature, and a changed character breaks it", async () => {
    await using server = await testServer({ resultSigner: SIGNER });
    const opened = await openCase(server);
    await opened.respond({ action: "edit", data: { feedback: "Größer", edits: { z: 1, a: [true, null] } } });
    const { result } = (await opened.poll()).body;
    const { keys } = (await server.call("GET", "/.well-known/jwks.json")).body;
    const jwk = keys.find(({ alg }: { alg: string }) => alg === "RS256");
    expect(isGenuine(opened.id, result, jwk)).toBe(true);
    expect(isGenuine(`${opened.id}x`, result, jwk)).toBe(false);
    expect(isGenuine(opened.id, { ...result, action: "approve" }, jwk)).toBe(false);
    expect(isGenuine(opened.id, { ...result, data: { ...result.data, feedback: "Grösser" } }, jwk)).toBe(
      false,
    );
  });

  test("HP-190 the signature is the same on poll, stream and callback", async () => {
    await using receiver = await Receiver.start();
    await using server = await testServer({ resultSigner: SIGNER });
    const opened = await openCase(server, {
      ...CONFIRMATION,
      inline: true,
      hitl_callback_url: receiver.url(),
    });
    await opened.submit({ action: "confirm" });
    await receiver.received(1);
    const { result } = (await opened.poll()).body;
    const stream = await server.server.app.request(new URL(opened.hitl.events_url).pathname, {
      headers: { authorization: `Bearer ${server.keys.agent}` },
    });
    const frame = /event: review\.completed\ndata: (.*)/.exec(await stream.text())?.[1] ?? "{}";
    expect(JSON.parse(frame).result).toEqual(result);
    expect(JSON.parse(receiver.requests[0]?.body ?? "{}").result).toEqual(result);
    await server.server.sender.idle();
  });

  test("HP-191 the key set has public keys with ids, old keys included", async () => {
    const store = new MemoryStore({ indexes: TABLE });
    Object.defineProperty(store, "close", { value: async () => undefined });
    const before = await testServer({ store, resultSigner: SIGNER });
    const opened = await openCase(before, APPROVAL);
    await opened.respond({ action: "approve" });
    const { result } = (await opened.poll()).body;
    await before[Symbol.asyncDispose]();
    const next = newResultSigner();
    await using after = await testServer({ store, resultSigner: next });
    const { body } = await after.call("GET", "/.well-known/jwks.json");
    const rsa = body.keys.filter(({ kty }: { kty: string }) => kty === "RSA");
    expect(rsa.map(({ kid }: { kid: string }) => kid).toSorted()).toEqual(
      [SIGNER.keyId, next.keyId].toSorted(),
    );
    for (const key of rsa)
      expect(Object.keys(key).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    const jwk = rsa.find(({ kid }: { kid: string }) => kid === SIGNER.keyId);
    expect(isGenuine(opened.id, result, jwk)).toBe(true);
  });

  test("HP-191 the signing key is made on the first start, readable by the server's user only, and reused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-"));
    const path = join(folder, "home", "result-key.json");
    const made = resultSignerFromFile(path);
    expect(resultSignerFromFile(path).keyId).toBe(made.keyId);
    expect(made.sign("x")).toBe(resultSignerFromFile(path).sign("x"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, "utf8"))).toHaveProperty("d");
    expect(made.publicJwk).not.toHaveProperty("d");
    await rm(folder, { recursive: true });
  });
});

describe("what is kept, and for how long", () => {
  const DAY_MS = 86_400_000;

  test("HP-192 HP-179 a case and its content are erased after the retention time of the discovery document", async () => {
    await using server = await testServer();
    const { body: said } = await server.call("GET", "/.well-known/hitl.json");
    const days = said.hitl_protocol.policies.data_retention_days;
    expect(days).toBe(30);
    const canary = "canary-of-the-content";
    const opened = await openCase(server, { ...APPROVAL, prompt: canary });
    await opened.respond({ action: "approve", data: { feedback: canary } });
    await server.clock.advance(days * DAY_MS - 1);
    expect((await opened.poll()).status).toBe(200);
    await server.clock.advance(1);
    expect(await opened.poll()).toMatchObject({ status: 404, body: { error: "not_found" } });
    expect((await opened.open()).status).toBe(404);
    expect((await opened.respond({ action: "approve" })).status).toBe(404);
    const [row] = await server.store.load([
      { workspace: "default", kind: "hold", id: opened.holdId, read: true },
    ]);
    expect(JSON.stringify(row)).not.toContain(canary);
    const { body } = await server.call("GET", `/v1/holds/${opened.holdId}/events`, {
      key: server.keys.auditor,
    });
    expect(body.events.at(-1).type).toBe("hold.erased");
  });

  test("HP-193 the record of an answer has person, platform, time and kind of token", async () => {
    await using server = await testServer();
    const onPage = await openCase(server, { ...CONFIRMATION, inline: true });
    const inline = await openCase(server, { ...CONFIRMATION, inline: true });
    await onPage.respond({ action: "confirm" });
    await inline.submit({ action: "confirm" });
    for (const [opened, door, purpose] of [
      [onPage, "page", "review"],
      [inline, "inline", "submit"],
    ] as const) {
      const { body } = await server.call("GET", `/v1/holds/${opened.holdId}/events`, {
        key: server.keys.admin,
      });
      const decided = body.events.find(({ type }: { type: string }) => type === "hold.decided");
      expect(decided).toMatchObject({
        at: expect.any(String),
        data: { action: "confirm", door, by: { kind: "link" } },
      });
      const placed = body.events.find(({ type }: { type: string }) => type === "hold.placed");
      const given_to = "asker";
      expect(placed.data.links_made).toContainEqual({ link_id: decided.data.by.id, purpose, given_to });
      expect(decided.actor).toBe(`link:${decided.data.by.id}`);
    }
  });

  test("HP-194 if only named addresses may answer, the link that was sent to an address identifies its person", async () => {
    await using server = await testServer();
    const opened = await openCase(server, { ...APPROVAL, answerers: ["ada@example.com"] });
    expect(opened.token).toBe("");
    const link = async (to?: string) => {
      const { body } = await server.call("POST", `/v1/holds/${opened.holdId}/links`, {
        key: server.keys.operator,
        body: to === undefined ? {} : { to },
      });
      return new URL(body.url).searchParams.get("token") ?? "";
    };
    expect(await opened.respond({ action: "approve" }, await link())).toMatchObject({
      status: 403,
      body: { error: "identity_mismatch" },
    });
    expect((await opened.respond({ action: "approve" }, await link("ada@example.com"))).status).toBe(200);
    expect((await opened.poll()).body.responded_by).toEqual({ email: "ada@example.com" });
  });
});
