/** Plays an ending of the truth table with an adapter of the kit: one call of a wrapped tool, and what its model is told. */

import { testServer } from "holdpoint/testing";
import type { AdapterUnderTest } from "../kit/index.ts";
import { memoryStore } from "../workflow/store.ts";
import { advanceRun } from "../workflow/workflow.ts";
import { clientOf } from "./client-of.ts";
import { bringAbout } from "./endings.ts";
import type { Cell, Ending } from "./truth-table.ts";

const REFUSAL =
  /(?:A person did not approve|Nobody answered in time|The question was withdrawn)[^"\\]*?The tool did not run\./;

export async function playedWrapped(adapter: AdapterUnderTest, ending: Ending): Promise<Cell> {
  await using test = await testServer();
  const amounts: number[] = [];
  const process = await adapter.start({
    holdpoint: clientOf(test).client,
    key: "order-1",
    script: [[{ id: "call_1", args: { to: "ada", amount: 80 } }]],
    store: memoryStore(),
    ask: () => ({ timeout: "1h" }),
    pay: ({ amount }) => {
      amounts.push(amount);
      return `paid ${amount}`;
    },
  });
  const machine = { now: () => test.clock.now(), after: () => () => undefined };
  const options = { holdpoint: clientOf(test), machine };
  const waiting = await advanceRun(process.run, options);
  if (waiting.kind !== "waiting") throw new Error(waiting.kind);
  await bringAbout(test, waiting.holdIds[0] ?? "", ending, { to: "ada", amount: 5 });
  const { kind } = await advanceRun(process.run, options);
  const told = process.told().at(-1) ?? "";
  await process.stop?.();
  const isAsApproved = amounts.every((amount) => amount === (ending === "approved with changes" ? 5 : 80));
  if (!isAsApproved) throw new Error(`ran with ${amounts}`);
  return { sees: kind === "waiting" ? "nothing: it still waits" : seen(told), runs: amounts.length as 0 | 1 };
}

function seen(told: string): string {
  const [refusal] = REFUSAL.exec(told) ?? [];
  if (refusal !== undefined) return `the model: \`${refusal}\``;
  if (/person changed the arguments/.test(told) && told.includes("paid 5")) {
    return "the model: the result, and that a person changed the arguments";
  }
  return told.includes("paid 80") ? "the model: the tool's result" : `the model: ${told}`;
}
