import { describe, expect, test } from "vitest";
import { TABLE } from "./domains.ts";
import type { Body, Entity } from "./kernel/entity.ts";
import type { StoredEvent } from "./kernel/record.ts";
import { MemoryStore } from "./store/memory/memory-store.ts";
import type { ReadStore } from "./store/port.ts";
import { openIntentServer } from "./testing/openintent.ts";
import { addPasskey, signedInPerson } from "./testing/signed-in.ts";
import { verifyLog } from "./verify-log.ts";

/** A server with something of everything that gives somebody authority, and its store. */
async function scene() {
  const store = new MemoryStore({ indexes: TABLE });
  const oi = await openIntentServer({ store });
  const { keys } = oi.test;
  const post = async (path: string, key: string, body: unknown, method = "POST") => {
    const reply = await oi.test.call(method, path, { key, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  await post("/v1/keys", keys.admin, { name: "spare", role: "agent" });
  await post("/v1/teams", keys.admin, { id: "crew" });
  await post("/v1/people", keys.admin, { id: "ada", name: "Ada", teams: ["crew"] });
  await post("/v1/webhooks", keys.admin, { url: "http://127.0.0.1:9/", events: ["hold.nothing"] });
  await post("/v1/rules", keys.admin, { rules: [{ tools: ["pay"], verdict: "ask" }] }, "PUT");
  await addPasskey(await signedInPerson(oi.test));
  const { hold: asked } = await post("/v1/checks", keys.agent, { tool: "pay", args: {} });
  await post(`/v1/holds/${asked.id}/answer`, keys.operator, { action: "approve", grant: { for: "1h" } });
  const ask = { type: "approval", prompt: "Go?", links: "agent" };
  const { id: holdId } = await post("/v1/holds", keys.agent, ask);
  await post(`/v1/holds/${holdId}/links`, keys.admin, { to: "ada" });
  const { id: intentId } = await oi.create();
  await oi.call("POST", `intents/${intentId}/agents`, { body: { agent_id: "helper" } });
  await oi.call("POST", `intents/${intentId}/acl/entries`, {
    body: { principal_id: "helper", permission: "read" },
  });
  // What a client writes into the log is not what the server did.
  await oi.call("POST", `intents/${intentId}/events`, {
    body: { event_type: "agent_assigned", actor: "refunder", payload: { agent_id: "eve" } },
  });
  return { oi, store, holdId, intentId };
}

/** The store as somebody with a database client would leave it. */
function tampered(
  store: ReadStore,
  bend: {
    row?: (entity: Entity) => Entity | null;
    event?: (event: StoredEvent) => StoredEvent;
    more?: Entity;
  },
): ReadStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === "query" && (bend.row ?? bend.more) !== undefined)
        return async (query: Parameters<ReadStore["query"]>[0]) => {
          const found = (await target.query(query)) as unknown as readonly Entity[];
          const { more } = bend;
          const isAsked = more?.kind === query.kind && more.workspace === query.workspace;
          const all = isAsked && (query.after ?? "") < more.id ? [...found, more] : found;
          return all.flatMap((entity) => bend.row?.(entity) ?? (bend.row === undefined ? [entity] : []));
        };
      if (name === "scan" && bend.event !== undefined)
        return async function* (...query: Parameters<ReadStore["scan"]>) {
          for await (const page of target.scan(...query))
            yield page.map((each) => bend.event?.(each) ?? each);
        };
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const CHANGES: readonly (readonly [string, object, string])[] = [
  ["api_key", { role: "admin" }, "its row was changed"],
  ["api_key", { hash: "sha256 of a key that somebody else knows" }, "its row was changed"],
  ["session", { role: "admin" }, "its row was changed"],
  ["session", { expiresAt: 9e15 }, "its row was changed"],
  ["sign_in", { usedAt: undefined }, "its row was changed"],
  ["webhook", { url: "http://eve.example/" }, "its row was changed"],
  ["person", { status: "suspended" }, "its row was changed"],
  ["person", { role: "admin" }, "its row was changed"],
  ["team", { members: ["eve"] }, "its row was changed"],
  ["passkey", { publicKey: "eve's" }, "its row was changed"],
  ["grant", { uses: 1_000 }, "its row was changed"],
  ["rules", { version: 7 }, "its row was changed"],
  [
    "rules_version",
    { set: { rules: [], default: "allow", mode: "enforce" } },
    "version 1 of the rules was changed",
  ],
  ["intent", { status: "completed" }, "its status was changed"],
  ["intent", { createdBy: "eve" }, "its creator was changed"],
  ["intent", { access: "open" }, "who has access to it was changed"],
  ["intent", { agents: ["eve"] }, "its assigned agents were changed"],
  ["intent", { acl: { policy: "open", entries: [] } }, "its access list was changed"],
];

describe("attack 5: verification covers what gives somebody authority", () => {
  test("an untouched server verifies", async () => {
    const { oi, store } = await scene();
    await using _server = oi;
    expect((await verifyLog(store)).breaks).toEqual([]);
  });

  test("a changed row is found, whatever it is about", async () => {
    const { oi, store } = await scene();
    await using _server = oi;
    for (const [kind, part, what] of CHANGES) {
      const row = (entity: Entity) =>
        entity.kind === kind ? { ...entity, body: { ...entity.body, ...part } as Body } : entity;
      const { breaks } = await verifyLog(tampered(store, { row }));
      expect([kind, part, breaks[0]?.what], JSON.stringify(breaks)).toEqual([kind, part, what]);
    }
  });

  test("a row that was added beside the log is found, and so is one that was removed", async () => {
    const { oi, store } = await scene();
    await using _server = oi;
    for (const kind of ["api_key", "session", "person", "passkey", "grant"]) {
      const [known] = (await store.query({ workspace: "default", kind, limit: 1 })) as unknown as [Entity];
      const more = { ...known, id: "zzz_forged", body: { ...known.body, id: "zzz_forged" } };
      const added = await verifyLog(tampered(store, { more }));
      expect([kind, added.breaks[0]?.what]).toEqual([kind, "its log is missing"]);
      const row = (entity: Entity) => (entity.kind === kind && entity.id === known.id ? null : entity);
      const { breaks } = await verifyLog(tampered(store, { row }));
      expect([kind, breaks[0]?.what]).toEqual([kind, "its row is missing"]);
    }
  });

  test("a link that was changed, added, moved to another person or brought back to life is found", async () => {
    const { oi, store, holdId } = await scene();
    await using _server = oi;
    const links = (await store.query({
      workspace: "default",
      kind: "link",
      limit: 10,
    })) as unknown as Entity[];
    const own = links.filter(({ body }) => (body as { holdId?: string }).holdId === holdId);
    expect(own).toHaveLength(2);
    const isFor = ({ body }: Entity) => (body as { recipient?: string }).recipient === "ada";
    const [given, made] = [own.find((each) => !isFor(each)), own.find(isFor)];
    const changed = async (target: Entity | undefined, part: object) => {
      const row = (entity: Entity) =>
        entity.kind === "link" && entity.id === target?.id
          ? { ...entity, body: { ...entity.body, ...part } as Body }
          : entity;
      return (await verifyLog(tampered(store, { row }))).breaks.map(({ what }) => what);
    };
    const wasMade = "the hold's question, its terms, its settings or the links made with it were changed";
    expect(await changed(made, { recipient: "eve" })).toEqual([
      expect.stringMatching(/^its link .* was changed$/),
    ]);
    expect(await changed(made, { personId: "eve" })).toEqual([
      expect.stringMatching(/^its link .* was changed$/),
    ]);
    expect(await changed(made, { hash: "forged" })).toEqual([
      expect.stringMatching(/^its link .* was changed$/),
    ]);
    expect(await changed(given, { givenTo: "people", recipient: "ada" })).toEqual([wasMade]);
    expect(await changed(given, { hash: "forged" })).toEqual([wasMade]);
    expect(await changed(made, { revokedAt: 1 })).toEqual([
      expect.stringMatching(/is revoked in the row or/),
    ]);
    expect(await changed(made, { id: "link_forged" })).toEqual([
      expect.stringMatching(/does not know its link/),
    ]);
    expect(await changed(made, { holdId: "hold_0" })).toContain(
      `its link ${String(made?.body["id" as never])} exists, and the hold does not`,
    );
  });

  test("an event that was opened to another agent is found", async () => {
    const { oi, store, holdId, intentId } = await scene();
    await using _server = oi;
    for (const stream of [`hold:${holdId}`, `intent:${intentId}`, "person:ada"]) {
      for (const seq of [1, 2]) {
        const event = (each: StoredEvent) =>
          each.stream === stream && each.seq === seq ? { ...each, audience: "eve" } : each;
        const { breaks } = await verifyLog(tampered(store, { event }));
        const what = "the agent that may follow it was changed";
        if (stream !== "person:ada" || seq === 1) expect(breaks[0]).toMatchObject({ stream, seq, what });
      }
    }
  });
});
