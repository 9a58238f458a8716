/** `holdpoint mcp-gateway`: an MCP server in front of another one, that lets tool calls pass by the rules. */

import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { Gateway } from "../mcp/gateway/gateway.ts";
import { LineTransport } from "../mcp/gateway/line-transport.ts";
import { monotonicClock } from "../system/clock.ts";
import { readLocalRules } from "../toolcalls/local-rules.ts";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { connectionOf } from "./client.ts";
import { CliError, type Command, type Io } from "./io.ts";
import { connectorOf } from "./mcp-upstreams.ts";

const USAGE =
  'mcp-gateway [--rules FILE] [--name NAME] [--when-unreachable deny|local] [--lease 5m] (--config FILE | --url URL [--header "Name: value"]… | -- command…)';

const OPTIONS = {
  rules: { type: "string" },
  name: { type: "string" },
  "when-unreachable": { type: "string" },
  lease: { type: "string" },
  config: { type: "string" },
  url: { type: "string" },
  header: { type: "string", multiple: true },
} as const;

export const mcpGateway: Command = {
  usage: "mcp-gateway -- <command>",
  summary: "Put the rules in front of any MCP server: tool calls run only when they, or a person, allow it",
  async run(args, io) {
    const at = args.indexOf("--");
    const [own, command] = at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
    const { values } = readArgs(own, OPTIONS, USAGE);
    const whenUnreachable = values["when-unreachable"] ?? "deny";
    if (whenUnreachable !== "deny" && whenUnreachable !== "local")
      throw new CliError(`--when-unreachable must be deny or local\nusage: holdpoint ${USAGE}`);
    if (whenUnreachable === "local" && values.rules === undefined)
      throw new CliError("--when-unreachable local needs --rules: without a file nothing is allowed locally");
    const { config, url, header: headers = [] } = values;
    const connect = connectorOf({ command, url, headers, config }, io);
    const { name, lease } = values;
    const clientSide = new LineTransport({ input: process.stdin, output: process.stdout, keepsText: false });
    // Calls that were allowed in the last moments are recorded before the program ends.
    process.once("SIGTERM", () => void clientSide.close());
    await new Gateway({
      connect,
      clientSide,
      client: gateClientOf(io),
      clock: monotonicClock,
      session: randomUUID(),
      whenUnreachable,
      onTrouble: ({ message }) => io.err(`holdpoint mcp-gateway: ${clean(message)}\n`),
      ...(values.rules === undefined ? {} : { localRules: readLocalRules(resolve(io.folder, values.rules)) }),
      ...(name === undefined ? {} : { name }),
      ...(lease === undefined ? {} : { lease }),
    }).run();
    process.stdin.destroy();
    return 0;
  },
};

/** A client of the gateway gives up after a minute, so the gateway gives up on the server before. */
function gateClientOf(io: Io) {
  const { url, key: apiKey } = connectionOf(io);
  return httpHoldClient({ url, apiKey, retry: { attemptsMax: 3, capMs: 1_000 }, replyTimeoutMs: 10_000 });
}
