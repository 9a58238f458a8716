import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APPROVAL, CONFIRMATION, ESCALATION, INPUT, openCase, SELECTION } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What the agent reads after a person has answered so. */
async function resultOf(ask: object, action: string, data?: object) {
  const opened = await openCase(server, ask);
  const reply = await opened.respond(data === undefined ? { action } : { action, data });
  expect(reply).toMatchObject({ status: 200, body: { status: "completed" } });
  const { body } = await opened.poll();
  expect(body.status).toBe("completed");
  return body.result;
}

async function refusalOf(ask: object, action: string, data?: object) {
  const opened = await openCase(server, ask);
  const { status, body } = await opened.respond({ action, ...(data && { data }) });
  expect((await opened.poll()).body.status).toBe("pending");
  return { status, error: body.error, keys: body.fields?.map((field: { key: string }) => field.key) };
}

describe("types and their actions", () => {
  test.each(["approve", "edit", "reject"])("HP-043 an approval can be answered with %s", async (action) => {
    expect(await resultOf(APPROVAL, action)).toEqual({ action, data: {} });
  });

  test("HP-044 a selection is answered with select", async () => {
    expect(await resultOf(SELECTION, "select", { selected: ["a"] })).toMatchObject({ action: "select" });
  });

  test("HP-045 an input is answered with submit", async () => {
    expect(await resultOf({ type: "input", prompt: "Name?" }, "submit", { value: "Ada" })).toEqual({
      action: "submit",
      data: { value: "Ada" },
    });
  });

  test.each(["confirm", "cancel"])("HP-046 a confirmation can be answered with %s", async (action) => {
    expect(await resultOf(CONFIRMATION, action)).toMatchObject({ action });
  });

  test.each(["retry", "skip", "abort"])("HP-047 an escalation can be answered with %s", async (action) => {
    expect(await resultOf(ESCALATION, action)).toMatchObject({ action });
  });

  test.each([
    [APPROVAL, "select"],
    [SELECTION, "approve"],
    [INPUT, "confirm"],
    [CONFIRMATION, "submit"],
    [ESCALATION, "cancel"],
  ])("HP-048 an action of another type is refused and changes nothing: %#", async (ask, action) => {
    expect(await refusalOf(ask, action)).toMatchObject({ status: 422, error: "invalid_action" });
  });

  test("HP-049 a custom type is answered with its declared actions, or submit without any", async () => {
    const own = { type: "x-demo-compare", prompt: "Left or right?" };
    expect(await resultOf(own, "submit", { anything: 1 })).toEqual({
      action: "submit",
      data: { anything: 1 },
    });
    const declared = { ...own, actions: [{ id: "left" }, { id: "right", label: "Right one" }] };
    expect(await resultOf(declared, "left")).toEqual({ action: "left", data: {} });
    expect(await refusalOf(declared, "submit")).toMatchObject({ error: "invalid_action" });
    expect((await (await openCase(server, declared)).open()).body).toContain("Right one");
  });
});

describe("results", () => {
  test("HP-050 a result has an action and data, which is empty when nothing was entered", async () => {
    for (const [ask, action] of [
      [APPROVAL, "approve"],
      [CONFIRMATION, "confirm"],
      [ESCALATION, "skip"],
    ] as const)
      expect(await resultOf(ask, action)).toEqual({ action, data: {} });
  });

  test("HP-051 the result of an approval has feedback and edits", async () => {
    const data = { feedback: "Shorter, please", edits: { title: "Hello" } };
    expect(await resultOf(APPROVAL, "edit", data)).toEqual({ action: "edit", data });
    expect(await refusalOf(APPROVAL, "edit", { feedback: 5 })).toMatchObject({
      status: 422,
      error: "validation_failed",
    });
  });

  test("HP-052 the result of a selection has offered items only, within the allowed number", async () => {
    const data = { selected: ["a", "c"], note: "these" };
    expect(await resultOf(SELECTION, "select", data)).toEqual({ action: "select", data });
    expect(await refusalOf(SELECTION, "select", { selected: ["a", "z"] })).toMatchObject({
      status: 422,
      error: "validation_failed",
      keys: ["/selected/1"],
    });
    const one = { ...SELECTION, select: { min: 1, max: 1 } };
    expect(await refusalOf(one, "select", data)).toMatchObject({ error: "validation_failed" });
    expect(await refusalOf(SELECTION, "select", {})).toMatchObject({ error: "validation_failed" });
  });

  test("HP-053 the result of an input has a typed value for each visible field", async () => {
    const form = {
      fields: [
        { key: "age", label: "Age", type: "number" },
        { key: "ok", label: "Ok", type: "boolean" },
        {
          key: "tags",
          label: "Tags",
          type: "multiselect",
          options: [
            { value: "a", label: "A" },
            { value: "b", label: "B" },
          ],
        },
      ],
    };
    const data = { age: 41.5, ok: false, tags: ["b"] };
    expect(await resultOf({ type: "input", prompt: "?", context: { form } }, "submit", data)).toEqual({
      action: "submit",
      data,
    });
  });

  test("HP-054 the result of a confirmation lists items of the case", async () => {
    const data = { confirmed_items: ["b"], note: "only this" };
    expect(await resultOf(CONFIRMATION, "confirm", data)).toEqual({ action: "confirm", data });
    expect(await refusalOf(CONFIRMATION, "confirm", { confirmed_items: ["z"] })).toMatchObject({
      status: 422,
      error: "validation_failed",
    });
  });

  test("HP-055 the result of an escalation has the changed parameters only", async () => {
    const data = { reason: "too big", modified_params: { size: 2 } };
    expect(await resultOf(ESCALATION, "retry", data)).toEqual({ action: "retry", data });
    expect(await refusalOf(ESCALATION, "retry", { modified_params: { colour: "red" } })).toMatchObject({
      status: 422,
      keys: ["/modified_params/colour"],
    });
  });

  test("HP-057 the page shows the members of the context that the conventions name", async () => {
    const page = async (ask: object) => (await (await openCase(server, ask)).open()).body as string;
    const artifact = { title: "Letter", content: "Dear Ada", metadata: { words: 2 } };
    expect(await page({ ...APPROVAL, context: { artifact } })).toContain("Dear Ada");
    expect(await page(SELECTION)).toContain("Second");
    expect(
      await page({ ...CONFIRMATION, context: { ...CONFIRMATION.context, description: "Both at once" } }),
    ).toMatch(/Both at once[\s\S]*To Grace|To Grace[\s\S]*Both at once/);
    expect(await page(ESCALATION)).toContain("Timeout");
    expect(await page(INPUT)).toContain("Tax id");
  });
});
