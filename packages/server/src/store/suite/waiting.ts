/** Sorted, filtered, counted and grouped lists of open holds. */

import { describe, expect, it } from "vitest";
import type { Body } from "../../kernel/entity.ts";
import type { IndexTable } from "../../kernel/table.ts";
import type { Store } from "../port.ts";
import { COUNT_MAX, SCAN_MAX, type WaitingQuery } from "../waiting.ts";
import { commit, holdBody, ids, key, placeHolds, put, type StoreUnderTest } from "./fixture.ts";

const asked = (tool: string | undefined, more: Body = {}): Body => ({
  ask: { type: "approval", prompt: "Go on?", ...(tool === undefined ? {} : { context: { tool } }) },
  ...more,
});

/** The order of urgency is h2, h4, h1, h5, h3. */
const HOLDS: Readonly<Record<string, Body>> = {
  h1: asked("refund", { expiresAt: 300 }),
  h2: asked("deploy", { expiresAt: 900, deadlineAt: 100, openedAt: 5 }),
  h3: asked(undefined, { creator: "other" }),
  h4: asked("refund", { expiresAt: 200, assignee: "ada", openedAt: 7 }),
  h5: { ask: { type: "input", prompt: "Which?", context: { tool: 7 } }, expiresAt: 300, creator: "other" },
  h6: asked("refund", { expiresAt: 50, status: "decided" }),
};

const QUERY: WaitingQuery = { workspace: "default", order: "urgency", limit: 10 };

const FILTERS: readonly (readonly [string, Partial<WaitingQuery>, readonly string[]])[] = [
  ["nothing", {}, ["h2", "h4", "h1", "h5", "h3"]],
  ["agent", { creator: "other" }, ["h5", "h3"]],
  ["tool", { tool: "refund" }, ["h4", "h1"]],
  ["tool and what nobody has opened", { tool: "refund", isUnseen: true }, ["h1"]],
  ["type", { type: "input" }, ["h5"]],
  ["assignee", { assignee: "ada" }, ["h4"]],
  ["assignee and tool", { assignee: "ada", tool: "deploy" }, []],
  ["assigned to nobody", { assignee: null }, ["h2", "h1", "h5", "h3"]],
  ["what nobody has opened", { isUnseen: true }, ["h1", "h5", "h3"]],
  ["what ends soon", { endsBy: 200 }, ["h2", "h4"]],
  ["a tool that nobody asks for", { tool: "none" }, []],
];

