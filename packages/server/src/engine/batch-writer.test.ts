import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, holdIn, newLink } from "../testing/core-samples.ts";
import { engineKit } from "../testing/engine-kit.ts";
import { eventHash } from "./seal.ts";

const place = (part = {}) => ({ kind: "place_hold", hold: holdIn(part) }) as const;
const webhook = { id: "w1", url: "https://a.test", events: [], secrets: ["whsec"] };

describe("what a batch writes", () => {
  test("a batch writes rows, events, timers and messages in one commit (G4)", async () => {
    const { run, store, clock } = engineKit();
    await run({ kind: "put_webhook", webhook }, ADMIN);
    await run(place({ key: "k", expires: { afterMs: 50 }, newLinks: [newLink()] }));
    const written = store.commits.at(-1);
    expect(written?.puts.map(({ key: { kind, id } }) => `${kind} ${id}`).sort()).toEqual([
      "hold h1",
      "hold_key refunder\nk",
      "link h1.hash-1",
    ]);
    expect(written?.events.map(({ type, seq }) => [type, seq])).toEqual([["hold.placed", 1]]);
    expect(JSON.parse(written?.events[0]?.data ?? "")).toMatchObject({
      links_made: [{ link_id: "link_1", purpose: "review" }],
    });
    expect(written?.timers).toEqual([
      { key: { workspace: "default", kind: "hold", id: "h1" }, dueAt: clock.now() + 50 },
    ]);
    expect(written?.outbox.map(({ kind, event }) => [kind, event.type, event.seq])).toEqual([
      ["webhook", "hold.placed", 1],
    ]);
  });

  test("each stream has its own hash chain, and its row stores the last number and hash", async () => {
    const { run, store, stored } = engineKit();
    await Promise.all([run(place()), run(place({ id: "h2" }))]);
    await run({ kind: "open_hold", holdId: "h1" });
    await run({ kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "rest" });
    const events = await store.events({ stream: "hold:h1", after: 0, limit: 10 });
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, "hold.placed"],
      [2, "hold.opened"],
      [3, "hold.decided"],
    ]);
    expect(events.map(({ previous }) => previous)).toEqual(["", events[0]?.hash, events[1]?.hash]);
    for (const event of events) expect(eventHash(event)).toBe(event.hash);
    expect(await stored("h1")).toMatchObject({ seq: 3, head: events[2]?.hash, version: 3 });
    expect(await stored("h2")).toMatchObject({ seq: 1, version: 1 });
  });

  test("several facts of one command raise the version by one and write one timer", async () => {
    const { run, store, stored } = engineKit();
    await run(place({ expires: { afterMs: 50 } }));
    await Promise.all([
      run({ kind: "progress_hold", holdId: "h1" }),
      run({ kind: "cancel_hold", holdId: "h1" }, AGENT),
    ]);
    expect(await stored("h1")).toMatchObject({ version: 3, seq: 4 });
    expect(store.commits.at(-1)?.timers).toMatchObject([{ dueAt: null }]);
    expect(await store.nextTimerAt()).toBeNull();
  });

  test("a fact that is not written to the log changes a row and adds no event", async () => {
    const { run, store } = engineKit();
    await run(place());
    await run({ kind: "progress_hold", holdId: "h1" });
    const draft = { values: { a: "b" }, step: 0 };
    await run({ kind: "progress_hold", holdId: "h1", draft });
    expect(store.commits.at(-1)).toMatchObject({
      puts: [{ key: { kind: "form_session" }, seq: 0, body: { values: { a: "b" } } }],
      events: [],
      timers: [],
    });
  });

  test("a webhook made earlier in the same batch receives messages of later commands", async () => {
    const { run, store } = engineKit();
    await Promise.all([run({ kind: "put_webhook", webhook }, ADMIN), run(place())]);
    expect(store.commits).toHaveLength(1);
    expect(store.commits[0]?.outbox).toMatchObject([{ endpoint: "w1", holdId: "h1" }]);
  });

  test("a team that was removed and added again continues the same log", async () => {
    const { run, store } = engineKit();
    const team = { id: "t1", name: "Finance", members: [], source: "api" } as const;
    for (const command of [
      { kind: "add_team", team },
      { kind: "remove_team", teamId: "t1" },
      { kind: "add_team", team },
    ] as const) {
      expect(await run(command, ADMIN)).toMatchObject({ ok: true });
    }
    const events = await store.events({ stream: "team:t1", after: 0, limit: 10 });
    expect(events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 team.added",
      "2 team.removed",
      "3 team.added",
    ]);
  });
});
