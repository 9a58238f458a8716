/**
 * The attacks on a whole server, each as one function that says everything that went wrong. They reuse the requests of the other
 * suites: who may do what (e2e/roles), hostile input (e2e/hostile) and worst bodies (e2e/pauses).
 */

import type { Operation, OperationSet } from "@holdpoint/protocol";
import type { Entity } from "../../packages/server/src/kernel/entity.ts";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import { verifyLog } from "../../packages/server/src/verify-log.ts";
import { assail } from "../hostile/check.ts";
import { subjectsFor } from "../hostile/subjects.ts";
import { measuringServer } from "../pauses/paused-server.ts";
import { worstBodies } from "../pauses/worst-bodies.ts";
import { nativeRequest } from "../roles/native.fixture.ts";
import { IntentScene, intentRequest, MARKER } from "../roles/openintent.ts";
import { caseRequest } from "../roles/other-faces.ts";
import type { RoleRequest } from "../roles/request.ts";
import { attacked, type Found } from "./attacked.ts";
import { fillOutbox } from "./backlog.ts";
import { selfApproval } from "./self-approval.ts";

export interface Attack {
  readonly what: string;
  readonly who: string;
  /** `deadline`: when to stop, by `performance.now()`. */
  run(deadline: number): Promise<Found>;
}

async function setsOf(): Promise<readonly OperationSet[]> {
  await using test = await attacked();
  return test.server.operationSets;
}

async function send(test: TestServer, { method }: Operation, request: RoleRequest, key?: string) {
  const { path, body, headers } = request;
  const reply = await test.server.app.request(path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (isStream) await reply.body?.cancel();
  return { status: reply.status, text: isStream ? "" : await reply.text() };
}

type Stranger = "otherAgent" | "app" | "elsewhere";

/** More of them on one server could be refused for being too many. */
const STRANGERS_A_SERVER = 20;

/** The contents of holds and intents that a stranger must not be told, in what it is told. */
async function strangers(key: Stranger, deadline: number): Promise<Found> {
  const wrong: string[] = [];
  let tried = 0;
  const sets = (await setsOf()).filter(({ name }) => ["native", "openintent", "hitl"].includes(name));
  const all = sets.flatMap(({ name, operations }) => operations.map((operation) => ({ name, operation })));
  while (tried < all.length) {
    await using test = await attacked();
    const asked = { type: "approval", prompt: MARKER, context: { note: MARKER } };
    await test.call("POST", "/v1/holds", { key: test.keys.agent, body: asked });
    for (const { name, operation } of all.slice(tried, tried + STRANGERS_A_SERVER)) {
      if (performance.now() > deadline) return { tried, wrong, isCut: true };
      const request = await strangersRequest(test, name, operation, test.keys[key]);
      const { status, text } = await send(test, operation, request, test.keys[key]);
      tried += 1;
      if (status >= 500 || status === 429) wrong.push(`${operation.id}: ${status}`);
      if (text.includes(MARKER)) wrong.push(`${operation.id} tells ${key} what belongs to another agent`);
    }
  }
  return { tried, wrong };
}

async function strangersRequest(test: TestServer, face: string, operation: Operation, secret: string) {
  if (face === "native") return nativeRequest(test, operation.id);
  if (face === "hitl") return caseRequest(test, operation, false);
  return intentRequest(test, operation, secret, new IntentScene(test));
}

async function forgedNames(): Promise<Found> {
  await using test = await attacked({ people: ["lin"] });
  const wrong: string[] = [];
  const names = ["shop", "ada", "grace", "root", "kay", "lin", "dev"];
  for (const name of names) {
    const headers = { "x-agent-id": name };
    const me = await test.call("GET", "/v1/me", { key: test.keys.anyAgent, headers });
    if (me.status < 400) wrong.push(`agent:* acts as ${name}`);
    const own = await test.call("GET", "/v1/me", { key: test.keys.agent, headers });
    if (own.status < 400) wrong.push(`agent:refunder acts as ${name}`);
  }
  return { tried: 2 * names.length, wrong };
}

async function hostileInput(deadline: number): Promise<Found> {
  const wrong: string[] = [];
  let tried = 0;
  for (const set of await setsOf()) {
    await using test = await attacked();
    const subjects = await subjectsFor(test);
    await test.call("POST", "/mcp", {
      key: test.keys.agent,
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
    });
    for (const operation of set.operations) {
      if (performance.now() > deadline) return { tried, wrong, isCut: true };
      wrong.push(
        ...(await assail(test, set, operation, subjects(operation))).map(
          (each) => `${operation.id}: ${each}`,
        ),
      );
      tried += 1;
    }
  }
  return { tried, wrong };
}

const PAUSE_MAX_MS = 100;

async function worst(deadline: number): Promise<Found> {
  await using server = await measuringServer();
  const wrong: string[] = [];
  let pauseMs = 0;
  let tried = 0;
  for (const set of await setsOf()) {
    for (const operation of set.operations.filter(({ body }) => body !== undefined)) {
      if (performance.now() > deadline) return { tried, wrong, pauseMs, isCut: true };
      const { params = {}, headers = {} } = server.subjects[`${set.name} ${operation.id}`] ?? {};
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "none");
      for (const { what, body } of worstBodies(operation, true)) {
        const sent = {
          method: operation.method,
          path,
          headers: { ...headers, "content-type": "application/json" },
          body,
        };
        const first = await server.measure(sent);
        tried += 1;
        // The first of its kind may have been compiled.
        const again = first.pauseMs > PAUSE_MAX_MS ? await server.measure(sent) : first;
        pauseMs = Math.max(pauseMs, again.pauseMs);
        if (again.pauseMs > PAUSE_MAX_MS)
          wrong.push(`${operation.id}, ${what}: ${Math.round(again.pauseMs)} ms`);
        if (first.status >= 500) wrong.push(`${operation.id}, ${what}: ${first.status}`);
      }
    }
  }
  return { tried, wrong, pauseMs };
}

