import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../kernel/record.ts";
import { AGENT, holdIn, OPERATOR, OTHER_AGENT } from "../testing/core-samples.ts";
import { type EngineKit, engineKit } from "../testing/engine-kit.ts";
import type { Commit, Engine } from "./engine.ts";
import { Feed, type FeedFilter, FeedOverrun } from "./feed.ts";

const place = (id: string) => ({ kind: "place_hold", hold: holdIn({ id }) }) as const;
const answer = (holdId: string) =>
  ({ kind: "answer_hold", holdId, action: "approve", data: {}, door: "rest" }) as const;
const everything: FeedFilter = { workspace: "default" };
const upTo = (last: number, after = 0) => Array.from({ length: last - after }, (_, i) => after + i + 1);

interface Follower {
  readonly events: StoredEvent[];
  readonly done: Promise<void>;
  readonly positions: () => readonly number[];
  stop(): void;
}

function follow(feed: Feed, after = 0, filter = everything): Follower {
  const controller = new AbortController();
  const events: StoredEvent[] = [];
  const read = async () => {
    for await (const page of feed.follow(filter, after, controller.signal)) {
      expect(page, "a page has events").not.toEqual([]);
      events.push(...page);
    }
  };
  const positions = () => events.map(({ position }) => position);
  return { events, done: read(), positions, stop: () => controller.abort() };
}

/** Creates many events in one commit: a group and its holds. */
async function placeMany({ run }: EngineKit, groupId: string, count: number): Promise<void> {
  const holds = Array.from({ length: count - 1 }, (_, i) => holdIn({ id: `${groupId}-${i}` }));
  await run({ kind: "place_group", groupId, holds }, AGENT);
}

describe("F1: a waiter that registers before reading cannot miss the ending", () => {
  test("a waiter is called once, when the hold is settled", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    const heard: string[] = [];
    await run(place("h1"));
    for (const name of ["one", "two"])
      feed.onSettled("default", "h1", (hold) => heard.push(`${name} ${hold.body.status}`));
    const draft = { values: { note: "later" }, step: 0 };
    await run({ kind: "progress_hold", holdId: "h1", draft });
    await turn();
    expect(heard).toEqual([]);
    expect(feed.waiting).toBe(1);
    await run(answer("h1"));
    await turn();
    expect(heard).toEqual(["one decided", "two decided"]);
    expect(feed.waiting).toBe(0);
    await run({ kind: "make_link", holdId: "h1", link: { id: "l", hash: "x", purpose: "review" } });
    expect(heard).toHaveLength(2);
  });

  test("a waiter that stops waiting is not called, and other waiters still are", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    const heard: string[] = [];
    const leave = feed.onSettled("default", "h1", () => heard.push("left"));
    feed.onSettled("default", "h1", () => heard.push("stayed"));
    leave();
    leave();
    expect(feed.waiting).toBe(1);
    await Promise.all([run(place("h1")), run(answer("h1"))]);
    await turn();
    expect(heard).toEqual(["stayed"]);
  });

  test("stopping an old wait does not remove a new waiter for the same hold", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    const leaveFirst = feed.onSettled("default", "h1", () => undefined);
    await Promise.all([run(place("h1")), run(answer("h1"))]);
    await turn();
    feed.onSettled("default", "h1", () => undefined);
    leaveFirst();
    expect(feed.waiting).toBe(1);
  });

  test("a waiter is not called for a hold with the same id in another workspace", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    const heard: string[] = [];
    feed.onSettled("elsewhere", "h1", () => heard.push("wrong"));
    await Promise.all([run(place("h1")), run(answer("h1"))]);
    await turn();
    expect(heard).toEqual([]);
  });
});

