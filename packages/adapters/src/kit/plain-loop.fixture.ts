/** The smallest framework: a loop of a few lines, with switches that break the promises of an adapter one by one. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { type CallDecision, runGuarded, type ToolCall, toolRun } from "../tool-calls/index.ts";
import type { AdapterUnderTest, Payment, ScriptedCall, Stage } from "./adapter.ts";

export interface Breaks {
  /** The body runs whenever the loop calls it. */
  readonly unguarded?: boolean;
  /** The model is not told why. */
  readonly silent?: boolean;
  /** Another process gives the calls other ids. */
  readonly newIds?: boolean;
  /** Rejected calls run too. */
  readonly deaf?: boolean;
  /** What people changed is ignored. */
  readonly stubborn?: boolean;
}

interface Loop {
  readonly history: readonly JsonObject[];
  readonly pending: readonly ToolCall[];
}

/** Calls of the next step, as a model would propose them after this history. */
function proposals(stage: Stage, history: readonly JsonObject[], suffix: string): readonly ToolCall[] {
  const made = new Set(history.map(({ of }) => String(of)));
  const next = stage.script.find((calls) => calls.some(({ id }) => !made.has(id))) ?? [];
  return next.map(({ id, args }: ScriptedCall) => ({ id: id + suffix, tool: "pay", args: { ...args } }));
}

export function plainLoop(breaks: Breaks = {}): AdapterUnderTest {
  const body = async (stage: Stage, call: ToolCall) => {
    const pay = (args: JsonObject) =>
      stage.pay((breaks.stubborn === true ? call.args : args) as unknown as Payment);
    if (breaks.unguarded === true) return pay(call.args);
    const outcome = await runGuarded(call, (args) => pay(args));
    if (outcome.kind === "refused") return breaks.silent === true ? "" : outcome.notice;
    return outcome.edited === undefined
      ? outcome.result
      : JSON.stringify({ ...outcome.edited, result: outcome.result });
  };
  const execute = async (
    stage: Stage,
    { history, pending }: Loop,
    decisions: ReadonlyMap<string, CallDecision>,
  ) => {
    const more: JsonObject[] = [];
    for (const call of pending) {
      const decision = decisions.get(call.id);
      const notice = decision?.kind === "refused" && breaks.deaf !== true ? decision.notice : undefined;
      const result = notice ?? (await body(stage, call).catch((error: Error) => error.message));
      more.push({ of: call.id, result: breaks.silent === true ? "" : result });
    }
    return [...history, ...more];
  };
  return {
    start(stage) {
      const told: string[] = [];
      const suffix = breaks.newIds === true ? `-${crypto.randomUUID()}` : "";
      const step = (history: readonly JsonObject[]) => {
        told.push(JSON.stringify(history));
        const calls = proposals(stage, history, suffix);
        const state = { history, pending: calls } as unknown as Json;
        return calls.length === 0
          ? ({ kind: "done", result: "done" } as const)
          : ({ kind: "stopped", state, calls } as const);
      };
      const run = toolRun<string>({
        key: breaks.newIds === true ? crypto.randomUUID() : stage.key,
        ...{ holdpoint: stage.holdpoint, store: stage.store },
        tools: new Map([["pay", { name: "pay", ask: () => stage.ask() }]]),
        agent: {
          start: async () => step([]),
          resume: async (state, decisions) => step(await execute(stage, state as unknown as Loop, decisions)),
        },
      });
      return { run, told: () => told };
    },
    async forge(stage) {
      await execute(stage, { history: [], pending: proposals(stage, [], "") }, new Map());
    },
  };
}
