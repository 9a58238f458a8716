/** The one address of the MCP server. */

import { defineOperation, type OperationSet } from "@holdpoint/protocol";
import * as z from "zod";
import { codeOf, ErrorOut, mcpErrors } from "./errors.ts";

const Open = z.record(z.string(), z.unknown());
const MessageIn = z
  .strictObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).exactOptional(),
    method: z.string().min(1).exactOptional(),
    params: Open.exactOptional(),
    result: Open.exactOptional(),
    error: Open.exactOptional(),
  })
  .describe("One JSON-RPC message.")
  .meta({ examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }] });

/** Where an MCP client reads which issuer's tokens are accepted (RFC 9728). */
export const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

const MetadataOut = z.strictObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

export const mcpOperations = {
  mcpResource: defineOperation({
    id: "mcpResource",
    method: "GET",
    path: METADATA_PATH,
    tag: "MCP",
    security: "none",
    summary: "Which issuer's access tokens are accepted at /mcp (RFC 9728)",
    description: "Only where `mcp.oauth` is configured.",
    replies: { 200: MetadataOut },
    errors: ["not_found"],
  }),
  mcp: defineOperation({
    id: "mcp",
    method: "POST",
    path: "/mcp",
    tag: "MCP",
    security: "key",
    summary: "Holdpoint as an MCP server (streamable HTTP)",
    description:
      "JSON-RPC of the Model Context Protocol, revision 2026-07-28 and the older ones. Tools: ask_human, get_answer, cancel_question, list_my_questions, permission_prompt. The key's agent sees its own questions only. Where `mcp.oauth` is configured, access tokens of that issuer are accepted like keys.",
    body: MessageIn,
    replies: { 200: z.string(), 202: null },
    media: "text/event-stream",
    errors: [
      "unauthenticated",
      "agent_mismatch",
      "not_allowed",
      "invalid_json",
      "invalid_body",
      "unknown_member",
      "too_large",
      "too_deep",
      "unsupported_media_type",
    ],
  }),
};

export const MCP_SET: OperationSet = {
  name: "mcp",
  title: "MCP",
  operations: Object.values(mcpOperations),
  components: { McpMessageIn: MessageIn, McpErrorOut: ErrorOut, McpResourceOut: MetadataOut },
  errors: {
    table: mcpErrors,
    body: ErrorOut,
    media: "application/json",
    always: ["rate_limited", "internal", "unavailable"],
    codeOf,
  },
};
