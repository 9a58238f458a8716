import { describe, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import type { Anchor, AnchorStore } from "../../system/anchor-file.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Go?" };

async function place(test: TestServer, key: string): Promise<string> {
  const placed = await test.call("POST", "/v1/holds", { key, body: ASK });
  expect(placed.status).toBe(201);
  return placed.body.id;
}

/** A store in which one hold's events can be bent after they were kept. */
class BentStore extends MemoryStore {
  bent = "";
  how: Partial<StoredEvent> = { data: '{"bent":true}' };

  override async *scan(query: { readonly after: number }): AsyncGenerator<readonly StoredEvent[]> {
    for await (const page of super.scan(query))
      yield page.map((event) => (event.stream === this.bent ? { ...event, ...this.how } : event));
  }
}

/** A store in which somebody places a hold before each verification. */
class GrowingStore extends MemoryStore {
  grow: (() => Promise<unknown>) | undefined;

  override async lastPosition(): Promise<number> {
    await this.grow?.();
    return super.lastPosition();
  }
}

/** A store whose log lost its end, but no checkpoint, and that one more event is added to before each verification. */
class CutStore extends MemoryStore {
  end: number | undefined;

  override async lastPosition(): Promise<number> {
    if (this.end === undefined) return super.lastPosition();
    this.end += 1;
    return this.end;
  }

  override async *scan(query: { readonly after: number }): AsyncGenerator<readonly StoredEvent[]> {
    const { end = Number.POSITIVE_INFINITY } = this;
    for await (const page of super.scan(query)) yield page.filter(({ position }) => position <= end);
  }
}

describe("GET /v1/log", () => {
  it("roles that see everything can page through all events of the workspace", async () => {
    await using test = await testServer();
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await place(test, test.keys.agent));
    await place(test, test.keys.elsewhere);
    const read = (query: string, key = test.keys.auditor) => test.call("GET", `/v1/log${query}`, { key });
    const seen: string[] = [];
    let after = 0;
    for (let pages = 0; pages < 20; pages += 1) {
      const { status, body } = await read(`?limit=2&after=${after}`);
      expect(status).toBe(200);
      seen.push(...body.events.map(({ type, hold_id }: Record<string, string>) => `${type} ${hold_id}`));
      if (body.next_after === undefined) break;
      after = body.next_after;
    }
    expect(seen.filter((each) => each.startsWith("hold.placed"))).toEqual(
      ids.map((id) => `hold.placed ${id}`),
    );
    for (const key of [test.keys.agent, undefined])
      expect((await test.call("GET", "/v1/log", key === undefined ? {} : { key })).status).toBe(
        key === undefined ? 401 : 403,
      );
    for (const query of ["?limit=0", "?limit=x", "?after=-1"]) expect((await read(query)).status).toBe(400);
  });
});

describe("POST /v1/log/verify", () => {
  it("only admins and auditors can verify the log", async () => {
    await using test = await testServer();
    const status = async (key: string) => (await test.call("POST", "/v1/log/verify", { key })).status;
    expect(await status(test.keys.admin)).toBe(200);
    expect(await status(test.keys.auditor)).toBe(200);
    expect(await status(test.keys.operator)).toBe(403);
    expect(await status(test.keys.agent)).toBe(403);
  });

  it("verifying reports on the caller's workspace and on no other", async () => {
    const store = new BentStore({ indexes: TABLE });
    await using test = await testServer({ store });
    const own = await place(test, test.keys.agent);
    const foreign = await place(test, test.keys.elsewhere);
    const verify = async () => (await test.call("POST", "/v1/log/verify", { key: test.keys.auditor })).body;
    const whole = await verify();
    expect(whole).toMatchObject({ breaks: [], streams: 1 });
    expect(whole.events).toBe(whole.unsigned);
    store.bent = `hold:${foreign}`;
    expect(await verify()).toEqual(whole);
    store.bent = `hold:${own}`;
    const broken = await verify();
    expect(broken.breaks.length).toBeGreaterThan(0);
    for (const found of broken.breaks) expect(found.stream).toBe(`hold:${own}`);
    expect(JSON.stringify(broken)).not.toContain(foreign);
  });

  it("a broken checkpoint is reported to every workspace", async () => {
    const store = new BentStore({ indexes: TABLE });
    await using test = await testServer({ store });
    await place(test, test.keys.agent);
    const foreign = await place(test, test.keys.elsewhere);
    await test.clock.advance(3_600_000);
    const verify = async () => (await test.call("POST", "/v1/log/verify", { key: test.keys.auditor })).body;
    expect(await verify()).toMatchObject({ breaks: [], unsigned: 0 });
    store.bent = `hold:${foreign}`;
    store.how = { hash: `sha256:${"0".repeat(64)}` };
    const { breaks } = await verify();
    expect(breaks).toHaveLength(1);
    expect(breaks[0]).toMatchObject({
      stream: expect.stringMatching(/^checkpoint:/),
      what: "the events before this checkpoint are not the ones it signed",
    });
  });

  it("attack 5: verifying reports that the checkpoint which this server signed last is gone, also while the log grows", async () => {
    let signed: Anchor | undefined;
    const anchor: AnchorStore = {
      place: "last-checkpoint.json",
      read: () => signed,
      write: async ({ id, hash }) => {
        signed = { id, hash };
      },
    };
    const store = new GrowingStore({ indexes: TABLE });
    await using test = await testServer({ anchor, store });
    const verify = async () => (await test.call("POST", "/v1/log/verify", { key: test.keys.auditor })).body;
    await place(test, test.keys.agent);
    await test.clock.advance(60_000);
    expect(signed).toBeDefined();
    expect(await verify()).toMatchObject({ breaks: [] });
    signed = { id: "cp_000000000000009", hash: "sha256:of-a-log-that-was-removed" };
    store.grow = () => place(test, test.keys.agent);
    expect((await verify()).breaks).toMatchObject([
      { stream: "checkpoint:sha256:of-a-log-that-was-removed", what: expect.stringContaining("rewritten") },
    ]);
  });

  it("verifying reports that the log ends before a checkpoint does, also while the log grows (G4)", async () => {
    const store = new CutStore({ indexes: TABLE });
    await using test = await testServer({ store });
    for (let n = 0; n < 5; n += 1) await place(test, test.keys.agent);
    await test.clock.advance(60_000);
    store.end = 1;
    const { breaks } = (await test.call("POST", "/v1/log/verify", { key: test.keys.auditor })).body;
    expect(breaks).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining("but the log ends before") }),
    );
  });
});
