/** Whatever JSON answers an interrupt arrives at the agent behind the proxy as it was sent, and what says no arrives as a no. */

import { buildResumeArray, HttpAgent } from "@ag-ui/client";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, it } from "vitest";
import { clientOf } from "../testing/agui-kit.ts";
import { type RawProxy, rawProxy, type Seen } from "../testing/raw-proxy.ts";

const interrupting = (interrupt: object) => ({
  end: { outcome: { type: "interrupt", interrupts: [{ id: "i1", reason: "acme:ask", ...interrupt }] } },
});

/** An agent that asks with this schema, and a stock client that has been shown the question. */
async function asking(responseSchema?: JsonObject) {
  const schema = responseSchema === undefined ? {} : { responseSchema };
  const here = await rawProxy(({ resume }) => (resume === undefined ? interrupting(schema) : {}));
  const agent = new HttpAgent({ url: here.url, threadId: "t1" });
  await agent.runAgent({ runId: "r1" });
  return { here, agent };
}

async function resumed(agent: HttpAgent, payload: Json) {
  const [open] = agent.pendingInterrupts;
  const answers = { [open?.id ?? ""]: { status: "resolved" as const, payload } };
  let error: Seen;
  await agent.runAgent(
    { runId: crypto.randomUUID(), resume: buildResumeArray(agent.pendingInterrupts, answers) },
    {
      onRunErrorEvent: ({ event }) => {
        error = event;
      },
    },
  );
  return error;
}

const arrived = (here: RawProxy) => here.inputs[1]?.resume;

const ANY: readonly Json[] = [
  "free",
  "",
  0,
  7,
  true,
  false,
  ["a", 1],
  {},
  { a: 1 },
  { value: "free" },
  { value: { value: 1 } },
];

describe("finding 4: the payload of a resume", () => {
  it.each(ANY)(
    "AG-006: a question without a schema passes the payload %j to the agent unchanged",
    async (payload) => {
      const { here, agent } = await asking();
      await using _ = here;
      expect(await resumed(agent, payload)).toBeUndefined();
      expect(arrived(here)).toEqual([{ interruptId: "i1", status: "resolved", payload }]);
    },
  );

  it.each(ANY)(
    "AG-006: a question with the schema {} passes the payload %j to the agent unchanged",
    async (payload) => {
      const { here, agent } = await asking({});
      await using _ = here;
      expect(await resumed(agent, payload)).toBeUndefined();
      expect(arrived(here)).toEqual([{ interruptId: "i1", status: "resolved", payload }]);
    },
  );

  it.each<[JsonObject, Json, Json]>([
    [{ enum: ["red", "blue"] }, "red", "green"],
    [{ enum: ["red", { custom: true }] }, { custom: true }, { custom: false }],
    [{ const: 5 }, 5, 6],
    [{ type: ["object", "null"] }, { a: 1 }, "text"],
    [{ type: ["object", "string"] }, "text", 5],
    [{ type: ["object", "string"] }, { value: "text" }, [1]],
    [{ anyOf: [{ type: "string" }, { type: "object", required: ["a"] }] }, { a: 1 }, { b: 1 }],
    [{ $defs: { color: { enum: ["red"] } }, $ref: "#/$defs/color" }, "red", "green"],
    [{ properties: { a: { type: "number" } }, required: ["a"] }, { a: 1 }, { a: "x" }],
    [{ type: "string" }, "free", 5],
  ])(
    "a question with the schema %j accepts %j unchanged, and refuses %j",
    async (schema, payload, misfit) => {
      const { here, agent } = await asking(schema);
      await using _ = here;
      expect(await resumed(agent, misfit)).toMatchObject({ code: "INVALID_PAYLOAD" });
      expect(here.inputs).toHaveLength(1);
      expect(await resumed(agent, payload)).toBeUndefined();
      expect(arrived(here)).toEqual([{ interruptId: "i1", status: "resolved", payload }]);
    },
  );

  it.each<[JsonObject | undefined, JsonObject, Json]>([
    [undefined, { value: "free" }, "free"],
    [undefined, { city: "Bern" }, { city: "Bern" }],
    [{ enum: ["red", "blue"] }, { value: "red" }, "red"],
    [{ type: ["object", "null"] }, { value: null }, null],
    [{ type: ["object", "null"] }, { value: { a: 1 } }, { a: 1 }],
  ])(
    "a question with the schema %j can be answered at another door with %j",
    async (schema, data, payload) => {
      const { here, agent } = await asking(schema);
      await using _ = here;
      const [open] = agent.pendingInterrupts;
      await clientOf(here.test, "operator").answer(open?.id ?? "", { action: "submit", data });
      await here.post({});
      expect(arrived(here)).toEqual([{ interruptId: "i1", status: "resolved", payload }]);
    },
  );
});

