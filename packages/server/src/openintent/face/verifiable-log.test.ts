import { createHash, createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";
import { verifyLog } from "../../verify-log.ts";

/** An implementation of its own: sorted members, no blanks, as RFC 8785 has it for what these events contain. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(",")}}`;
}

function sha256(bytes: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("base64url")}`;
}

function recomputed(events: readonly Wire[]): void {
  let previous: string | null = null;
  for (const [at, { event_hash, ...rest }] of events.entries()) {
    expect(rest.sequence).toBe(at + 1);
    expect(rest.previous_event_hash).toBe(previous);
    expect(event_hash).toBe(sha256(canonical(rest)));
    previous = event_hash;
  }
}

/** As a client checks a proof: from the leaf to the root. */
function isProved({ event_hash, proof_hashes, merkle_root }: Wire): boolean {
  const bytes = (hash: string) => Buffer.from(hash.slice("sha256:".length), "base64url");
  const root = proof_hashes.reduce((current: Buffer, step: Wire) => {
    const pair = step.position === "left" ? [bytes(step.hash), current] : [current, bytes(step.hash)];
    return createHash("sha256").update(Buffer.concat(pair)).digest();
  }, bytes(event_hash));
  return `sha256:${root.toString("base64url")}` === merkle_root;
}

async function fullRun(oi: OpenIntentServer): Promise<string> {
  const { id } = await oi.create({ status: "draft" });
  await oi.call("POST", `intents/${id}/leases`, { body: { scope: "payment", duration_seconds: 1 } });
  await oi.suspend(id, { ...REC, timeout_seconds: 60 });
  await oi.test.clock.advance(5000);
  await oi.respond(id, "s1", "approve");
  await oi.call("POST", `intents/${id}/events`, {
    body: {
      event_type: "comment",
      actor: "ünïcode",
      payload: { n: 1.5, deep: [{ é: null }] },
      trace_id: "t",
    },
  });
  await oi.suspend(
    id,
    { id: "s2", question: "Ça va?", response_type: "form", timeout_seconds: 1 },
    "status first",
  );
  await oi.test.clock.advance(1000);
  return id;
}

describe("the verifiable log", () => {
  it("OI-017 anybody can recompute the hash chain of a log after a full run", async () => {
    await using oi = await openIntentServer();
    const id = await fullRun(oi);
    const events = await oi.events(id);
    recomputed(events);
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "intent_created",
      "lease_acquired",
      "state_patched",
      "status_changed",
      "status_changed",
      "intent.suspended",
      "intent.resumed",
      "status_changed",
      "lease_acquired",
      "comment",
      "status_changed",
      "state_patched",
      "intent.suspended",
      "intent.suspension_expired",
      "status_changed",
      "lease_released",
    ]);
  });

  it("OI-018 the server verifies the chain and lists every event", async () => {
    await using oi = await openIntentServer();
    const id = await fullRun(oi);
    const events = await oi.events(id);
    const { body } = await oi.call("GET", `intents/${id}/events/verify`);
    expect(body).toMatchObject({
      intent_id: id,
      event_count: events.length,
      first_sequence: 1,
      last_sequence: events.length,
      chain_valid: true,
      valid: true,
      breaks: [],
    });
    expect(body.events).toEqual(
      events.map(({ sequence, event_hash, previous_event_hash }) => ({
        sequence,
        event_hash,
        previous_event_hash,
        verified: true,
      })),
    );
    expect((await oi.call("GET", "intents/none/events/verify")).status).toBe(404);
    expect(await verifyLog(oi.test.store)).toMatchObject({ breaks: [] });
  });

  it("OI-019 a signed checkpoint proves every event that it covers", async () => {
    await using oi = await openIntentServer();
    const id = await fullRun(oi);
    const made = await oi.call("POST", "admin/checkpoints", {
      as: "admin",
      body: { intent_id: id, scope: "intent" },
    });
    expect(made.status).toBe(201);
    const { signature, ...statement } = made.body;
    expect(statement).toMatchObject({
      intent_id: id,
      scope: "intent",
      first_sequence: 1,
      last_sequence: 16,
      event_count: 16,
      anchor: null,
    });
    expect(made.body.checkpoint_id).toMatch(/^chk_/);
    expect(isSignedBy(statement.signed_by, canonical(statement), signature)).toBe(true);
    for (const event of await oi.events(id)) {
      const { body: proof } = await oi.call(
        "GET",
        `checkpoints/${made.body.checkpoint_id}/proof/${event.id}`,
      );
      expect(proof).toMatchObject({
        event_id: event.id,
        event_hash: event.event_hash,
        leaf_index: event.sequence - 1,
      });
      expect(proof.merkle_root).toBe(made.body.merkle_root);
      expect(isProved(proof)).toBe(true);
      expect(isProved({ ...proof, event_hash: sha256("forged") })).toBe(false);
    }
    expect((await oi.call("GET", `checkpoints?intent_id=${id}`)).body).toEqual([made.body]);
    expect((await oi.call("GET", "checkpoints")).body).toEqual([made.body]);
    expect((await oi.call("GET", "checkpoints?scope=server")).body).toEqual([]);
    expect((await oi.call("GET", `checkpoints/${made.body.checkpoint_id}`)).body).toEqual(made.body);
  });

  it("OI-019 the server signs no empty checkpoint and replies not_found for unknown checkpoints", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const make = (body: object, as: "admin" | "agent" | "operator" = "admin") =>
      oi.call("POST", "admin/checkpoints", { as, body });
    const { checkpoint_id } = (await make({ intent_id: id })).body;
    expect(await make({ intent_id: id })).toMatchObject({ status: 409, body: { error: "nothing_to_sign" } });
    expect((await make({ intent_id: "none" })).status).toBe(404);
    expect((await make({ intent_id: id, scope: "server" })).status).toBe(422);
    expect((await make({ intent_id: id }, "agent")).status).toBe(403);
    for (const path of [
      "checkpoints/none",
      `checkpoints/${checkpoint_id}/proof/none`,
      `checkpoints/${checkpoint_id}/proof/evt_${id.slice(7)}_99`,
      `checkpoints/none/proof/evt_${id.slice(7)}_1`,
      `verify/consistency?from_checkpoint=${checkpoint_id}&to_checkpoint=none`,
      "checkpoints?intent_id=none",
    ]) {
      expect((await oi.call("GET", path)).status).toBe(404);
    }
    const { id: other } = await oi.create();
    const foreign = await oi.call("GET", `checkpoints/${checkpoint_id}/proof/evt_${other.slice(7)}_1`);
    expect(foreign.status).toBe(404);
    expect((await oi.call("GET", "verify/consistency")).status).toBe(422);
    await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "closed" } });
    expect((await oi.call("GET", `checkpoints/${checkpoint_id}`, { as: "otherAgent" })).status).toBe(403);
    expect((await oi.call("GET", "checkpoints", { as: "otherAgent" })).body).toEqual([]);
  });

  it("OI-019 the server verifies whether one checkpoint extends another", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const sign = async (intent: string) => {
      await oi.test.clock.advance(1);
      await oi.patch(intent, [{ op: "set", path: "/n", value: 1 }]);
      return (await oi.call("POST", "admin/checkpoints", { as: "dev", body: { intent_id: intent } })).body
        .checkpoint_id;
    };
    const [first, second, third] = [await sign(id), await sign(id), await sign(id)];
    const compare = async (from: string, to: string) =>
      (await oi.call("GET", `verify/consistency?from_checkpoint=${from}&to_checkpoint=${to}`)).body;
    const events = await oi.events(id);
    expect(await compare(first, second)).toEqual({
      from_checkpoint: first,
      to_checkpoint: second,
      consistent: true,
      boundary_event: {
        sequence: 4,
        event_hash: events[3].event_hash,
        previous_event_hash: events[2].event_hash,
      },
    });
    expect(await compare(first, third)).toMatchObject({ consistent: true });
    expect(await compare(second, first)).toMatchObject({ consistent: false });
    expect(await compare(first, first)).toMatchObject({ consistent: false });
    const { id: other } = await oi.create();
    expect(await compare(first, await sign(other))).toMatchObject({
      consistent: false,
      boundary_event: null,
    });
  });

  it("OI-019 checkpoints are signed automatically after enough events or enough time", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create();
    const body = { event_type: "comment", actor: "x" };
    await Promise.all(Array.from({ length: 98 }, () => oi.call("POST", `intents/${id}/events`, { body })));
    await oi.test.clock.advance(0);
    const listed = async () =>
      (await oi.call("GET", `checkpoints?intent_id=${id}`)).body.map((each: Wire) => [
        each.first_sequence,
        each.last_sequence,
      ]);
    await expect.poll(listed).toEqual([[1, 100]]);
    await oi.call("POST", `intents/${id}/events`, { body });
    await oi.test.clock.advance(299_999);
    expect(await listed()).toHaveLength(1);
    await oi.test.clock.advance(1);
    expect(await listed()).toEqual([
      [1, 100],
      [101, 101],
    ]);
  });

  it("OI-017 an erased suspension is served without its content, with its old hash, and marked as erased", async () => {
    await using oi = await openIntentServer();
    const id = await fullRun(oi);
    const before = await oi.events(id);
    const { holds } = (await oi.call("GET", `/v1/holds?intent_id=${id}`, { as: "dev" })).body;
    const hold = holds.find((each: Wire) => each.status === "decided");
    const admin = { role: "admin", via: "key", id: "k", name: "root" } as const;
    await oi.test.server.engine.run({ kind: "erase_hold", workspace: "default", by: admin, holdId: hold.id });
    const after = await oi.events(id);
    const erased = after.filter(({ payload }) => payload === null).map(({ event_type }) => event_type);
    expect(erased).toEqual(["state_patched", "intent.suspended", "intent.resumed"]);
    expect(after.map(({ event_hash }) => event_hash)).toEqual(before.map(({ event_hash }) => event_hash));
    expect(JSON.stringify(after)).not.toContain("Approve");
    expect(after.find(({ payload }) => payload === null)).toMatchObject({ erased_at: expect.any(String) });
    const { body } = await oi.call("GET", `intents/${id}/events/verify`);
    expect(body).toMatchObject({ valid: true, breaks: [] });
    expect(body.events.filter((each: Wire) => each.erased)).toHaveLength(3);
    expect(await verifyLog(oi.test.store)).toMatchObject({ breaks: [], erased: 1 });
    const [shown] = (await oi.get(id)).state._suspension_history;
    expect(shown).toMatchObject({
      id: "s1",
      question: "",
      resolution: "responded",
      erased_at: expect.any(String),
    });
    expect(JSON.stringify(shown)).not.toContain("approve");
  });
});

/** The key is in the name: base58 of two bytes that say Ed25519, and the 32 of the key. */
function isSignedBy(did: string, text: string, signature: string): boolean {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const number = [...did.slice("did:key:z".length)].reduce(
    (sum, digit) => sum * 58n + BigInt(alphabet.indexOf(digit)),
    0n,
  );
  const bytes = Buffer.from(number.toString(16), "hex");
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xed, 0x01]));
  const x = bytes.subarray(2).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
}
