/** Agents for tests, each with the calls it has executed. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { AgUiAgent, ToolUse } from "../ag-ui/index.ts";

export interface Scripted {
  readonly agent: AgUiAgent;
  readonly executed: JsonObject[];
}

const EDITABLE = {
  type: "object",
  properties: { amount: { type: "number" }, to: { type: "string" } },
  additionalProperties: false,
};

/** One tool that needs approval, with a text and some state before it. */
export function refunding(more: Partial<ToolUse> = {}): Scripted {
  const executed: JsonObject[] = [];
  return {
    executed,
    async *agent(run) {
      yield "Let me refund that.";
      run.setState({ step: "asking" });
      const outcome = await run.tool({
        name: "refund",
        args: { amount: 40, to: "ada" },
        editable: EDITABLE,
        execute(args) {
          executed.push(args);
          return { refunded: true };
        },
        ...more,
      });
      run.setState({ step: "done" });
      yield "All done.";
      return { outcome: outcome.kind };
    },
  };
}

/** Three calls that are approved together. */
export function parallel(count = 3): Scripted {
  const executed: JsonObject[] = [];
  return {
    executed,
    async *agent(run) {
      yield "Three things to do.";
      const calls = Array.from({ length: count }, (_, index) => ({
        name: "pay",
        args: { index },
        execute(args: JsonObject) {
          executed.push(args);
          return `paid ${index}`;
        },
      }));
      const outcomes = await run.toolAll(calls);
      return { kinds: outcomes.map(({ kind }) => kind) };
    },
  };
}
