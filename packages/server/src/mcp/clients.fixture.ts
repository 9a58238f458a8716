/** Real MCP clients of three kinds, connected to anything that speaks MCP. */

import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "mcp-sdk-1/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "mcp-sdk-1/client/streamableHttp.js";
import type { TestServer } from "../testing/test-server.ts";

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** What the tests use of a client, whichever version it is. */
export interface AnyClient extends AsyncDisposable {
  call(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<ToolResult>;
  /** Any method of the client, with its result as it came. */
  raw(method: string, params?: unknown): Promise<unknown>;
  /** Answers the server's questions; only clients 2.x. */
  onElicit(answer: () => object): void;
  tools(): Promise<readonly { readonly name: string }[]>;
}

export const CLIENT_KINDS = ["2.x, revision 2026-07-28", "2.x, older revision", "1.x"] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

const INFO = { name: "test-client", version: "1.0.0" };

/** `transport` is shaped alike in both versions. */
export async function connected(kind: ClientKind, transport: Transport): Promise<AnyClient> {
  if (kind === "1.x") {
    const client = new OldClient(INFO);
    await client.connect(transport as never);
    return wrap(client as never);
  }
  const mode = kind === "2.x, older revision" ? "legacy" : "auto";
  const client = new Client(INFO, { versionNegotiation: { mode }, capabilities: { elicitation: {} } });
  await client.connect(transport);
  return wrap(client);
}

function wrap(client: Client): AnyClient {
  return {
    call: async (name, args = {}, options = {}) =>
      (await (client.callTool as (...all: unknown[]) => Promise<unknown>)(
        { name, arguments: args },
        ...(client instanceof Client ? [options] : [undefined, options]),
      )) as ToolResult,
    raw: (method, params) =>
      (client as unknown as Record<string, (given?: unknown) => Promise<unknown>>)[method]?.(params) ??
      Promise.reject(new Error(`the client has no method ${method}`)),
    onElicit: (answer) => client.setRequestHandler("elicitation/create", answer as never),
    tools: async () => (await client.listTools()).tools,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A client of `POST /mcp`, without a port. */
export function overHttp(kind: ClientKind, { server }: TestServer, key: string): Promise<AnyClient> {
  const fetch = async (input: URL | string, init?: RequestInit) => server.app.request(String(input), init);
  const options = { fetch, requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const url = new URL("http://localhost:4100/mcp");
  const transport =
    kind === "1.x" ? new OldHttp(url, options) : new StreamableHTTPClientTransport(url, options);
  return connected(kind, transport as Transport);
}