test("two holds whose ids end alike have waiters of their own", async () => {
  const { engine, run } = engineKit();
  const feed = new Feed(engine);
  const heard: string[] = [];
  for (const id of ["a_0123456789", "b_0123456789"]) {
    await run(place(id));
    feed.onSettled("default", id, (hold) => heard.push(hold.id));
  }
  await run(answer("b_0123456789"));
  await turn();
  expect(heard).toEqual(["b_0123456789"]);
  await run(answer("a_0123456789"));
  await turn();
  expect(heard).toEqual(["b_0123456789", "a_0123456789"]);
  expect(feed.waiting).toBe(0);
});

describe("F2: every event after a position, in order, once", () => {
  test("a subscriber first gets the stored events after its position, then the live ones", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    await run(place("h1"));
    await run(place("h2"));
    const follower = follow(feed, 1);
    await turn();
    expect(follower.positions()).toEqual([2]);
    await run(answer("h1"));
    await turn();
    expect(follower.positions()).toEqual([2, 3]);
    follower.stop();
    await follower.done;
  });

  test("replay continues over several pages and then joins the live stream", async () => {
    const kit = engineKit();
    const feed = new Feed(kit.engine);
    for (const group of ["a", "b", "c"]) await placeMany(kit, group, 500);
    const follower = follow(feed);
    for (let i = 0; i < 5; i += 1) await turn();
    await kit.run(place("last"));
    await turn();
    follower.stop();
    await follower.done;
    expect(follower.positions()).toEqual(upTo(1_501));
  });

  test("events committed while the replay is read are delivered exactly once", async () => {
    const { engine, run, store } = engineKit();
    const feed = new Feed(engine);
    await run(place("h1"));
    const release = store.block("events");
    const follower = follow(feed);
    await run(place("h2"));
    await turn();
    await run(place("h3"));
    release();
    await run(place("h4"));
    await turn();
    await run(place("h5"));
    await turn();
    follower.stop();
    await follower.done;
    expect(follower.positions()).toEqual([1, 2, 3, 4, 5]);
  });

  test("events that are committed but not yet published when the replay reads are delivered once", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    // Callers continue before listeners are called (E6): this one starts to follow in between.
    const follower = await run(place("h1")).then(() => follow(feed));
    await turn();
    await turn();
    follower.stop();
    await follower.done;
    expect(follower.positions()).toEqual([1]);
  });

  test("subscribers that join a busy stream at any time and position get every later event once", async () => {
    const { engine, run } = engineKit({ batchMax: 3 });
    const feed = new Feed(engine);
    const followers: [number, Follower][] = [];
    const commands: Promise<unknown>[] = [];
    for (let i = 0; i < 60; i += 1) {
      commands.push(run(place(`h${i}`)));
      if (i % 4 === 0) followers.push([i % 7, follow(feed, i % 7)]);
      if (i % 3 === 0) await turn();
      if (i % 5 === 0) await Promise.resolve();
    }
    await Promise.all(commands);
    for (let i = 0; i < 5; i += 1) await turn();
    for (const [after, follower] of followers) {
      follower.stop();
      await follower.done;
      expect(follower.positions()).toEqual(upTo(60, after));
    }
    expect(feed.subscribers).toBe(0);
  });

  test.each<[string, Partial<FeedFilter>, readonly string[]]>([
    ["the events of one agent", { audience: "stranger" }, ["hold:b"]],
    ["one stream", { streams: ["hold:a"] }, ["hold:a", "hold:a"]],
    ["two streams", { streams: ["hold:b", "hold:none"] }, ["hold:b"]],
    ["no stream", { streams: [] }, []],
    ["the events of one agent in one stream", { streams: ["hold:a"], audience: "stranger" }, []],
    ["one stream of another workspace", { workspace: "elsewhere", streams: ["hold:a"] }, []],
    ["another workspace", { workspace: "elsewhere" }, []],
    ["all events of a workspace", {}, ["hold:a", "hold:b", "hold:a"]],
  ])("a feed filter passes only %s, in replay and live", async (_name, part, streams) => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    const live = follow(feed, 0, { ...everything, ...part });
    await turn();
    await Promise.all([run(place("a")), run(place("b"), OTHER_AGENT)]);
    await run(answer("a"), OPERATOR);
    const replayed = follow(feed, 0, { ...everything, ...part });
    await turn();
    await turn();
    for (const follower of [live, replayed]) {
      follower.stop();
      await follower.done;
      expect(follower.events.map(({ stream }) => stream)).toEqual(streams);
    }
  });

  test("a subscription ends when its signal aborts or its reader stops, also during the replay", async () => {
    const kit = engineKit();
    const feed = new Feed(kit.engine);
    await placeMany(kit, "a", 600);
    const before = follow(feed);
    before.stop();
    await before.done;
    expect(before.positions()).toHaveLength(500);
    const { signal } = new AbortController();
    for await (const page of feed.follow(everything, 0, signal)) {
      expect(page).toHaveLength(500);
      break;
    }
    expect(feed.subscribers).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a closed feed delivers no more events", async () => {
    const { engine, run } = engineKit();
    const feed = new Feed(engine);
    const follower = follow(feed);
    await turn();
    feed.close();
    await run(place("h1"));
    await turn();
    follower.stop();
    await follower.done;
    expect(follower.positions()).toEqual([]);
  });
});

