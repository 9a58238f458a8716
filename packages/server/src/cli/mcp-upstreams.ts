/** The MCP servers that a gateway stands before, as its command line or a file names them. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import * as z from "zod";
import { childTransport } from "../mcp/gateway/child-transport.ts";
import { MergedTransport } from "../mcp/gateway/merged-transport.ts";
import { monotonicClock } from "../system/clock.ts";
import { CliError, type Io } from "./io.ts";

export interface Upstreams {
  readonly command: readonly string[];
  readonly url?: string | undefined;
  readonly headers: readonly string[];
  readonly config?: string | undefined;
}

/** Makes a connection; called again after it was lost. */
export function connectorOf({ command, url, headers, config }: Upstreams, io: Io): () => Transport {
  const named = [command.length > 0, url !== undefined, config !== undefined].filter(Boolean).length;
  if (named !== 1) throw new CliError("name the MCP servers by a command after --, by --url or by --config");
  if (config !== undefined) return merged(config, io);
  if (url !== undefined) return overHttp({ url, headers: Object.fromEntries(headers.map(headerOf)) });
  const [program = "", ...args] = command;
  return asChild({ command: program, args }, io);
}

const Name = z.string().regex(/^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/, "must be letters, digits, - and single _");
const Texts = z.record(z.string(), z.string());
const ServerItem = z.union([
  z.object({ command: z.string(), args: z.array(z.string()).default([]), env: Texts.default({}) }),
  z.object({ url: z.url(), headers: Texts.default({}) }),
]);
const ConfigFile = z.object({ mcpServers: z.record(Name, ServerItem) });

/** The same file that MCP clients have: `{ "mcpServers": { name: { command, args, env } | { url, headers } } }`. */
function merged(file: string, io: Io): () => Transport {
  const path = resolve(io.folder, file);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (fault) {
    throw new CliError(`cannot read ${path}: ${(fault as Error).message}`);
  }
  const read = ConfigFile.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new CliError(`${path}: /${issue?.path.join("/")}: ${issue?.message}`);
  }
  const connectors = Object.entries(read.data.mcpServers).map(
    ([name, server]) => [name, "url" in server ? overHttp(server) : asChild(server, io)] as const,
  );
  if (connectors.length === 0) throw new CliError(`${path} names no MCP server`);
  return () => new MergedTransport(connectors.map(([name, connect]) => ({ name, value: connect() })));
}

interface HttpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function overHttp({ url, headers }: HttpServer): () => Transport {
  return () => new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The server behind the gateway must not act as the agent that it serves. */
const SECRET = "HOLDPOINT_API_KEY";

function asChild({ command, args, env = {} }: Program, io: Io): () => Transport {
  const inherited = Object.entries(io.env).filter(([name]) => name !== SECRET);
  const all = { ...Object.fromEntries(inherited), ...env } as Record<string, string>;
  return () => childTransport({ command, args, env: all, clock: monotonicClock });
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(":");
  if (at < 1) throw new CliError('--header must be "Name: value"');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
