/** The SDK's mock in place of a model: it proposes a refund, and then repeats what the tool said. */

import { MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function mockModel(order: string): MockLanguageModelV4 {
  const call = {
    ...{ type: "tool-call" as const, toolCallId: `call-${order}`, toolName: "refund" },
    input: JSON.stringify({ order, amount: 80 }),
  };
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
      const result = results.findLast(({ type }) => type === "tool-result");
      const text = { type: "text" as const, text: JSON.stringify(result ?? null) };
      const finishReason = {
        unified: result === undefined ? ("tool-calls" as const) : ("stop" as const),
        raw: undefined,
      };
      return { content: [result === undefined ? call : text], finishReason, usage, warnings: [] };
    },
  });
}
