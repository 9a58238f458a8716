/** The client over HTTP and the one in the server's process behave alike, and every reply has the form that its operation declares. */

import { nativeOperations, ProblemOut } from "@holdpoint/protocol";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterEach, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { type AnyClient, ASK, type ClientOf, holdClientSuite, refusalOf } from "./hold-client.suite.ts";

/** Replies that were not as declared. Kept for the end of the test: the client would take a failing call for trouble. */
const strays: unknown[] = [];
afterEach(() => expect(strays.splice(0)).toEqual([]));

const overHttp: ClientOf = async (test, who) => {
  const fetch = async (input: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted();
    const response = await test.server.app.request(input.replace("http://test", ""), init);
    if (!response.headers.get("content-type")?.includes("json")) return response;
    const stray = strayFrom(input, init, response.status, await response.clone().json());
    if (stray !== null) strays.push(stray);
    return response;
  };
  return httpHoldClient({ url: "http://test", apiKey: test.keys[who], runtime: { fetch } });
};

/** As the principal that the key stands for. */
const inProcess: ClientOf = async (test, who) => {
  const authorization = `Bearer ${test.keys[who]}`;
  const found = await test.server.identity.authenticate({
    authorization,
    ip: "local",
    sameOrigin: true,
    unsafe: true,
  });
  if (!found.ok) throw new Error(`the test server does not know the key of ${who}`);
  return test.server.client(found.caller);
};

holdClientSuite("client over HTTP", overHttp);
holdClientSuite("client in the server's process", inProcess);

function strayFrom(input: string, init: RequestInit, status: number, body: unknown): unknown {
  const { pathname } = new URL(input);
  const operation = nativeOperations.find(({ method, path }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return method === init.method && pattern.test(pathname);
  });
  if (operation === undefined) return null;
  const schema = status >= 400 ? ProblemOut : operation.replies[status];
  const issues = schema?.safeParse(body).error?.issues;
  if (!schema || issues !== undefined) return { operation: operation.id, status, issues, body };
  if (status < 400 || operation.errors.includes((body as ProblemOut).code)) return null;
  return { operation: operation.id, undeclared: (body as ProblemOut).code };
}

it("the client in the server's process gives the same objects and errors as the client over HTTP", async () => {
  await using test = await testServer();
  const [http, direct] = [await overHttp(test, "operator"), await inProcess(test, "operator")];
  const agent = await inProcess(test, "agent");
  const group = await agent.placeGroup({
    holds: [ASK, { type: "input", prompt: "How many?" }],
    threadId: "t",
  });
  const id = group.holds[0]?.id ?? "";
  await http.makeLink(id, { to: "grace" });
  const reads: ((client: AnyClient) => Promise<unknown>)[] = [
    (client) => client.get(id),
    (client) => client.getGroup(group.id),
    (client) => client.list({ status: "open" }),
    (client) => client.listLinks(id),
    (client) => client.events(id),
    (client) => refusalOf(client.answer(id, { action: "dance" })),
    (client) => refusalOf(client.get("hold_none")),
    (client) => refusalOf(client.place({ ...ASK, timeout: "soon" })),
  ];
  for (const read of reads) expect(await read(direct)).toStrictEqual(await read(http));
});

it("a caller that changes an object it passed or received changes nothing in the engine", async () => {
  await using test = await testServer();
  const agent = await inProcess(test, "agent");
  const context = { order: { id: "o-1" } };
  const hold = await agent.place({ ...ASK, context });
  context.order.id = "changed";
  (hold.context as typeof context).order.id = "changed";
  expect((await agent.get(hold.id)).context).toEqual({ order: { id: "o-1" } });
});

it("a call repeats while the store is unavailable, and gives up when the server stops", async () => {
  await using test = await testServer();
  const agent = await inProcess(test, "agent");
  const { id } = await agent.place(ASK);
  const unavailable = Object.assign(new Error("the database is away"), { name: "StoreUnavailable" });
  let failures = 3;
  const load = test.store.load.bind(test.store);
  test.store.load = (keys) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(unavailable) : load(keys);
  };
  const reading = agent.get(id);
  await test.clock.advance(1_000 + 2_000 + 4_000);
  expect((await reading).id).toBe(id);
  failures = 1_000;
  const hopeless = agent.get(id).catch((error: unknown) => error);
  await test.clock.advance(120_000);
  expect(await hopeless).toMatchObject({ name: "RetryableError", code: "unavailable", cause: unavailable });
  test.store.load = load;
  await test.server.stop();
  await expect(agent.place(ASK)).rejects.toMatchObject({ name: "RetryableError", code: "unavailable" });
});

it("an internal error of the server is reported as `internal`, with its cause for code in the same process", async () => {
  await using test: TestServer = await testServer();
  const fault = new Error("broken");
  const load = test.store.load.bind(test.store);
  test.store.load = () => Promise.reject(fault);
  await expect((await inProcess(test, "agent")).get("hold_1")).rejects.toMatchObject({
    code: "internal",
    cause: fault,
  });
  test.store.load = load;
});