/** An agent of LangGraph's days, and what the client of that time sends it. */
const told = (value: Json) => (input: Seen) =>
  input.forwardedProps?.command === undefined
    ? { events: [{ type: "CUSTOM", name: "on_interrupt", value: JSON.stringify(value) }] }
    : {};

async function commanded(here: RawProxy, resume: Json): Promise<Seen> {
  await here.post({});
  const reply = await here.post({ forwardedProps: { command: { resume } } });
  expect(reply.events.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  return here.inputs[1]?.forwardedProps?.command?.resume;
}

describe("finding 7: forwardedProps.command.resume", () => {
  it.each(["yes", "Bern", '{"city":"Bern"}', '"quoted"', "5", { approved: true }, 5])(
    "the value %j arrives at the agent unchanged",
    async (resume) => {
      await using here = await rawProxy(told({ question: "Refund?" }));
      expect(await commanded(here, resume)).toEqual(resume);
    },
  );

  it.each([
    "no",
    "",
    '{"approved":false}',
    { approved: false },
    { value: "no" },
    false,
    { cancelled: true },
    { approved: null },
    { confirmed: null },
    { choice: [] },
    { decisions: [] },
  ])("G14: the value %j is a rejection, and arrives at the agent as false", async (resume) => {
    await using here = await rawProxy(told("Refund?"));
    expect(await commanded(here, resume)).toBe(false);
  });

  it.each<[JsonObject, Json, Json]>([
    [{ type: "string" }, "5", "5"],
    [{ type: "string" }, "no", "no"],
    [{ type: "object", required: ["city"] }, '{"city":"Bern"}', { city: "Bern" }],
  ])("a question with the schema %j turns the text %j into %j", async (responseSchema, resume, expected) => {
    await using here = await rawProxy(told({ message: "Which?", responseSchema }));
    expect(await commanded(here, resume)).toEqual(expected);
  });

  it.each([
    ["both approved", ["approve", "approve"], [true, true]],
    ["one rejected", ["approve", "reject"], false],
  ] as const)(
    "G14: several interrupts without ids, %s, arrive as one value that is true only if all were approved",
    async (_name, actions, expected) => {
      await using here = await rawProxy((input) => ({
        events: [...(told("Pay Ada?")(input).events ?? []), ...(told("Pay Grace?")(input).events ?? [])],
      }));
      const { outcome } = (await here.post({})).events.at(-1);
      for (const [at, action] of actions.entries())
        await clientOf(here.test, "operator").answer(outcome.interrupts[at].id, { action });
      await here.post({});
      expect(here.inputs[1]?.forwardedProps.command.resume).toEqual(expected);
    },
  );

  it("G14: several interrupts with LangGraph's own ids each get their own answer", async () => {
    const ids = [`${"0".repeat(31)}a`, `${"0".repeat(31)}b`];
    await using here = await rawProxy((input) => ({
      events: ids.flatMap((id) => told({ id, message: "Pay?" })(input).events ?? []),
    }));
    const { outcome } = (await here.post({})).events.at(-1);
    for (const [at, action] of ["approve", "reject"].entries())
      await clientOf(here.test, "operator").answer(outcome.interrupts[at].id, { action });
    await here.post({});
    expect(here.inputs[1]?.forwardedProps.command.resume).toEqual({
      [ids[0] ?? ""]: true,
      [ids[1] ?? ""]: false,
    });
  });
});
