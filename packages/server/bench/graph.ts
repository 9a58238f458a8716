/** One intent that many depend on: what suspending, answering and completing it costs, and how that grows with their number. */

import { performance } from "node:perf_hooks";
import { discard, startChild } from "./child.ts";
import { median, type Wire, wireTo } from "./load.ts";
import type { Result } from "./result.ts";

const AT_ONCE = 50;
/** Ten times as many may take somewhat more than ten times as long: rows no longer fit where they did. */
const GROWTH_MAX = 15;
const ROUNDS = 3;

interface Times {
  readonly suspend: number;
  readonly resume: number;
}

export async function measureGraph(quick: boolean): Promise<readonly Result[]> {
  // As many as may depend on one intent.
  const many = quick ? 500 : 1_000;
  const child = await startChild("holdpoint");
  const wire = wireTo(child);
  try {
    const few = await measure(wire, many / 10);
    const all = await measure(wire, many);
    return [
      {
        name: `suspend a root of ${many} dependents`,
        value: all.suspend,
        unit: "ms",
        ...grown(few.suspend, all.suspend),
      },
      // Nobody is unblocked by an answer alone, so it costs the same however many wait.
      {
        name: `resume a root of ${many} dependents`,
        value: all.resume,
        unit: "ms",
        ...grown(few.resume, all.resume),
      },
    ];
  } finally {
    wire.close();
    await child.stop();
    discard(child.folder);
  }
}

function grown(few: number, all: number): Pick<Result, "floor" | "ratio" | "aim" | "met"> {
  const ratio = all / few;
  return { floor: few, ratio, aim: `< ${GROWTH_MAX} x a tenth of them`, met: ratio < GROWTH_MAX };
}

async function measure(wire: Wire, dependents: number): Promise<Times> {
  const root = await make(wire, {});
  let left = dependents;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await make(wire, { depends_on: [root] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const suspend: number[] = [];
  const resume: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Only the first round finds them active; what the later ones cost is finding them.
    const id = `s${round}`;
    const record = { id, question: "Go on?", response_type: "confirm" };
    suspend.push(await timed(() => wire.call("POST", `/api/v1/intents/${root}/suspend`, record)));
    const answer = { suspension_id: id, value: "yes" };
    resume.push(await timed(() => wire.call("POST", `/api/v1/intents/${root}/suspend/respond`, answer)));
  }
  return { suspend: suspend[0] ?? 0, resume: median(resume) };
}

async function make(wire: Wire, more: object): Promise<string> {
  const body = { title: "A phase", status: "active", ...more };
  return (JSON.parse(await wire.call("POST", "/api/v1/intents", body)) as { id: string }).id;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
