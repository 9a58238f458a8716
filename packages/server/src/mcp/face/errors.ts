/** Failures before a message reaches the MCP server, as JSON-RPC errors. */

import { ERROR_CODES, isCode } from "@holdpoint/protocol";
import * as z from "zod";
import type { HttpFailure } from "../../faces/http/failure.ts";
import { type HttpReply, transportHeaders } from "../../faces/http/respond.ts";

export const ErrorOut = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.null(), z.string(), z.number()]),
  error: z.strictObject({
    code: z.int(),
    message: z.string(),
    data: z.looseObject({ code: z.string().exactOptional() }).exactOptional(),
  }),
});

/** MCP replies 400 to every message that is malformed. */
const MALFORMED: ReadonlySet<string> = new Set(["invalid_body", "unknown_member", "too_deep"]);

export const mcpErrors = Object.fromEntries(
  Object.entries(ERROR_CODES).map(([code, entry]) => [
    code,
    { ...entry, status: MALFORMED.has(code) ? 400 : entry.status },
  ]),
);

/** The SDK refuses messages in JSON-RPC's own codes. */
export function codeOf({ error }: Readonly<Record<string, unknown>>): string {
  return (error as z.infer<typeof ErrorOut>["error"] | undefined)?.data?.code ?? "invalid_body";
}

/** JSON-RPC's code for errors that a server defines. */
const SERVER_ERROR = -32_000;

export function mcpDialect({ failure, transport }: HttpFailure): HttpReply {
  const code = isCode(failure.code) ? failure.code : "internal";
  const message = failure.message === "" ? ERROR_CODES[code].title : failure.message;
  return {
    status: mcpErrors[code]?.status ?? 500,
    body: { jsonrpc: "2.0", id: null, error: { code: SERVER_ERROR, message, data: { code } } },
    headers: transportHeaders(transport, code === "unauthenticated"),
  };
}
