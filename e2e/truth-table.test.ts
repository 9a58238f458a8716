/** The rows of the truth table for our own agent libraries, each cell played against a whole server (G14). */

import { accessWith, hitlAgent } from "@holdpoint/hitl/agent";
import { isInputCancelledError, isInputTimeoutError, OpenIntentAgent } from "@holdpoint/openintent";
import { describe, expect, it } from "vitest";
import { bringAbout, HOUR_MS } from "../packages/adapters/src/testing/endings.ts";
import {
  type Cell,
  ENDINGS,
  type Ending,
  LIBRARY_ROWS,
  type LibraryRow,
  TRUTH_TABLE,
} from "../packages/adapters/src/testing/truth-table.ts";
import { type TestServer, testServer } from "../packages/server/src/testing/test-server.ts";
import { office, withoutPort } from "./gate/world.fixture.ts";

const MINUTE_MS = 60_000;
const ORIGIN = "http://localhost:4100";
const WAITS = "nothing: it still waits";
const code = (value: unknown) => `\`${JSON.stringify(value)}\``;

interface Played {
  readonly sees: string;
  readonly runs: number;
}

const fetchOf = (test: TestServer) => async (url: string, init?: RequestInit) =>
  test.server.app.request(url, init);

/** The client's waits are on the server's clock. */
const afterOf = (test: TestServer) => (ms: number, wake: () => void) =>
  test.clock.at(test.clock.now() + ms, wake);

