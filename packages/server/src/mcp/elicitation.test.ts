/** Pages that a client opens for a question (E1–E3), with the real client of the newest revision over HTTP. */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { ownStates, sharedStates } from "./request-states.ts";

interface Asked {
  readonly mode?: string;
  readonly url?: string;
  readonly message: string;
}

interface Sent {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A client that can open pages, what it was asked to open, and what it sent. */
async function opening(
  stage: TestServer,
  reply: (asked: Asked) => Promise<object> | object,
  capability: object = { url: {} },
) {
  const [asked, sent]: [Asked[], Sent[]] = [[], []];
  const fetch = async (input: URL | string, init: RequestInit = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    if (String(init.body).includes('"tools/call"')) sent.push({ body: String(init.body), headers });
    return stage.server.app.request(String(input), init);
  };
  const client = new Client(
    { name: "c", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: capability as never } },
  );
  client.setRequestHandler("elicitation/create", (async ({ params }: { params: Asked }) => {
    asked.push(params);
    return reply(params);
  }) as never);
  const requestInit = { headers: { authorization: `Bearer ${stage.keys.agent}` } };
  const url = new URL("http://localhost:4100/mcp");
  await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit }));
  const ask = () => client.callTool({ name: "ask_human", arguments: { question: "Deploy now?" } });
  return { client, asked, sent, ask, [Symbol.asyncDispose]: () => client.close() };
}

