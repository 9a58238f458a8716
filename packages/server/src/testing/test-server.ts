/** A whole server in one process for tests: real parts, a clock that the test moves, keys for every role. */

import { ALLOW_NOTHING } from "../channels/allow-list.ts";
import { createOutgoing, type Outgoing } from "../channels/outgoing.ts";
import type { Resolve } from "../channels/resolve.ts";
import type { KeyRole } from "../kernel/principal.ts";
import { createServer, type LogEntry, type Server, type ServerOptions } from "../server.ts";
import type { Store } from "../store/port.ts";
import { newSigner } from "../system/signing.ts";
import { ManualClock } from "./manual-clock.ts";
import { ReplyCheck } from "./reply-check.ts";
import { storeUnderTest } from "./test-store.ts";

export interface TestCall {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
  readonly body: any;
}

export interface TestServer extends AsyncDisposable {
  readonly server: Server;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly log: LogEntry[];
  /** Secrets by role; `agent` belongs to `refunder`, `otherAgent` to another agent, `elsewhere` to another workspace. */
  readonly keys: Readonly<
    Record<KeyRole | "otherAgent" | "anyAgent" | "elsewhere" | "otherOperator", string>
  >;
  call(method: string, path: string, call?: TestCall): Promise<TestReply>;
}

const KEYS = {
  agent: ["agent", "refunder", "default"],
  otherAgent: ["agent", "other", "default"],
  anyAgent: ["agent", "*", "default"],
  app: ["app", "shop", "default"],
  operator: ["operator", "ada", "default"],
  otherOperator: ["operator", "grace", "default"],
  admin: ["admin", "root", "default"],
  auditor: ["auditor", "kay", "default"],
  dev: ["dev", "dev", "default"],
  elsewhere: ["dev", "dev2", "elsewhere"],
} as const;

export interface TestServerOptions extends Partial<ServerOptions> {
  /** Where to keep a real file, instead of all in memory. */
  readonly folder?: string;
}

export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock();
  const { store, idle } =
    options.store === undefined ? await storeUnderTest(clock, options.folder) : { store: options.store };
  if (idle !== undefined) clock.waitFor(idle);
  const log: LogEntry[] = [];
  const outgoing: Outgoing =
    options.outgoing ??
    createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock, resolve: offline });
  const replies = new ReplyCheck();
  const server = createServer({
    store,
    clock,
    outgoing,
    signer: newSigner(),
    publicUrl: "http://localhost:4100",
    allowDev: true,
    keys: Object.entries(KEYS).map(([id, [role, name, workspace]]) => ({
      secret: secretOf(id),
      role,
      name,
      workspace,
    })),
    log: (entry) => log.push(entry),
    onReply: (operation, reply) => replies.look(operation, reply),
    ...options,
    // As on a local server, unless the test says otherwise.
    platform: { agentLinks: "always", ...options.platform },
  });
  replies.of(server.operationSets);
  await server.start();
  return {
    server,
    store,
    clock,
    log,
    keys: Object.fromEntries(Object.keys(KEYS).map((id) => [id, secretOf(id)])) as TestServer["keys"],
    async call(method, path, { key, body, headers } = {}) {
      const response = await server.app.request(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      replies.assert();
      const isJson = response.headers.get("content-type")?.includes("json") ?? false;
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** Tests need no network. Without one, looking a name up takes up to ten seconds, and a test that waits for the sender waits as long. */
const offline: Resolve = async (host) => {
  if (host === "localhost") return [{ address: "127.0.0.1", family: 4 }];
  throw Object.assign(new Error(`${host} is not looked up in tests`), { code: "ENOTFOUND" });
};

function secretOf(id: string): string {
  return `test-key-of-${id}`;
}
