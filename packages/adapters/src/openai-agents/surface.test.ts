/** What the kit does not know of the OpenAI Agents SDK: streams, versions, failing tools, and the types of wrapped tools. */

import { testHoldpoint } from "@holdpoint/sdk/testing";
import { Agent, run as runAgent, tool } from "@openai/agents";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { scriptedModel } from "./driver.fixture.ts";
import { advanceRun, approvals } from "./index.ts";

const SCRIPT = [[{ id: "call_1", args: { to: "ada", amount: 80 } }]];
const parameters = z.object({ to: z.string(), amount: z.number() });

function staged() {
  const test = testHoldpoint();
  const paid: object[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays",
    parameters,
    execute: (payment) => void paid.push(payment),
  });
  const people = approvals(test.client);
  const options = { holdpoint: test.client, machine: { now: () => test.now().getTime() } };
  return { test, paid, pay, people, options };
}

describe("a wrapped tool of the OpenAI Agents SDK", () => {
  it("keeps its name, its schema and its type, alone or in a list", async () => {
    const { test, people, pay } = staged();
    await using _ = test;
    const one = people.wrap(pay);
    const [same] = people.wrap([pay]);
    expectTypeOf(one).toEqualTypeOf<typeof pay>();
    expectTypeOf(same).toEqualTypeOf<typeof pay>();
    expect(one).toMatchObject({
      type: "function",
      name: "pay",
      description: "Pays",
      parameters: pay.parameters,
    });
  });

  it("that throws because it has no errorFunction is reported as failed", async () => {
    const { test, people, options } = staged();
    await using _ = test;
    const failing = tool({
      ...{ name: "pay", description: "Pays", parameters, errorFunction: null },
      execute: () => Promise.reject(new Error("card declined")),
    });
    const agent = new Agent({ name: "payer", model: scriptedModel(SCRIPT), tools: people.wrap([failing]) });
    const run = people.run({ key: "run-1", agent, input: "Pay." });
    await advanceRun(run, options);
    const { id } = await test.answerNext("approve");
    await expect(advanceRun(run, options)).rejects.toThrow("card declined");
    expect((await test.client.get(id)).claim?.state).toBe("failed");
  });
});

describe("a run of the OpenAI Agents SDK", () => {
  it("resumes with a stream that is read to its end", async () => {
    const { test, people, pay, paid, options } = staged();
    await using _ = test;
    const agent = new Agent({ name: "payer", model: scriptedModel(SCRIPT), tools: people.wrap([pay]) });
    const start = async (given: typeof agent, input: Parameters<typeof runAgent>[1]) => {
      const streamed = await runAgent(given, input as string, { stream: true });
      for await (const _event of streamed);
      return streamed;
    };
    const run = people.run({ key: "run-1", agent, input: "Pay.", start: start as never });
    expect((await advanceRun(run, options)).kind).toBe("waiting");
    await test.answerNext("approve");
    expect(await advanceRun(run, options)).toEqual({ kind: "done", result: { output: "done" } });
    expect(paid).toHaveLength(1);
  });

  it("is not resumed by an agent of another version", async () => {
    const { test, people, pay, options } = staged();
    await using _ = test;
    const agent = () => new Agent({ name: "payer", model: scriptedModel(SCRIPT), tools: people.wrap([pay]) });
    await advanceRun(people.run({ key: "run-1", agent: agent(), input: "Pay.", version: "1" }), options);
    const changed = people.run({ key: "run-1", agent: agent(), input: "Pay.", version: "2" });
    await expect(advanceRun(changed, options)).rejects.toMatchObject({ name: "RunOfOtherVersion" });
  });
});
