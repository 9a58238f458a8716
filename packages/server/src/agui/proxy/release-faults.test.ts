/** Releases whose server fails between two writes, whose client leaves, and whose agent says what cannot be said. */

import { describe, expect, it, vi } from "vitest";
import type { Command } from "../../domains.ts";
import {
  answerBoth,
  approve,
  done,
  eventsIn,
  eventually,
  finished,
  idsOf,
  type Script,
  type Stage,
  stage,
  started,
  stateIs,
  stream,
} from "../../testing/proxy-stage.ts";

const LEASE_MS = 30_000;

/** The first command of this kind that comes after the agent was sent its answers is lost, as by a crash. */
function loseOnce(here: Stage, isLost: (command: Command) => boolean): void {
  const { engine } = here.test.server;
  const run = engine.run.bind(engine);
  let isOver = false;
  vi.spyOn(engine, "run").mockImplementation((async (command: Command) => {
    if (isOver || here.inputs.length < 2 || !isLost(command)) return run(command as never);
    isOver = true;
    throw new Error("the disk was away");
  }) as never);
}

const endOf = async (here: Stage) => (await here.run({ runId: "r9" }, "/connect")).events.at(-1);
const success = { type: "RUN_FINISHED", outcome: { type: "success" }, result: { paid: 2 } };

describe("a server that fails after the agent has ended", () => {
  const beforeTheThread = (command: Command) => command.kind === "keep_thread" && isEnd(command);
  const beforeTheRelease = (command: Command) => command.kind === "finish_release";

  it.each([
    ["before its thread is written", false, beforeTheThread],
    ["before the release is", false, beforeTheRelease],
    ["before the thread of an agent that takes answers twice is", true, beforeTheThread],
    ["before the release to such an agent is", true, beforeTheRelease],
  ])("%s, finds the release again and does not send it a second time", async (_when, idempotent, isLost) => {
    await using here = await stage({ idempotent });
    loseOnce(here, isLost);
    await answerBoth(here);
    await stateIs(here, "sending", { attempt: 1 });
    await eventually(async () => {
      await here.test.clock.advance(LEASE_MS);
      expect(await here.releases()).toMatchObject([{ state: "released", attempt: 1 }]);
    });
    expect(here.inputs).toHaveLength(2);
    expect(await endOf(here)).toMatchObject(success);
  });

  it("still asks the agent's next question after a failed write", async () => {
    await using here = await stage();
    here.resumed = (input, reply) => {
      here.resumed = done;
      here.first(input, reply, undefined as never);
    };
    loseOnce(here, (command) => command.kind === "place_released_group");
    await answerBoth(here);
    await stateIs(here, "sending");
    await eventually(async () => {
      await here.test.clock.advance(LEASE_MS);
      expect((await here.releases()).map(({ state }) => state).toSorted()).toEqual(["released", "waiting"]);
    });
    expect(here.inputs).toHaveLength(2);
    for (const id of idsOf({ events: [await endOf(here)] })) await here.answer(id);
    await eventually(async () => {
      await here.test.clock.advance(0);
      expect(await endOf(here)).toMatchObject(success);
    });
    expect(here.inputs).toHaveLength(3);
  });
});

/** That which ends the work. */
function isEnd(command: Command): boolean {
  return !JSON.stringify(command).includes('"work"');
}

it("an agent that replies with an invalid event has still been sent its answers once", async () => {
  await using here = await stage();
  here.resumed = (input, reply, request) => {
    stream(reply, started(input), { type: "TEXT_MESSAGE_END", messageId: "never-begun" });
    done(input, reply, request);
  };
  await answerBoth(here);
  await eventually(async () => {
    await here.test.clock.advance(LEASE_MS);
    expect(await here.releases()).toMatchObject([{ state: "released", attempt: 1 }]);
  });
  expect(here.inputs).toHaveLength(2);
  expect(await endOf(here)).toMatchObject(success);
});

it.each([
  ["nothing", []],
  ["too much at once", Array.from({ length: 101 }, (_, at) => ({ id: `i${at}`, reason: "human_approval" }))],
  ["too much", [{ id: "i", reason: "x:y", metadata: { payload: { text: "x".repeat(500_000) } } }]],
  ["what cannot be kept", [{ id: "i", reason: "x:y", message: "half an emoji \ud83d" }]],
])("an agent that stops on a resume and asks %s has failed, and an operator decides", async (_what, asks) => {
  await using here = await stage();
  here.resumed = (input, reply) => {
    stream(reply, started(input), finished(input, { outcome: { type: "interrupt", interrupts: asks } }));
    reply.end();
  };
  await answerBoth(here);
  const { id } = await stateIs(here, "failed", { error: "not_askable" });
  here.resumed = done;
  const decide = { key: here.test.keys.operator, body: { decision: "retry" } };
  await here.test.call("POST", `/v1/releases/${id}/decide`, decide);
  await stateIs(here, "released");
});

