/** AG-UI over a server that is killed with -9 while people are being asked, and answers that come in by other doors. */

import { type AgUiAgent, createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import { sseParser } from "@holdpoint/protocol/http";
import { Holdpoint } from "@holdpoint/sdk";
import { expect, test } from "vitest";
import { answerOnPage } from "../support/answer-on-page.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

// Each has a server of its own, and mostly waits for it to start.

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
type Event = any;

const APP_KEY = "e2e-app-key";

/** An app of its own process in all but name: nothing of it outlives a call to `app`. */
function appOver(server: ServerProcess, agent: AgUiAgent) {
  const handler = createAgUiHandler({
    agent,
    holdpoint: new Holdpoint({ url: server.url, apiKey: APP_KEY, streaming: false }),
    identify: () => ({ id: "ada", name: "Ada" }),
  });
  return async (body: object, query = ""): Promise<readonly Event[]> => {
    const reply = await handler(
      new Request(`http://app/agent${query}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ threadId: "t1", ...body }),
      }),
    );
    return eventsIn(await reply.text());
  };
}

function eventsIn(text: string): readonly Event[] {
  return sseParser()
    .push(text)
    .map(({ data }) => JSON.parse(data));
}

function paying() {
  const paid: number[] = [];
  const agent: AgUiAgent = async function* (run) {
    yield "Two payments are due.";
    const outcomes = await run.toolAll(
      [1, 2].map((amount) => ({ name: "pay", args: { amount }, execute: () => paid.push(amount) })),
    );
    return { kinds: outcomes.map(({ kind }) => kind) };
  };
  return { agent, paid };
}

async function call(server: ServerProcess, method: string, path: string, body?: object): Promise<Event> {
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  const reply = await fetch(server.url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return reply.json();
}

test.concurrent("two interrupts, one answered in the app and one on the review page after a kill -9, resume the run once with both answers", async () => {
  await using server = await serverProcess({ HOLDPOINT_API_KEYS: `${APP_KEY}=app:shop` });
  const { agent, paid } = paying();
  const asked = (await appOver(server, agent)({ runId: "r1" }, "?interruptForm=draft")).at(-1);
  const first = asked.interrupt.id;
  const resume = { interruptId: first, payload: { approved: true } };
  const shown = (await appOver(server, agent)({ runId: "r2", resume })).at(-1);
  const second = shown.interrupt.id;
  expect(second).not.toBe(first);
  expect(paid).toEqual([]);

  await server.kill();
  await server.start();
  await answerOnPage(server, second, "approve");
  expect(paid).toEqual([]);

  const list = [{ interruptId: first, status: "resolved", payload: { approved: true } }];
  const released = { protocolVersion: "1.0", messages: [], resume: list };
  const done = await appOver(server, agent)({ runId: "r3", ...released });
  expect(done.at(-1)).toMatchObject({
    outcome: { type: "success" },
    result: { kinds: ["executed", "executed"] },
  });
  expect(done.filter(({ type }) => type === "TOOL_CALL_RESULT")).toHaveLength(2);
  expect(paid).toEqual([1, 2]);

  await server.kill();
  await server.start();
  const again = await appOver(server, agent)({ runId: "r4", ...released });
  expect(again.at(-1)).toMatchObject({ result: { kinds: ["executed", "executed"] } });
  expect(paid).toEqual([1, 2]);
  const [one, other] = [
    await call(server, "GET", `/v1/holds/${first}`),
    await call(server, "GET", `/v1/holds/${second}`),
  ];
  expect([one.outcome.door, other.outcome.door]).toEqual(["agui", "page"]);
}, 60_000);

test.concurrent("AG-044, AG-035 the demo agent's question and its ending survive kill -9", async () => {
  await using server = await serverProcess();
  const run = async (body: object): Promise<Event> => {
    const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
    const base = {
      threadId: "t1",
      protocolVersion: "1.0",
      messages: [{ id: "m", role: "user", content: "form" }],
    };
    const init = { method: "POST", headers, body: JSON.stringify({ ...base, ...body }) };
    return eventsIn(await (await fetch(`${server.url}/agui/demo`, init)).text()).at(-1);
  };
  const { outcome } = await run({ runId: "r1" });
  const [{ id }] = outcome.interrupts;
  await server.kill();
  await server.start();
  const resume = (payload: object) => [{ interruptId: id, status: "resolved", payload }];
  expect(await run({ runId: "r2" })).toMatchObject({ code: "PENDING_INTERRUPTS" });
  expect(await run({ runId: "r3", resume: resume({ city: 5 }) })).toMatchObject({ code: "INVALID_PAYLOAD" });
  const address = { street: "Long Road 1", city: "Bath" };
  const done = { type: "RUN_FINISHED", result: { address } };
  expect(await run({ runId: "r4", resume: resume(address) })).toMatchObject(done);
  await server.kill();
  await server.start();
  expect(await run({ runId: "r5", resume: resume(address) })).toMatchObject(done);
  expect(await run({ runId: "r6", resume: resume({ ...address, city: "Wells" }) })).toMatchObject({
    code: "INTERRUPT_ALREADY_RESOLVED",
  });
}, 60_000);

test.concurrent("an uploaded file survives kill -9, and is served to the asker", async () => {
  await using server = await serverProcess();
  const headers = { authorization: `Bearer ${server.key}` };
  const form = { fields: [{ key: "doc", label: "Document", type: "x-file-upload" }] };
  const hold = await call(server, "POST", "/v1/holds", { type: "input", prompt: "?", form });
  const path = `/v1/files?hold_id=${hold.id}&name=a.txt`;
  const upload = await fetch(server.url + path, { method: "POST", headers, body: "kept" });
  const { file_id, name, sha256 } = (await upload.json()) as Event;
  await server.kill();
  await server.start();
  const doc = { file_id, name, sha256 };
  const { outcome } = await call(server, "POST", `/v1/holds/${hold.id}/answer`, {
    action: "submit",
    data: { doc },
  });
  expect(outcome.data).toEqual({ doc });
  const download = await fetch(`${server.url}/v1/files/${file_id}`, { headers });
  expect(await download.text()).toBe("kept");
}, 60_000);
