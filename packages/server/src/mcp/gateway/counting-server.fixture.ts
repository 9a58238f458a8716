/** An MCP server with tools that count their calls. */

import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** `hang` never returns; `pay` has an output schema. */
export function countingServer(ran: unknown[], more?: (server: McpServer) => void): McpServer {
  const server = new McpServer({ name: "bank", version: "1.0.0" });
  const amount = z.object({ amount: z.number() });
  server.registerTool("wire", { inputSchema: amount, annotations: { readOnlyHint: true } }, (args) => {
    ran.push(args);
    return { content: [{ type: "text", text: `sent ${args.amount}` }] };
  });
  const outputSchema = z.object({ paid: z.number() });
  server.registerTool("pay", { inputSchema: amount, outputSchema }, (args) => {
    ran.push(args);
    return { content: [{ type: "text", text: "paid" }], structuredContent: { paid: args.amount } };
  });
  server.registerTool("hang", { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    ran.push("hang");
    mcpReq.signal.addEventListener("abort", () => ran.push("cancelled"));
    return new Promise(() => undefined);
  });
  server.registerTool("count", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2 },
      });
    return { content: [{ type: "text", text: "counted" }] };
  });
  server.registerPrompt("greet", { description: "Says hello" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
  }));
  server.registerResource("note", "note://one", { title: "A note" }, (uri) => ({
    contents: [{ uri: uri.href, text: "remember" }],
  }));
  more?.(server);
  return server;
}