it("a long question within the limits is asked", async () => {
  await using here = await stage();
  const text = "x".repeat(450_000);
  here.first = (input, reply) => {
    const interrupts = [
      { id: "a", reason: "human_approval", message: text.slice(0, 30_000), metadata: { payload: { text } } },
    ];
    stream(reply, started(input), finished(input, { outcome: { type: "interrupt", interrupts } }));
    reply.end();
  };
  const [{ metadata }] = (await here.run({})).events.at(-1).outcome.interrupts;
  expect(metadata.payload).toEqual({ text });
});

it("G3 expired and cancelled questions are released as abandoned, with no client connected", async () => {
  await using here = await stage();
  here.first = (input, reply) => {
    const expiresAt = new Date(here.test.clock.now() + 60_000).toISOString();
    const interrupts = [
      { id: "late", reason: "human_approval", expiresAt },
      { id: "withdrawn", reason: "human_approval" },
    ];
    stream(reply, started(input), finished(input, { outcome: { type: "interrupt", interrupts } }));
    reply.end();
  };
  const [, withdrawn] = idsOf(await here.run({}));
  const cancel = { key: here.test.keys.operator, body: {} };
  expect((await here.test.call("POST", `/v1/holds/${withdrawn}/cancel`, cancel)).status).toBe(200);
  expect(await here.releases("waiting")).toHaveLength(1);
  await here.test.clock.advance(60_000);
  await stateIs(here, "released");
  expect(here.inputs[1].resume).toEqual([
    { interruptId: "late", status: "cancelled" },
    { interruptId: "withdrawn", status: "cancelled" },
  ]);
});

describe("a client that leaves", () => {
  const leaving = async (here: Stage, body: object) => {
    const response = await here.test.server.app.request("/agui/proxy/payer", {
      method: "POST",
      headers: { authorization: `Bearer ${here.test.keys.app}`, "content-type": "application/json" },
      body: JSON.stringify({ threadId: "t1", messages: [], ...body }),
    });
    const reader = (response.body as ReadableStream).getReader();
    await reader.read();
    return reader;
  };

  it("AG-078 a client that disconnects during the first run frees the thread and ends the agent's run", async () => {
    await using here = await stage();
    let cut: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const endless: Script = (input, reply) => {
      stream(reply, started(input));
      const tick = `data: ${JSON.stringify({ type: "CUSTOM", name: "tick", value: "x".repeat(9_999) })}\n\n`;
      const more = () => {
        while (reply.writable && reply.write(tick));
      };
      reply.on("drain", more).on("close", cut);
      more();
    };
    const stopping = here.first;
    here.first = endless;
    const reader = await leaving(here, { runId: "r1" });
    for (let read = 0; read < 3; read += 1) await reader.read();
    await reader.cancel();
    await ended;
    here.first = stopping;
    await eventually(async () => {
      const { events } = await here.run({ runId: "r2" });
      expect(events.at(-1)).toMatchObject({ outcome: { type: "interrupt" } });
    });
  });

  it("when a client disconnects at the start of a release, the release is either not sent or runs to its end", async () => {
    await using here = await stage({ autoResume: false });
    await answerBoth(here);
    await (await leaving(here, { runId: "r2" })).cancel();
    await eventually(async () => {
      const [{ state }] = await here.releases();
      expect(["pending", "released"]).toContain(state);
    });
    await eventually(async () => {
      expect((await here.run({ runId: "r3" })).events.at(-1)).toMatchObject(success);
    });
    expect(here.inputs).toHaveLength(2);
  });
});

describe("a resume that answers some of what is open", () => {
  it("AG-032 a partial resume is kept if the client asks for it, and the run ends with the remaining interrupts", async () => {
    await using here = await stage();
    const [one, two] = idsOf(await here.run({}));
    expect((await here.run({ runId: "r2", resume: [approve(one)] })).events.at(-1)).toMatchObject({
      code: "PARTIAL_RESUME",
    });
    const kept = await here.run({ runId: "r3", resume: [approve(one)] }, "?partialResume=keep");
    expect(idsOf(kept)).toEqual([two]);
    expect(here.inputs).toHaveLength(1);
    const again = await here.run({ runId: "r4", resume: [approve(one)] }, "?partialResume=keep");
    expect(idsOf(again)).toEqual([two]);
    await here.answer(two);
    await stateIs(here, "released");
    expect(here.inputs[1].resume).toHaveLength(2);
  });
});

