import { describe, expect, test } from "vitest";
import { DEV } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { intentRow } from "../../../testing/intent-samples.ts";
import type { World } from "../world.ts";
import { cycleNeeds, searchCycle } from "./cycle.ts";

const by = { by: DEV };
const nameOf = (chain: string, at: number) => `intent_${chain}${at}`;
const page = (id: string) => `dependents\n${id}\n0`;

/** Intents of which each depends on the one before it. */
function chainRows(chain: string, length: number) {
  return Array.from({ length }, (_, at) => {
    const id = nameOf(chain, at);
    const dependsOn = at === 0 ? [] : [nameOf(chain, at - 1)];
    const places = Object.fromEntries(dependsOn.map((other) => [other, 0]));
    const isLast = at === length - 1;
    const ids = isLast ? [] : [nameOf(chain, at + 1)];
    return [
      intentRow({ id, dependsOn, places, ...(isLast ? {} : { dependentPages: 1 }) }),
      { kind: "roll", id: page(id), body: { ids } } as const,
    ];
  }).flat();
}

/** A world in which only those rows are seen that were asked for, and that counts how often one is read. */
function loading(rows: readonly { readonly kind: string; readonly id: string; readonly body: object }[]) {
  const all = new Map(rows.map(({ kind, id, body }) => [`${kind} ${id}`, body]));
  const loaded = new Set<string>();
  const counts = { reads: 0, rounds: 0 };
  const get = (kind: string, id: string) => {
    counts.reads += 1;
    return loaded.has(`${kind} ${id}`) ? all.get(`${kind} ${id}`) : undefined;
  };
  const version = (kind: string, id: string) => (get(kind, id) === undefined ? 0 : 1);
  const world = { get, version } as unknown as World;
  function load(needs: () => ReturnType<typeof cycleNeeds>): typeof counts {
    for (;;) {
      const fresh = needs().filter(({ kind, id }) => !loaded.has(`${kind} ${id}`));
      if (fresh.length === 0) return counts;
      counts.rounds += 1;
      for (const { kind, id } of fresh) loaded.add(`${kind} ${id}`);
    }
  }
  return { world, load };
}

describe("the search for a cycle", () => {
  const add = (intentId: string, dependencyId: string) =>
    ({ kind: "add_dependency", intentId, dependencyId, ifVersion: 1 }) as const;
  const last = (length: number) => nameOf("a", length - 1);

  test("finds a cycle through a chain, from either end", () => {
    given(...chainRows("a", 40))
      .when(add(nameOf("a", 0), last(40)), by)
      .refused("dependency_cycle");
  });

  test("is given up with too_many where the chains on both sides are longer than 300", () => {
    given(...chainRows("a", 310), ...chainRows("b", 310))
      .when(add(nameOf("b", 0), last(310)), by)
      .refused("too_many");
    given(...chainRows("a", 310), ...chainRows("b", 290))
      .when(add(nameOf("b", 0), last(310)), by)
      .then("intent.logged");
  });

  test("is given up with too_many where it would follow more than 2,000 intents", () => {
    const first = Array.from({ length: 1_000 }, (_, at) => nameOf("first", at));
    const second = Array.from({ length: 1_100 }, (_, at) => nameOf("second", at));
    const root = intentRow({ id: "intent_root", dependentPages: 1 });
    given(
      root,
      ...[...first.slice(1), ...second].map((id) => intentRow({ id })),
      intentRow({ id: nameOf("first", 0), dependentPages: 1 }),
      { kind: "roll", id: page(root.id), body: { ids: first } },
      { kind: "roll", id: page(nameOf("first", 0)), body: { ids: second } },
      ...chainRows("a", 9),
    )
      .when(add(root.id, last(9)), by)
      .refused("too_many");
  });

  test("reads each intent of a chain a few times, however many loads the chain takes (G13)", () => {
    const command = {};
    const { world, load } = loading([...chainRows("a", 200), ...chainRows("b", 200)]);
    const needs = () => cycleNeeds(command, nameOf("b", 0), [last(200)], world);
    const { reads, rounds } = load(needs);
    expect(rounds).toBeGreaterThan(200);
    expect(reads).toBeLessThan(200 * 2 * 20);
    expect(searchCycle(nameOf("b", 0), [last(200)], world)).toBe(false);
  });

  test("is unknown, not negative, as long as a row is missing", () => {
    const { world } = loading(chainRows("a", 9));
    expect(searchCycle(nameOf("a", 0), [last(9)], world)).toBe("unknown");
  });
});
