/** Mastra's mock in place of a model: it proposes a refund, and then repeats what the tool said. */

import { MastraLanguageModelV2Mock, simulateReadableStream } from "@mastra/core/test-utils/llm-mock";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

export function mockModel(order) {
  const call = {
    ...{ type: "tool-call", toolCallId: `call-${order}`, toolName: "refund" },
    input: JSON.stringify({ order, amount: 80 }),
  };
  return new MastraLanguageModelV2Mock({
    async doStream({ prompt }) {
      const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
      const delta = JSON.stringify(results.at(-1) ?? null);
      const text = [
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta },
        { type: "text-end", id: "1" },
      ];
      const isDone = results.length > 0;
      const finish = { type: "finish", finishReason: isDone ? "stop" : "tool-calls", usage };
      const chunks = [{ type: "stream-start", warnings: [] }, ...(isDone ? text : [call]), finish];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
