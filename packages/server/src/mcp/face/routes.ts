/** Hands one HTTP request to the SDK, which makes a server for it and so keeps agents apart. */

import { fail } from "../../faces/http/failure.ts";
import type { Handlers } from "../../faces/http/mount.ts";
import type { AccessTokens } from "../../identity/access-tokens.ts";
import { mayPlace, type Principal } from "../../kernel/principal.ts";
import type { States } from "../request-states.ts";
import type { McpAgent } from "../server.ts";
import type { mcpOperations } from "./operations.ts";

export interface McpDeps {
  client(workspace: string, principal: Principal): McpAgent["client"];
  onFault(error: unknown): void;
  readonly publicUrl: string;
  readonly states: States;
  /** Absent: only keys are accepted. */
  readonly tokens?: AccessTokens;
}

export const mcpRoutes = {
  mcpResource(_call, { tokens }) {
    if (tokens === undefined)
      throw fail("not_found", "this server accepts keys only; no issuer is configured");
    const { audience, config } = tokens;
    const body = {
      ...{ resource: audience, authorization_servers: [config.issuer], scopes_supported: [config.scope] },
      ...{ bearer_methods_supported: ["header"], resource_name: "Holdpoint" },
    };
    // Clients that run in a browser read it from other origins.
    return { status: 200, body, headers: { "access-control-allow-origin": "*" } };
  },

  async mcp({ workspace, by, body, path, header, gone }, { client, onFault, states, publicUrl }) {
    if (!mayPlace(by))
      throw fail("not_allowed", `a key with the role ${by.role} may not ask people; use an agent or app key`);
    const pageOf = (id: string) => `${publicUrl}/console/holds/${id}`;
    const elicitation = { states, pageOf, owner: JSON.stringify([workspace, by.id]) };
    const agent: McpAgent = { client: client(workspace, by), me: async () => by.name, onFault, elicitation };
    // Loaded with the first request: the SDK takes longer to load than the rest of the server.
    const { createMcpHandler } = await import("@modelcontextprotocol/server");
    const { holdpointMcpServer } = await import("../server.ts");
    const handler = createMcpHandler(() => holdpointMcpServer(agent));
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      headers: Object.entries(PASSED_ON).flatMap(([name, byDefault]) => {
        const value = header(name) ?? byDefault;
        return value === undefined ? [] : [[name, value] as [string, string]];
      }),
      body: "{}",
      signal: gone(),
    });
    return handler.fetch(request, { parsedBody: body });
  },
} satisfies Handlers<typeof mcpOperations, McpDeps>;

/** Headers that the SDK reads, with what counts when they are absent. */
const PASSED_ON = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "mcp-protocol-version": undefined,
  "mcp-method": undefined,
  "mcp-name": undefined,
};
