/** What the kit does not know of the AI SDK: streams, agents, policies, and the types of wrapped tools. */

import { testHoldpoint } from "@holdpoint/sdk/testing";
import {
  generateText,
  isStepCount,
  type ModelMessage,
  simulateReadableStream,
  streamText,
  ToolLoopAgent,
  tool,
} from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { START, scriptedModel } from "./driver.fixture.ts";
import { advanceRun, approvals } from "./index.ts";

const SCRIPT = [[{ id: "call_1", args: { to: "ada", amount: 80 } }]];

function staged() {
  const test = testHoldpoint();
  const paid: object[] = [];
  const pay = tool({
    description: "Pays",
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    execute: (payment) => {
      paid.push(payment);
      return { receipt: `paid ${payment.amount}` };
    },
  });
  const people = approvals(test.client);
  const options = { holdpoint: test.client, machine: { now: () => test.now().getTime() } };
  return { test, paid, pay, people, options };
}

describe("a wrapped tool of the AI SDK", () => {
  it("keeps its name, its schema and its types", async () => {
    const { test, people, pay } = staged();
    await using _ = test;
    const wrapped = people.wrap({ pay });
    expectTypeOf(wrapped).toEqualTypeOf<{ pay: typeof pay }>();
    expect(Object.keys(wrapped)).toEqual(["pay"]);
    expect(wrapped.pay.inputSchema).toBe(pay.inputSchema);
    expect(wrapped.pay.description).toBe(pay.description);
  });

  it("without an execute function is refused when it is wrapped", async () => {
    const { test, people } = staged();
    await using _ = test;
    const shown = tool({ inputSchema: z.object({}), outputSchema: z.string() });
    expect(() => people.wrap({ shown })).toThrow("has no execute function");
  });

  it.each(["approved", "not-applicable"] as const)(
    "does not run although a policy of the app says %s",
    async (status) => {
      const { test, people, pay, paid } = staged();
      await using _ = test;
      const tools = people.wrap({ pay });
      const generate = (messages: ModelMessage[]) =>
        generateText({
          ...{ model: scriptedModel(SCRIPT), tools, messages, stopWhen: isStepCount(3) },
          toolApproval: () => status,
        });
      await people.run({ key: "run-1", messages: START, generate }).look();
      expect(paid).toEqual([]);
    },
  );

  it("needs approval by the adapter's policy, which says nothing about tools that are not wrapped", async () => {
    const { test, people, pay } = staged();
    await using _ = test;
    people.wrap({ pay });
    expect(people.toolApproval({ toolCall: { toolName: "pay" } })).toBe("user-approval");
    expect(people.toolApproval({ toolCall: { toolName: "search" } })).toBeUndefined();
  });

  it("keeps its own model output, with the notice that a person changed the arguments", async () => {
    const { test, people, pay, options, paid } = staged();
    await using _ = test;
    const told: string[] = [];
    const shown = { ...pay, toModelOutput: () => ({ type: "text" as const, value: "a receipt" }) };
    const tools = people.wrap({ pay: shown });
    const generate = (messages: ModelMessage[]) =>
      generateText({ model: scriptedModel(SCRIPT, told), tools, messages, stopWhen: isStepCount(3) });
    const run = people.run({ key: "run-1", messages: START, generate });
    await advanceRun(run, options);
    await test.answerNext("approve", { edited_args: { to: "ada", amount: 5 } });
    expect(await advanceRun(run, options)).toMatchObject({ kind: "done" });
    expect(paid).toEqual([{ to: "ada", amount: 5 }]);
    expect(told.at(-1)).toMatch(/person changed the arguments[\s\S]*a receipt/);
  });

  it("does not run with changed arguments that its own schema refuses", async () => {
    const { test, people, paid, options } = staged();
    await using _ = test;
    const even = tool({
      inputSchema: z.object({ to: z.string(), amount: z.number().refine((amount) => amount % 2 === 0) }),
      execute: (payment) => void paid.push(payment),
    });
    const tools = people.wrap({ pay: even });
    const generate = (messages: ModelMessage[]) =>
      generateText({ model: scriptedModel(SCRIPT), tools, messages, stopWhen: isStepCount(3) });
    const run = people.run({ key: "run-1", messages: START, generate });
    await advanceRun(run, options);
    await test.answerNext("approve", { edited_args: { to: "ada", amount: 5 } });
    await advanceRun(run, options);
    expect(paid).toEqual([]);
  });
});

type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>;
type Part = Streamed["stream"] extends ReadableStream<infer One> ? One : never;

/** The scripted model as a stream. */
function streamingModel(): MockLanguageModelV4 {
  const model = scriptedModel(SCRIPT);
  return new MockLanguageModelV4({
    async doStream(given) {
      const { content, finishReason, usage } = await model.doGenerate(given);
      const parts: Part[] = [{ type: "stream-start", warnings: [] }];
      for (const part of content) {
        if (part.type === "tool-call") parts.push(part);
        if (part.type !== "text") continue;
        parts.push({ type: "text-start", id: "t" });
        parts.push({ type: "text-delta", id: "t", delta: part.text });
        parts.push({ type: "text-end", id: "t" });
      }
      parts.push({ type: "finish", finishReason, usage });
      return { stream: simulateReadableStream<Part>({ chunks: parts }) };
    },
  });
}

describe("a run of the AI SDK", () => {
  it("resumes with streamText as with generateText", async () => {
    const { test, people, pay, paid, options } = staged();
    await using _ = test;
    const tools = people.wrap({ pay });
    const generate = (messages: ModelMessage[]) =>
      streamText({ model: streamingModel(), tools, messages, stopWhen: isStepCount(3) });
    const run = people.run({ key: "run-1", messages: START, generate });
    expect((await advanceRun(run, options)).kind).toBe("waiting");
    await test.answerNext("approve");
    expect(await advanceRun(run, options)).toMatchObject({ kind: "done", result: { text: "done" } });
    expect(paid).toHaveLength(1);
  });

  it("with a ToolLoopAgent waits for a person, and a rejected call does not run", async () => {
    const { test, people, pay, paid, options } = staged();
    await using _ = test;
    const agent = new ToolLoopAgent({ model: scriptedModel(SCRIPT), tools: people.wrap({ pay }) });
    const run = people.run({
      key: "run-1",
      messages: START,
      generate: (messages) => agent.generate({ messages }),
    });
    expect((await advanceRun(run, options)).kind).toBe("waiting");
    await test.rejectNext("no");
    expect(await advanceRun(run, options)).toMatchObject({ kind: "done" });
    expect(paid).toEqual([]);
  });
});
