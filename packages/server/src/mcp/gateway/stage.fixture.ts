/** An MCP server with tools that count their calls, a gateway in front of it, and real clients; all in one process. */

import { InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import { type AnyClient, type ClientKind, connected, type ToolResult } from "../clients.fixture.ts";
import { countingServer } from "./counting-server.fixture.ts";
import { Gateway, type GatewayOptions } from "./gateway.ts";

export interface Stage extends AsyncDisposable {
  readonly holdpoint: TestServer;
  /** Arguments of every call that reached the tool. */
  readonly ran: unknown[];
  connect(): Transport;
  /** Ends the connection to the MCP server, as a crash does. */
  crash(): Promise<void>;
  client(kind?: ClientKind, options?: Partial<GatewayOptions>): Promise<AnyClient>;
  /** Without a gateway. */
  direct(kind: ClientKind): Promise<AnyClient>;
  answer(action: string, data?: object): Promise<string>;
  openHold(): Promise<{ readonly id: string; readonly prompt: string; readonly response_schema?: unknown }>;
  /** Moves the clock until the call has returned. */
  afterTheWait(call: Promise<ToolResult>): Promise<ToolResult>;
}

export async function gatewayStage(more?: (server: McpServer) => void): Promise<Stage> {
  const holdpoint = await testServer();
  const ran: unknown[] = [];
  const live: Transport[] = [];
  const connect = () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    serveStdio(() => countingServer(ran, more), { transport: theirs });
    live.push(ours);
    return ours;
  };
  const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
  const { call, keys, clock, server } = holdpoint;
  const openHold = async () => {
    for (;;) {
      const { body } = await call("GET", "/v1/holds?status=open", { key: keys.operator });
      if (body.holds.length > 0) return body.holds[0];
      await new Promise(setImmediate);
    }
  };
  return {
    holdpoint,
    ran,
    openHold,
    connect,
    crash: async () => live.at(-1)?.close(),
    direct: (kind) => connected(kind, connect()),
    client: (kind = "1.x", options = {}) => {
      const [clientSide, theirs] = InMemoryTransport.createLinkedPair();
      const gateway = new Gateway({
        ...{ connect, clientSide, session: "s", whenUnreachable: "deny" },
        client: server.client({ workspace: "default", principal }),
        clock,
        onTrouble: () => undefined,
        ...options,
      });
      void gateway.run();
      return connected(kind, theirs);
    },
    async answer(action, data = {}) {
      const { id } = await openHold();
      await call("POST", `/v1/holds/${id}/answer`, { key: keys.operator, body: { action, data } });
      return id;
    },
    async afterTheWait(calling) {
      await openHold();
      let isOver = false;
      void calling.finally(() => {
        isOver = true;
      });
      for (let n = 0; n < 100 && !isOver; n += 1) {
        await clock.advance(1_000);
        await new Promise(setImmediate);
      }
      return calling;
    },
    [Symbol.asyncDispose]: () => holdpoint[Symbol.asyncDispose](),
  };
}