/** A JSON-RPC reply, as JSON or as the one event of a stream. */
function replyIn(body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

async function openHolds({ call, keys }: TestServer) {
  return (await call("GET", "/v1/holds?status=open", { key: keys.operator })).body.holds;
}

async function approve(stage: TestServer) {
  const [hold] = await openHolds(stage);
  const { keys } = stage;
  await stage.call("POST", `/v1/holds/${hold.id}/answer`, {
    key: keys.operator,
    body: { action: "approve" },
  });
  return hold;
}

test("a client that can open pages is sent to the question's page once, and gets the answer that the person gave there", async () => {
  await using stage = await testServer();
  await using on = await opening(stage, async () => {
    await approve(stage);
    return { action: "accept" };
  });
  expect((await on.ask()).structuredContent).toMatchObject({ status: "answered", answered_by: "ada" });
  expect(on.asked).toHaveLength(1);
  const [{ mode, url = "", message } = { message: "" }] = on.asked;
  const { body } = await stage.call("GET", "/v1/holds?status=decided", { key: stage.keys.operator });
  // The address names the question and nothing that would let anybody answer it (E2).
  expect({ mode, url }).toEqual({
    mode: "url",
    url: `http://localhost:4100/console/holds/${body.holds[0].id}`,
  });
  expect(message).toContain("Deploy now?");
  expect((await stage.server.app.request(url)).status).toBe(401);
});

test.each([
  ["accepts with an answer of its own", { action: "accept", content: { action: "approve", approved: true } }],
  ["declines", { action: "decline" }],
  ["dismisses the page", { action: "cancel" }],
])("a client that %s decides nothing: the question stays open and is pending (E1)", async (_what, reply) => {
  await using stage = await testServer();
  await using on = await opening(stage, () => reply);
  const calling = on.ask();
  let result: Awaited<typeof calling> | undefined;
  void calling.then((found) => {
    result = found;
  });
  while (result === undefined) {
    if (on.asked.length > 0) await stage.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  expect((await calling).structuredContent).toMatchObject({ status: "pending" });
  expect(await openHolds(stage)).toHaveLength(1);
});

test("a client that only shows forms is never asked, and a finished question opens no page", async () => {
  await using stage = await testServer();
  await using on = await opening(stage, () => ({ action: "accept", content: {} }), { form: {} });
  const asking = on.ask();
  while ((await openHolds(stage)).length === 0) await new Promise(setImmediate);
  await approve(stage);
  expect((await asking).structuredContent).toMatchObject({ status: "answered" });
  expect(on.asked).toEqual([]);
});

test("a state counts once, for the same agent and question, and not when it was changed (E3)", async () => {
  await using stage = await testServer();
  await using on = await opening(stage, async () => {
    await approve(stage);
    return { action: "accept" };
  });
  await on.ask();
  const [, second] = on.sent;
  if (second === undefined) throw new Error("the client sent no second call");
  const { params, ...rest } = JSON.parse(second.body);
  const replay = async (change: object, key = stage.keys.agent) => {
    const headers = { ...second.headers, authorization: `Bearer ${key}` };
    const body = { ...rest, params: { ...params, ...change } };
    return replyIn((await stage.call("POST", "/mcp", { body, headers })).body);
  };
  const refused = { error: { code: -32_602, data: { reason: "invalid_request_state" } } };
  expect(await replay({})).toMatchObject(refused);
  const [version, state, mac] = params.requestState.split(".");
  const forged = Buffer.from(state, "base64url")
    .toString()
    .replace(/"nonce":"./, '"nonce":"!');
  const changed = [version, Buffer.from(forged).toString("base64url"), mac].join(".");
  for (const requestState of [changed, "v1.e30.AA", "x"])
    expect(await replay({ requestState })).toMatchObject(refused);
});

test("a state that was not used yet is refused from another agent, and with other arguments it is a new question", async () => {
  await using stage = await testServer();
  const stop = new AbortController();
  await using on = await opening(
    stage,
    () => new Promise((resolve) => stop.signal.addEventListener("abort", resolve)) as never,
  );
  void on.ask().catch(() => undefined);
  while (on.asked.length === 0) await new Promise(setImmediate);
  const first = on.sent[0] as Sent;
  // The same first call as the client made, whose reply carries a state of its own.
  const start = async () =>
    replyIn((await stage.call("POST", "/mcp", { body: first.body, headers: first.headers })).body).result;
  const go = async (requestState: string, key: string, args: object) => {
    const { params, ...rest } = JSON.parse(first.body);
    const body = { ...rest, params: { ...params, requestState, inputResponses: {}, arguments: args } };
    const headers = { ...first.headers, authorization: `Bearer ${key}` };
    return replyIn((await stage.call("POST", "/mcp", { body, headers })).body).result;
  };
  const { requestState: one } = await start();
  const foreign = await go(one, stage.keys.otherAgent, { question: "Deploy now?" });
  expect(foreign.isError).toBe(true);
  expect(JSON.stringify(foreign)).not.toContain("Deploy");
  const { requestState: two } = await start();
  expect(await go(two, stage.keys.agent, { question: "Delete all?" })).toMatchObject({
    resultType: "input_required",
  });
  stop.abort();
});

test("a used state is remembered until it has expired, by one server and by servers that share a database", async () => {
  const clock = new ManualClock();
  const ids = { token: () => crypto.randomUUID() };
  const spent = new Map<string, number>();
  const shared = {
    spend: async ([{ name } = { name: "" }]: readonly { readonly name: string }[]) => {
      spent.set(name, (spent.get(name) ?? 0) + 1);
      return [{ name, spent: spent.get(name) ?? 0, endsAt: 0 }];
    },
  };
  const pushKey = async () => ({ publicKey: "p", privateKey: "secret" });
  const both = () => [ownStates(ids, clock), sharedStates(ids, clock, shared as never, pushKey)] as const;
  const [own, common] = both();
  const [otherOwn, otherCommon] = both();
  for (const states of [own, common]) {
    expect([await states.isFirstUse("n1", "k"), await states.isFirstUse("n1", "k")]).toEqual([true, false]);
    await clock.advance(600_000);
    expect(await states.isFirstUse("n1", "k")).toBe(false);
  }
  // Another server knows the shared key and what was used; another process of one server has another key.
  expect(await otherCommon.isFirstUse("n1", "k")).toBe(false);
  expect(await otherCommon.key()).toBe(await common.key());
  expect(await otherOwn.key()).not.toBe(await own.key());
  await clock.advance(1_200_000);
  expect(await own.isFirstUse("n1", "k")).toBe(true);
});

test("one agent that uses many states keeps no other agent from using its own, and uses up no other's", async () => {
  const clock = new ManualClock();
  const states = ownStates({ token: () => crypto.randomUUID() }, clock);
  let used = 0;
  while (await states.isFirstUse(`busy ${used}`, "busy")) used += 1;
  expect(used).toBe(5_000);
  expect(await states.isFirstUse("n1", "busy")).toBe(false);
  expect([await states.isFirstUse("n1", "calm"), await states.isFirstUse("n1", "calm")]).toEqual([
    true,
    false,
  ]);
  await clock.advance(1_200_000);
  expect(await states.isFirstUse("n2", "busy")).toBe(true);
});