export function describeWaiting({ open }: StoreUnderTest, indexes: IndexTable): void {
  async function filled() {
    const harness = await open(indexes);
    await placeHolds(harness.store, HOLDS);
    await commit(harness.store, { puts: [put(key("h7", "hold", "elsewhere"), 0, holdBody(HOLDS["h1"]))] });
    return harness;
  }

  describe("lists of open holds", () => {
    it.each(FILTERS)(
      "filtered by %s are in order of urgency, in pages, and counted",
      async (_n, filter, all) => {
        await using harness = await filled();
        const { store } = harness;
        expect(ids((await store.listWaiting({ ...QUERY, ...filter })).holds)).toEqual(all);
        expect(await pages(store, { ...QUERY, ...filter, limit: 2 })).toEqual(all);
        expect(await pages(store, { ...QUERY, ...filter, order: "oldest", limit: 2 })).toEqual(
          all.toSorted(),
        );
        expect(await pages(store, { ...QUERY, ...filter, order: "newest", limit: 2 })).toEqual(
          all.toSorted().toReversed(),
        );
        const { order: _o, limit: _l, ...rest } = QUERY;
        expect(await store.countWaiting({ ...rest, ...filter })).toEqual({
          count: all.length,
          isExact: true,
        });
      },
    );

    it("follow a hold that is opened, assigned, given more time and settled", async () => {
      await using harness = await filled();
      const { store } = harness;
      const next = { ...HOLDS["h1"], openedAt: 1, assignee: "ben", expiresAt: 5 };
      await commit(store, { puts: [put(key("h1"), 1, holdBody(next))] });
      expect(ids((await store.listWaiting({ ...QUERY, limit: 1 })).holds)).toEqual(["h1"]);
      expect(ids((await store.listWaiting({ ...QUERY, assignee: "ben" })).holds)).toEqual(["h1"]);
      await commit(store, { puts: [put(key("h1"), 2, holdBody({ ...next, status: "expired" }))] });
      expect(await store.countWaiting({ workspace: "default", assignee: "ben" })).toMatchObject({ count: 0 });
      expect(ids((await store.listWaiting(QUERY)).holds)).toEqual(["h2", "h4", "h5", "h3"]);
    });

    it("are grouped by agent, tool and assignee, largest first", async () => {
      await using harness = await filled();
      const { store } = harness;
      const group = async (by: "creator" | "tool" | "assignee") =>
        (await store.groupWaiting({ workspace: "default" }, by)).groups.map(({ value, count }) => [
          value,
          count,
        ]);
      expect(await group("creator")).toEqual([
        ["bot", 3],
        ["other", 2],
      ]);
      expect(await group("tool")).toEqual([
        ["refund", 2],
        ["deploy", 1],
      ]);
      expect(await group("assignee")).toEqual([["ada", 1]]);
      expect(await store.groupWaiting({ workspace: "none" }, "tool")).toEqual({
        groups: [],
        isComplete: true,
      });
    });

    it.each([
      [
        "tool",
        { type: "approval" },
        [
          ["refund", 2],
          ["deploy", 1],
        ],
      ],
      ["creator", { tool: "refund", isUnseen: true }, [["bot", 1]]],
      [
        "creator",
        { endsBy: 300 },
        [
          ["bot", 3],
          ["other", 1],
        ],
      ],
      ["assignee", { assignee: null }, []],
    ] as const)("are grouped by %s among those that fit %o", async (by, filter, expected) => {
      await using harness = await filled();
      const { groups, isComplete } = await harness.store.groupWaiting(
        { workspace: "default", ...filter },
        by,
      );
      expect(groups.map(({ value, count }) => [value, count])).toEqual(expected);
      expect(isComplete && groups.every(({ isExact }) => isExact)).toBe(true);
    });

    it("are counted up to a bound, and a rare filter reads a bounded part at a time", async () => {
      await using harness = await open(indexes);
      const { store } = harness;
      const many = SCAN_MAX + 10;
      for (let from = 0; from < many; from += 5_000) {
        const some = Array.from({ length: Math.min(5_000, many - from) }, (_, at) => from + at);
        await commit(store, {
          puts: some.map((n) => {
            const isRare = n === many - 1;
            const body = { ask: { type: isRare ? "input" : "approval", prompt: "Go?" }, expiresAt: n };
            return put(key(`h${String(n).padStart(6, "0")}`), 0, holdBody(body));
          }),
        });
      }
      expect(await store.countWaiting({ workspace: "default" })).toEqual({
        count: COUNT_MAX,
        isExact: false,
      });
      expect(await pages(store, { ...QUERY, type: "input" })).toEqual([`h0${many - 1}`]);
      const { groups } = await store.groupWaiting({ workspace: "default" }, "creator");
      expect(groups).toEqual([{ value: "bot", count: COUNT_MAX, isExact: false }]);
      const part = await store.groupWaiting({ workspace: "default", type: "approval" }, "creator");
      expect(part.groups).toEqual([{ value: "bot", count: COUNT_MAX, isExact: false }]);
    }, 120_000);
  });
}

async function pages(store: Store, query: WaitingQuery): Promise<readonly string[]> {
  const found: string[] = [];
  let from: Pick<WaitingQuery, "after"> = {};
  for (;;) {
    const page = await store.listWaiting({ ...query, ...from });
    found.push(...ids(page.holds));
    if (page.next === null) return found;
    from = { after: page.next };
  }
}
