import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./agent.ts";
import { calling, envelopes, rejection, toolCall } from "./gate.fixture.ts";
import { allow } from "./policy.ts";
import type { ProviderRequest } from "./provider.ts";
import { run } from "./run.ts";
import type { Tool } from "./tool.ts";
import { defineTool } from "./tool.ts";

const policies = { toolPolicy: () => allow("ok") };

async function callWith(tool: Tool, args: unknown) {
  const agent = defineAgent({ name: "A", model: "m", tools: [tool] });
  const { history } = await run(agent, "hello", { provider: calling(toolCall(tool.name, args)), policies });
  return envelopes(history)[0]?.data;
}

async function offered(tool: Tool) {
  const requests: ProviderRequest[] = [];
  const script = calling();
  const provider = {
    name: "watched",
    stream: (request: ProviderRequest) => {
      requests.push(request);
      return script.stream(request);
    },
  };
  await run(defineAgent({ name: "A", model: "m", tools: [tool] }), "hello", { provider });
  return requests[0]?.tools[0];
}

describe("tools", () => {
  test("AI-125 a Zod schema types, describes and checks a tool's arguments, and fills in its defaults", async () => {
    const tool = defineTool({
      name: "refund",
      description: "Pays back.",
      parameters: z.object({ order: z.string(), cents: z.number().int().default(100) }),
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ order: string; cents: number }>();
        return input;
      },
    });
    expect(await callWith(tool, { order: "7" })).toEqual({ order: "7", cents: 100 });
    expect(await rejection(callWith(tool, { order: 7 }))).toMatchObject({ name: "ToolCallArgumentsError" });
    expect(await offered(tool)).toMatchObject({
      name: "refund",
      description: "Pays back.",
      parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    });
  });

  test("AI-125 a JSON Schema is sent to the model unchanged, and arguments are checked against it", async () => {
    const parameters = {
      type: "object",
      properties: {
        order: { type: "string", minLength: 1 },
        tags: { type: "array", items: { enum: ["a", "b"] } },
      },
      required: ["order"],
      additionalProperties: false,
    } as const;
    const tool = defineTool({ name: "refund", parameters, execute: (input) => input });
    expect((await offered(tool))?.parameters).toBe(parameters);
    expect(await callWith(tool, { order: "7", tags: ["a"] })).toEqual({ order: "7", tags: ["a"] });
    for (const misfit of [
      {},
      { order: 7 },
      { order: "" },
      { order: "7", tags: ["c"] },
      { order: "7", x: 1 },
      [],
      null,
    ]) {
      expect(await rejection(callWith(tool, misfit))).toMatchObject({ name: "ToolCallArgumentsError" });
    }
  });

  test("AI-125 defineTool refuses a schema with a keyword that cannot be checked", () => {
    const parameters = { type: "object", dependentRequired: { a: ["b"] } };
    expect(() => defineTool({ name: "t", parameters, execute: () => null })).toThrow();
  });

  test("AI-125 a tool without parameters accepts an empty object only", async () => {
    const tool = defineTool({ name: "ping", execute: () => "pong" });
    expect(await callWith(tool, "")).toBe("pong");
    expect(await rejection(callWith(tool, "[]"))).toMatchObject({ name: "ToolCallArgumentsError" });
  });

  test("AI-125 a tool accepts any Standard Schema, also one without a JSON Schema of its own", async () => {
    const parameters = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: async (value: unknown) =>
          typeof value === "object"
            ? { value: 7 }
            : { issues: [{ message: "no object", path: [{ key: "a" }, 0] }] },
      },
    } as const;
    const tool = defineTool({
      name: "t",
      parameters,
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<number>();
        return input;
      },
    });
    expect(await callWith(tool, {})).toBe(7);
    expect(await rejection(callWith(tool, "7"))).toMatchObject({
      message: expect.stringContaining("/a/0: no object"),
    });
    expect((await offered(tool))?.parameters).toEqual({ type: "object" });
  });

  test("AI-019 arguments that are not JSON reach an allowed tool as __raw, and blank ones as an empty object", async () => {
    const tool = defineTool({ name: "t", parameters: z.looseObject({}), execute: (input) => input });
    expect(await callWith(tool, "not json")).toEqual({ __raw: "not json" });
    expect(await callWith(tool, " ")).toEqual({});
  });

  test("a tool that throws fails the run with its own error", async () => {
    const tool = defineTool({
      name: "t",
      execute: () => {
        throw new RangeError("the bank said no");
      },
    });
    await expect(callWith(tool, {})).rejects.toThrow("the bank said no");
  });

  test("defineTool and defineAgent refuse empty names, an empty model and two tools of one name", () => {
    const tool = defineTool({ name: "t", execute: () => null });
    expect(() => defineTool({ name: "", execute: () => null })).toThrow(TypeError);
    expect(() => defineAgent({ name: "", model: "m" })).toThrow(TypeError);
    expect(() => defineAgent({ name: "A", model: " " })).toThrow(TypeError);
    expect(() => defineAgent({ name: "A", model: "m", tools: [tool, tool] })).toThrow(TypeError);
  });
});