async function races(deadline: number): Promise<Found> {
  await using test = await attacked();
  const wrong: string[] = [];
  let tried = 0;
  for (; tried < 20; tried += 1) {
    if (performance.now() > deadline) return { tried, wrong, isCut: true };
    const ask = { type: "approval", prompt: "Go?", timeout: "60s" };
    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: ask });
    const answers = Array.from({ length: 20 }, (_, n) =>
      test.call("POST", `/v1/holds/${hold.id}/answer`, {
        key: n % 2 === 0 ? test.keys.operator : test.keys.admin,
        body: { action: n % 3 === 0 ? "approve" : "reject" },
      }),
    );
    const cancel = test.call("POST", `/v1/holds/${hold.id}/cancel`, { key: test.keys.agent, body: {} });
    const won = (await Promise.all([...answers, cancel])).filter(({ status }) => status === 200);
    if (won.length !== 1) wrong.push(`${won.length} of 21 callers won hold ${hold.id}`);
  }
  return { tried, wrong };
}

/** Everything that was used once is used again. */
async function replays(): Promise<Found> {
  await using test = await attacked();
  const { admin, agent, operator } = test.keys;
  const wrong: string[] = [];
  const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  const signIn = (
    await test.call("POST", "/v1/sign-ins", { key: admin, body: { name: "zoe", role: "operator" } })
  ).body.url;
  const enter = async () =>
    (await test.server.app.request(signIn, { headers: browser })).headers.get("set-cookie");
  const cookie = (await enter()) ?? "";
  if ((await enter())?.includes("holdpoint_session=") === true) wrong.push("a sign-in link worked twice");
  await test.call("POST", "/signout", { headers: { ...browser, cookie, "sec-fetch-site": "same-origin" } });
  const key = (await test.call("POST", "/v1/keys", { key: admin, body: { name: "gone", role: "admin" } }))
    .body;
  await test.call("DELETE", `/v1/keys/${key.id}`, { key: admin });
  if ((await test.call("GET", "/v1/me", { key: key.secret })).status !== 401)
    wrong.push("a revoked key works");
  const hold = (
    await test.call("POST", "/v1/holds", { key: agent, body: { type: "approval", prompt: "Go?" } })
  ).body;
  const link = (await test.call("POST", `/v1/holds/${hold.id}/links`, { key: operator, body: {} })).body;
  await test.call("DELETE", `/v1/holds/${hold.id}/links/${link.id}`, { key: operator });
  const token = new URL(link.url).searchParams.get("token");
  const path = `/reviews/review_${hold.id.slice("hold_".length)}/respond?token=${token}`;
  if ((await test.call("POST", path, { body: { action: "approve" } })).status < 400)
    wrong.push("a revoked link answers");
  await test.call("POST", `/v1/holds/${hold.id}/answer`, { key: operator, body: { action: "approve" } });
  const claim = () =>
    test.call("POST", `/v1/holds/${hold.id}/claim`, { key: agent, body: { digest: hold.digest } });
  await claim();
  if ((await claim()).status === 201) wrong.push("an approval was claimed twice");
  return { tried: 4, wrong };
}