describe("F3: a subscriber that does not keep up is dropped and told so", () => {
  function feedByHand() {
    const { store } = engineKit();
    const listeners: ((commit: Commit) => void)[] = [];
    const onCommit = (listener: (commit: Commit) => void) => {
      listeners.push(listener);
      return () => undefined;
    };
    const feed = new Feed({ store, onCommit } as unknown as Engine);
    let position = 0;
    const publish = (count: number, data = "{}") => {
      const events = Array.from({ length: count }, () => {
        position += 1;
        return { workspace: "default", stream: "hold:h", position, data } as StoredEvent;
      });
      for (const listener of listeners) listener({ events, entities: [] } as unknown as Commit);
    };
    return { feed, publish };
  }

  test("a subscriber is dropped when more than ten thousand undelivered events are buffered for it", async () => {
    const { feed, publish } = feedByHand();
    const stream = feed.follow(everything, 0, new AbortController().signal);
    const first = stream.next();
    await turn();
    publish(1);
    expect((await first).value).toHaveLength(1);
    publish(4_000);
    publish(6_000);
    expect((await stream.next()).value).toHaveLength(10_000);
    publish(4_000);
    publish(6_001);
    publish(1);
    await expect(stream.next()).rejects.toThrow(FeedOverrun);
    expect(feed.subscribers).toBe(0);
  });

  test("G13 long events that are buffered for a subscriber are delivered in pages, and too many of them drop it", async () => {
    const { feed, publish } = feedByHand();
    const stream = feed.follow(everything, 0, new AbortController().signal);
    const first = stream.next();
    await turn();
    publish(1);
    await first;
    const long = "x".repeat(1024 * 1024);
    publish(3, long);
    for (let page = 0; page < 3; page += 1) expect((await stream.next()).value).toHaveLength(1);
    for (let count = 0; count < 17; count += 1) publish(1, long);
    await expect(stream.next()).rejects.toThrow(FeedOverrun);
    expect(feed.subscribers).toBe(0);
  });

  test("a subscriber that waits is dropped when one commit exceeds its buffer", async () => {
    const { feed, publish } = feedByHand();
    const next = feed.follow(everything, 0, new AbortController().signal).next();
    await turn();
    publish(10_001);
    await expect(next).rejects.toThrow(FeedOverrun);
  });

  test("a subscriber that reconnects with its last position misses nothing", async () => {
    const kit = engineKit();
    const feed = new Feed(kit.engine);
    await placeMany(kit, "a", 100);
    const again = follow(feed, 40);
    await turn();
    again.stop();
    await again.done;
    expect(again.positions()).toEqual(upTo(100, 40));
  });
});
