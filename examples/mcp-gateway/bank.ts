/** An MCP server that moves money. It knows nothing of Holdpoint. */

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bank", version: "1.0.0" });
  const inputSchema = z.object({ to: z.string(), amount: z.number() });
  server.registerTool("transfer", { description: "Transfer money", inputSchema }, ({ to, amount }) => ({
    content: [{ type: "text", text: `transferred ${amount} EUR to ${to}` }],
  }));
  return server;
});
