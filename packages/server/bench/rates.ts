/** Rates beside their floors: the same work on each server, in turns, several rounds, medians. */

import { type Child, discard, startChild } from "./child.ts";
import { drive, median, type Sample, type Wire, wireTo } from "./load.ts";
import type { Result } from "./result.ts";
import { warmUp } from "./warm-up.ts";

export const ASK = {
  type: "approval",
  prompt: "Refund 40 EUR to a customer?",
  context: { order: "o-1", amount: 40 },
  timeout: "2h",
};

interface Work {
  readonly name: string;
  /** The floor this is held against. */
  readonly floor: "floor-hono" | "floor-sqlite";
  readonly aim?: { readonly at: number; readonly ratio: number };
  readonly make: (wire: Wire) => () => Promise<unknown>;
}

export const WORKS: readonly Work[] = [
  { name: "place", floor: "floor-hono", aim: { at: 64, ratio: 0.5 }, make: (wire) => () => place(wire) },
  { name: "answer", floor: "floor-sqlite", make: answers },
  { name: "cycle", floor: "floor-sqlite", aim: { at: 64, ratio: 0.65 }, make: (wire) => () => cycle(wire) },
];

function place(wire: Wire): Promise<string> {
  return wire.call("POST", "/v1/holds", ASK);
}

/** Place → somebody waits → answer → the waiter has it. */
export async function cycle(wire: Wire): Promise<{ readonly id: string; readonly digest?: string }> {
  const placed = JSON.parse(await place(wire)) as { id: string; digest?: string };
  const { id } = placed;
  const waiting = wire.call("GET", `/v1/holds/${id}?wait=30`);
  await wire.call("POST", `/v1/holds/${id}/answer`, { action: "approve", data: {} });
  if (!(await waiting).includes('"decided"')) throw new Error("the waiter heard nothing");
  return placed;
}

/** Answers only: what is answered is placed by the same loop, outside of what is timed. */
function answers(wire: Wire): () => Promise<unknown> {
  return async () => {
    const { id } = JSON.parse(await place(wire)) as { id: string };
    return wire.call("POST", `/v1/holds/${id}/answer`, { action: "approve", data: {} });
  };
}

export async function measureRates(names: readonly string[], quick: boolean): Promise<readonly Result[]> {
  const children = new Map<string, Child>();
  for (const name of ["holdpoint", "floor-hono", "floor-sqlite"]) children.set(name, await startChild(name));
  const wires = new Map([...children].map(([name, child]) => [name, wireTo(child)]));
  try {
    await warmUp(
      [...wires].map(
        ([name, wire]) =>
          () =>
            name === "floor-hono" ? place(wire) : cycle(wire),
      ),
      quick,
    );
    const results: Result[] = [];
    for (const work of WORKS.filter(({ name }) => names.includes(name))) {
      for (const concurrency of [1, 16, 64]) results.push(await compare(work, concurrency, wires, quick));
    }
    return results;
  } finally {
    for (const wire of wires.values()) wire.close();
    for (const child of children.values()) {
      await child.stop();
      discard(child.folder);
    }
  }
}

async function compare(
  work: Work,
  concurrency: number,
  wires: ReadonlyMap<string, Wire>,
  quick: boolean,
): Promise<Result> {
  const rounds = quick ? 3 : 7;
  const roundMs = quick ? 700 : 2_000;
  const sides = ["holdpoint", work.floor] as const;
  const samples = new Map<string, Sample[]>(sides.map((side) => [side, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const side of sides) {
      const sample = await drive(
        concurrency,
        round < 0 ? roundMs / 2 : roundMs,
        work.make(wires.get(side) as Wire),
      );
      // The first round only warms up.
      if (round >= 0) samples.get(side)?.push(sample);
    }
  }
  const of = (side: string, pick: (sample: Sample) => number) => median((samples.get(side) ?? []).map(pick));
  const ratios = (samples.get("holdpoint") ?? []).map(
    ({ perSecond }, i) => perSecond / (samples.get(work.floor)?.[i]?.perSecond ?? 1),
  );
  const ratio = median(ratios);
  const aim = work.aim?.at === concurrency ? work.aim.ratio : undefined;
  return {
    name: `${work.name} at ${concurrency}`,
    value: of("holdpoint", ({ perSecond }) => perSecond),
    unit: "/s",
    p50: of("holdpoint", ({ p50 }) => p50),
    p99: of("holdpoint", ({ p99 }) => p99),
    floor: of(work.floor, ({ perSecond }) => perSecond),
    ratio,
    ...(aim === undefined
      ? {}
      : { aim: `≥ ${aim} of ${work.floor === "floor-hono" ? "F1" : "F2"}`, met: ratio >= aim }),
  };
}