/** The one hold that waits. */
async function openHold(test: TestServer): Promise<string> {
  for (;;) {
    const { body } = await test.call("GET", "/v1/holds?status=open", { key: test.keys.operator });
    if (body.holds.length > 0) return body.holds[0].id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What the agent's code came to; for a question that nobody has answered, that it still waits once the agent has looked again. */
async function heard<Result>(
  test: TestServer,
  ending: Ending,
  looks: () => number,
  agent: Promise<Result>,
  stop: AbortController,
): Promise<Result | undefined> {
  if (ending !== "left empty") {
    let isOver = false;
    const ended = agent.finally(() => {
      isOver = true;
    });
    ended.catch(() => undefined);
    while (!isOver) {
      await test.clock.advance(MINUTE_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return await ended;
  }
  const before = looks();
  while (looks() < before + 2) {
    await test.clock.advance(MINUTE_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop.abort(new Error("the test is over"));
  await expect(agent).rejects.toThrow("the test is over");
  return undefined;
}

async function hitl(ending: Ending): Promise<Played> {
  await using test = await testServer();
  const stop = new AbortController();
  let polls = 0;
  let runs = 0;
  const credentials = { [ORIGIN]: { authorization: `Bearer ${test.keys.agent}` } };
  const fetch = fetchOf(test);
  const agent = hitlAgent({
    access: accessWith({
      credentials,
      fetch: async (url, init) => {
        polls += 1;
        return await fetch(url, init);
      },
    }),
    clock: { now: () => test.clock.now(), after: afterOf(test) },
    transport: "polling",
    deliver: async () => undefined,
  });
  const opened = () =>
    fetch(`${ORIGIN}/hitl/v1/cases`, {
      method: "POST",
      headers: { ...credentials[ORIGIN], "content-type": "application/json" },
      body: JSON.stringify({
        type: "approval",
        prompt: "Refund?",
        timeout: "1h",
        default_action: "abort",
      }),
    });
  const calling = agent.call(opened, { signal: stop.signal });
  calling.catch(() => undefined);
  await bringAbout(test, await openHold(test), ending);
  const called = await heard(test, ending, () => polls, calling, stop);
  if (called === undefined) return { sees: WAITS, runs };
  if (called.kind === "unsettled") return { sees: `\`unsettled\`, \`${called.reason}\``, runs };
  if (called.kind !== "settled") throw new Error(called.kind);
  const { decision } = called;
  if (decision.kind === "completed" && decision.action === "approve") {
    const { edited_args: edited } = decision.data;
    expect(edited).toEqual(ending === "approved with changes" ? { amount: 5 } : undefined);
    runs += 1;
  }
  const more = decision.kind === "completed" ? `, ${code(decision.data)}` : "";
  const action = decision.kind === "cancelled" ? "" : `, \`${decision.action}\``;
  return { sees: `\`${decision.kind}\`${action}${more}`, runs };
}

const RESPONSES: Partial<Record<Ending, unknown>> = {
  approved: "approve",
  "approved with changes": { value: "approve", amount: 5 },
  "changes requested": "revise",
  rejected: "deny",
};

async function openIntent(ending: Ending): Promise<Played> {
  await using test = await testServer();
  const stop = new AbortController();
  let looks = 0;
  let runs = 0;
  const fetch = fetchOf(test);
  const agent = new OpenIntentAgent({
    url: ORIGIN,
    apiKey: test.keys.agent,
    agentId: "refunder",
    pollMs: 5 * MINUTE_MS,
    runtime: {
      fetch: async (url, init) => {
        looks += 1;
        return await fetch(url, init);
      },
      after: afterOf(test),
    },
  });
  const { id } = await agent.client.createIntent({ title: "Refund order 7", status: "active" });
  const asking = agent.requestInput(id, {
    suspensionId: "s1",
    question: "Refund?",
    choices: ["approve", "revise", "deny"].map((value) => ({ value, label: value })),
    timeoutSeconds: HOUR_MS / 1_000,
    signal: stop.signal,
  });
  asking.catch(() => undefined);
  const holdId = await openHold(test);
  const value = RESPONSES[ending];
  let refused = "";
  if (value === undefined) await bringAbout(test, holdId, ending);
  else {
    const body = { suspension_id: "s1", value, responded_by: "ada@example.com", metadata: {} };
    const path = `/api/v1/intents/${id}/suspend/respond`;
    const { status } = await test.call("POST", path, { key: test.keys.operator, body });
    if (status !== 200) refused = `, and the changes are refused with ${status}`;
  }
  const waits = refused === "" ? ending : "left empty";
  try {
    const answer = await heard(test, waits, () => looks, asking, stop);
    if (answer === undefined) return { sees: WAITS + refused, runs };
    if (answer === "approve") runs += 1;
    return { sees: code(answer), runs };
  } catch (error) {
    if (isInputTimeoutError(error)) return { sees: "nothing: it throws `InputTimeoutError`", runs };
    if (isInputCancelledError(error)) return { sees: "nothing: it throws `InputCancelledError`", runs };
    throw error;
  }
}

async function gate(ending: Ending): Promise<Played> {
  await using server = await withoutPort();
  const { propose, resume, executed } = office(server, { timeout: "1h" });
  const proposal = await propose();
  await bringAbout(server.test, await openHold(server.test), ending, { order: "8" });
  const outcome = await resume(proposal);
  if (ending === "approved with changes") expect(executed).toEqual([{ order: "8" }]);
  // A second resume runs nothing more.
  await resume(proposal);
  const more =
    outcome.kind === "not_approved"
      ? `, \`${outcome.state}\``
      : ending === "approved with changes"
        ? ", with the changed arguments"
        : "";
  return { sees: `\`${outcome.kind}\`${more}`, runs: executed.length };
}

const PLAYED: Readonly<Record<LibraryRow, (ending: Ending) => Promise<Played>>> = { hitl, openIntent, gate };

describe.each(LIBRARY_ROWS)("finding 1 G14: the truth table, %s", (name) => {
  it.each(ENDINGS)(
    "a question that ended as %s shows the agent what the table says, and runs exactly what the table allows",
    async (ending) => {
      const cells: Readonly<Record<Ending, Cell>> = TRUTH_TABLE[name].cells;
      expect(await PLAYED[name](ending)).toEqual(cells[ending]);
    },
  );
});