it.each([
  ["no thread", { threadId: undefined }, "", "invalid_body", "threadId"],
  ["a declared version without messages", { messages: undefined }, "", "invalid_body", "messages"],
  [
    "a null payload",
    { resume: [{ interruptId: "i", status: "resolved", payload: null }] },
    "",
    "invalid_body",
    "payload",
  ],
  ["another major version", { protocolVersion: "2.0" }, "", "invalid_body", "protocolVersion"],
  ["a form nobody knows", {}, "?interruptForm=old", "invalid_query", "interruptForm"],
  ["a word nobody knows", {}, "?partialResume=maybe", "invalid_query", "partialResume"],
])(
  "AG-026, AG-043 a body with %s is refused with a code and its place",
  async (_name, more, path, code, words) => {
    await using here = await stage();
    const { status, body } = await here.test.call("POST", `/agui/proxy/payer${path}`, {
      key: here.test.keys.app,
      body: { threadId: "t1", runId: "r1", protocolVersion: "1.0", messages: [], ...more },
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { code } });
    expect(JSON.stringify(body)).toContain(words);
    expect(here.inputs).toEqual([]);
  },
);

it("an interrupt with null or invalid optional members is still asked", async () => {
  await using here = await stage();
  const nothing = { message: null, toolCallId: null, responseSchema: null, expiresAt: null, metadata: null };
  const odd = { id: "b", reason: "", message: 5, responseSchema: true, expiresAt: "soon", metadata: [1] };
  here.first = (input, reply) => {
    const outcome = {
      type: "interrupt",
      interrupts: [{ id: "a", reason: "human_approval", ...nothing }, odd],
    };
    stream(reply, started(input), finished(input, { outcome }));
    reply.end();
  };
  const { body } = await here.test.call("POST", "/agui/proxy/payer", {
    key: here.test.keys.app,
    body: { threadId: "t1", runId: "r1", messages: [] },
  });
  expect(eventsIn(body).at(-1).outcome.interrupts).toMatchObject([
    { reason: "human_approval" },
    { reason: "unknown" },
  ]);
});

describe("an agent's schema", () => {
  const asking = (here: Stage, responseSchema: unknown) => {
    here.first = (input, reply) => {
      const interrupts = [{ id: "a", reason: "tool_call", responseSchema }];
      stream(reply, started(input), finished(input, { outcome: { type: "interrupt", interrupts } }));
      reply.end();
    };
  };
  const approved = { type: "boolean" };

  it("a schema of an agent cannot make the server hang", async () => {
    await using here = await stage();
    const note = { type: "string", pattern: "^(a+)+$" };
    asking(here, { type: "object", properties: { approved, note }, required: ["approved"] });
    const [interruptId] = idsOf(await here.run({}));
    const payload = { approved: true, note: `${"a".repeat(40)}!` };
    const resume = [{ interruptId, status: "resolved", payload }];
    expect((await here.run({ runId: "r2", resume })).events.at(-1)).toMatchObject({
      code: "INVALID_PAYLOAD",
      message: expect.stringContaining("/note"),
    });
    expect(here.inputs).toHaveLength(1);
  }, 5_000);

  it("an unusable schema of an agent is left out, so that somebody can answer", async () => {
    await using here = await stage();
    asking(here, {
      type: "object",
      properties: { approved, note: { type: "sting" } },
      required: ["approved"],
    });
    const [interruptId] = idsOf(await here.run({}));
    const { events } = await here.run({ runId: "r2", resume: [approve(interruptId)] });
    expect(events.at(-1)).toMatchObject(success);
  });
});

it("questions that an earlier version placed without a release get one at the next run, and their answers are sent once", async () => {
  await using here = await stage();
  const { engine } = here.test.server;
  const run = engine.run.bind(engine);
  // Earlier versions placed the group by itself, and could die before they opened its release.
  const earlier = vi.spyOn(engine, "run").mockImplementation((async (command: Command) => {
    if (command.kind !== "place_released_group") return run(command as never);
    const { release: _none, ...group } = command;
    return run({ ...group, kind: "place_group" });
  }) as never);
  const ids = idsOf(await here.run({}));
  earlier.mockRestore();
  for (const id of ids) await here.answer(id);
  await here.test.clock.advance(LEASE_MS);
  expect(await here.releases()).toEqual([]);
  expect(here.inputs).toHaveLength(1);
  expect((await here.run({ runId: "r2" })).events.at(-1)).toMatchObject(success);
  expect(await here.releases()).toMatchObject([{ state: "released", attempt: 1 }]);
  expect((await here.run({ runId: "r3", resume: ids.map(approve) })).events.at(-1)).toMatchObject(success);
  expect(here.inputs.filter(({ resume }) => resume !== undefined)).toHaveLength(1);
});
