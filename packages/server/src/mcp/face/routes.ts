/** Hands one HTTP request to the SDK, which makes a server for it and so keeps agents apart. */

import { fail } from "../../faces/http/failure.ts";
import type { Handlers } from "../../faces/http/mount.ts";
import { mayPlace, type Principal } from "../../kernel/principal.ts";
import type { McpAgent } from "../server.ts";
import type { mcpOperations } from "./operations.ts";

export interface McpDeps {
  client(workspace: string, principal: Principal): McpAgent["client"];
  onFault(error: unknown): void;
}

export const mcpRoutes = {
  async mcp({ workspace, by, body, path, header, gone }, { client, onFault }) {
    if (!mayPlace(by))
      throw fail("not_allowed", `a key with the role ${by.role} may not ask people; use an agent or app key`);
    const agent: McpAgent = { client: client(workspace, by), me: async () => by.name, onFault };
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
