/** A test server as an OpenIntent client sees it: `agent` asks, `operator` answers, versions are sent along by themselves. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { ServerOptions } from "../server.ts";
import { ManualClock } from "./manual-clock.ts";
import { type TestReply, type TestServer, testServer } from "./test-server.ts";

type KeyName = keyof TestServer["keys"];

export interface IntentCall {
  readonly as?: KeyName | "nobody";
  /** `X-Agent-ID`. */
  readonly agent?: string;
  readonly body?: unknown;
  readonly ifMatch?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OpenIntentServer extends AsyncDisposable {
  readonly test: TestServer;
  call(method: string, path: string, call?: IntentCall): Promise<TestReply>;
  /** A fresh intent of `refunder`, active unless told otherwise. */
  create(body?: object, call?: IntentCall): Promise<Wire>;
  get(id: string, call?: IntentCall): Promise<Wire>;
  /** With the version the intent has now, unless one is given. */
  patch(id: string, patches: readonly object[], call?: IntentCall): Promise<TestReply>;
  status(id: string, status: string, call?: IntentCall): Promise<TestReply>;
  /** Record and status as other servers' agents write them, in either order. */
  suspend(id: string, record: object, order?: "record first" | "status first"): Promise<Wire>;
  respond(
    id: string,
    suspensionId: unknown,
    value?: unknown,
    call?: IntentCall & { readonly more?: object },
  ): Promise<TestReply>;
  /** The log, oldest first, or those of one type. */
  events(id: string, type?: string): Promise<readonly Wire[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
export type Wire = any;

/** A question with two choices, as the protocol's own examples ask it. */
export const REC: JsonObject = {
  id: "s1",
  question: "Q",
  response_type: "choice",
  choices: [
    { value: "approve", label: "Approve", description: "d" },
    { value: "deny", label: "Deny" },
  ],
  context: {},
  fallback_policy: "fail",
};

export async function openIntentServer(options: Partial<ServerOptions> = {}): Promise<OpenIntentServer> {
  // What leaves the process is waited for whenever the clock is moved.
  let idle: () => Promise<void> = () => Promise.resolve();
  const clock = new ManualClock({ settle: () => idle() });
  const test = await testServer({ clock, ...options });
  idle = () => test.server.sender.idle();
  const call: OpenIntentServer["call"] = (
    method,
    path,
    { as = "agent", agent, body, ifMatch, headers } = {},
  ) =>
    test.call(method, path.startsWith("/") ? path : `/api/v1/${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(as === "nobody" ? {} : { "x-api-key": test.keys[as] }),
        ...(agent === undefined ? {} : { "x-agent-id": agent }),
        ...(ifMatch === undefined ? {} : { "if-match": String(ifMatch) }),
        ...headers,
      },
    });
  const get = async (id: string, how: IntentCall = {}) =>
    (await call("GET", `intents/${id}`, { as: "dev", ...how })).body;
  const versioned = async (id: string, path: string, body: object, how: IntentCall) =>
    call("POST", `intents/${id}/${path}`, { ifMatch: (await get(id)).version, body, ...how });
  const patch: OpenIntentServer["patch"] = (id, patches, how = {}) =>
    versioned(id, "state", { patches }, how);
  const status: OpenIntentServer["status"] = (id, to, how = {}) =>
    versioned(id, "status", { status: to }, how);
  return {
    test,
    call,
    get,
    patch,
    status,
    async create(body = {}, how = {}) {
      const made = await call("POST", "intents", {
        ...how,
        body: { title: "Refund order o-1", status: "active", ...body },
      });
      if (made.status !== 200) throw new Error(`${made.status} ${JSON.stringify(made.body)}`);
      return made.body;
    },
    async suspend(id, record, order = "record first") {
      const write = () => patch(id, [{ op: "set", path: "/_suspension", value: record }]);
      const say = () => status(id, "suspended_awaiting_input");
      const steps = order === "record first" ? [write, say] : [say, write];
      for (const step of steps) {
        const reply = await step();
        if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      }
      return get(id);
    },
    respond(id, suspensionId, value, how = {}) {
      const { more = { responded_by: "alice@example.com", metadata: {} }, ...rest } = how;
      const body = { suspension_id: suspensionId, ...(value === undefined ? {} : { value }), ...more };
      return call("POST", `intents/${id}/suspend/respond`, { as: "operator", body, ...rest });
    },
    async events(id, type) {
      const { body } = await call("GET", `intents/${id}/events?limit=1000&order=asc`, { as: "dev" });
      return type === undefined ? body : body.filter((event: Wire) => event.event_type === type);
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}
