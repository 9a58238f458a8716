/** Mastra's mock in place of a model: it proposes a refund, and then repeats what the tool said. */

import { MastraLanguageModelV2Mock, simulateReadableStream } from "@mastra/core/test-utils/llm-mock";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

export function mockModel(order) {
  const call = {
    ...{ type: "tool-call", toolCallId: `call-${order}`, toolName: "refund" },
    input: JSON.stringify({ order, amount: 80 }),
  };
  /** What the tool said; undefined: it was not called yet. */
  const resultIn = (prompt) => {
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    return results.length === 0 ? undefined : JSON.stringify(results.at(-1));
  };
  return new MastraLanguageModelV2Mock({
    async doGenerate({ prompt }) {
      const text = resultIn(prompt);
      const content = text === undefined ? [call] : [{ type: "text", text }];
      return { content, finishReason: text === undefined ? "tool-calls" : "stop", usage, warnings: [] };
    },
    async doStream({ prompt }) {
      const delta = resultIn(prompt);
      const text = [
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta },
        { type: "text-end", id: "1" },
      ];
      const finishReason = delta === undefined ? "tool-calls" : "stop";
      const parts = delta === undefined ? [call] : text;
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