/** Rows are changed beside the log; verification must name each change. */
async function tampering(): Promise<Found> {
  await using test = await attacked();
  const { store } = test;
  const { admin, agent, operator } = test.keys;
  const post = (path: string, key: string, body: unknown) => test.call("POST", path, { key, body });
  await post("/v1/keys", admin, { name: "spare", role: "agent" });
  await post("/v1/people", admin, { id: "ada", name: "Ada" });
  const { body: hold } = await post("/v1/holds", agent, { type: "approval", prompt: "Go?", links: "agent" });
  await post(`/v1/holds/${hold.id}/answer`, operator, { action: "reject" });
  await new IntentScene(test).id();
  const changes: readonly (readonly [string, object])[] = [
    ["api_key", { role: "admin" }],
    ["person", { status: "suspended" }],
    ["hold", { createdBy: "eve" }],
    ["hold", { ask: { type: "approval", prompt: "Something else?" } }],
    ["link", { givenTo: "people", recipient: "ada" }],
    ["intent", { status: "completed" }],
  ];
  const wrong: string[] = [];
  if ((await verifyLog(store)).breaks.length > 0) wrong.push("an untouched log does not verify");
  for (const [kind, part] of changes) {
    const [row] = (await store.query({ workspace: "default", kind, limit: 1 })) as unknown as [Entity];
    const { workspace, id, version, seq, head, body } = row;
    const put = (expected: number, next: object) => ({
      key: { workspace, kind, id },
      expected,
      version: expected + 1,
      seq,
      head,
      body: next as Entity["body"],
    });
    const write = async (expected: number, next: object) => {
      const batch = await store.begin();
      await batch.load([{ workspace, kind, id }]);
      await batch.commit({ puts: [put(expected, next)], events: [], timers: [], outbox: [] });
    };
    await write(version, { ...body, ...part });
    if ((await verifyLog(store)).breaks.length === 0)
      wrong.push(`verify does not see a changed ${kind}: ${Object.keys(part).join(", ")}`);
    await write(version + 1, body);
  }
  return { tried: changes.length, wrong };
}

export const ATTACKS: readonly Attack[] = [
  {
    what: "read what belongs to others, every operation",
    who: "another agent",
    run: (until) => strangers("otherAgent", until),
  },
  {
    what: "read what belongs to others, every operation",
    who: "an app",
    run: (until) => strangers("app", until),
  },
  {
    what: "read another tenant, every operation",
    who: "dev of another workspace",
    run: (until) => strangers("elsewhere", until),
  },
  { what: "forge names (X-Agent-ID)", who: "agent:* and an agent", run: forgedNames },
  { what: "decide one's own question", who: "the asking agent or app", run: selfApproval },
  { what: "replay tokens, links, keys, claims", who: "whoever kept one", run: replays },
  { what: "race answers and a cancel", who: "operators, the agent", run: races },
  { what: "tamper with the database", who: "whoever has the file", run: tampering },
  {
    what: "10,000 messages for a host that hangs",
    who: "an agent",
    run: (until) => fillOutbox(5, PAUSE_MAX_MS, until),
  },
  { what: "hostile input, every operation", who: "every role", run: hostileInput },
  { what: "worst bodies, every operation", who: "every role", run: worst },
];

/** In one word. Only what was tried in full is said to have held. */
export function verdictOf({ tried, wrong, isCut }: Found): string {
  if (wrong.length > 0) return `${wrong.length} BROKEN`;
  if (tried === 0) return "not tried";
  return isCut === true ? "incomplete" : "held";
}

/** Those that take seconds; they are part of `npm test`. The others have suites of their own there. */
export const QUICK: ReadonlySet<string> = new Set(ATTACKS.slice(3, 8).map(({ what }) => what));
