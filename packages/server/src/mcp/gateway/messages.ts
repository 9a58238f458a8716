/** JSON-RPC messages as the gateway passes them on: it reads little of them and changes nothing else. */

import type {
  CallToolResult,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
} from "@modelcontextprotocol/client";

export type Message = JSONRPCMessage;
export type Request = JSONRPCRequest;
export type Notification = JSONRPCNotification;
export type Response = JSONRPCResultResponse | JSONRPCErrorResponse;
export type Id = Request["id"];
export type Open = Readonly<Record<string, unknown>>;
export type { CallToolResult };

export function isRequest(message: Message): message is Request {
  return "method" in message && "id" in message;
}

export function isNotification(message: Message): message is Notification {
  return "method" in message && !("id" in message);
}

/** In the newest revision every request names it. */
export function isModern({ params }: Request): boolean {
  return params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
}

/** JSON-RPC's code for errors that a server defines. */
const GATEWAY_ERROR = -32_000;

export function errorReply(id: Id, message: string): Response {
  return { jsonrpc: "2.0", id, error: { code: GATEWAY_ERROR, message } };
}

/** The newest revision wants every result to say that it is complete. */
export function resultReply(id: Id, result: Open, request: Request): Response {
  const whole = isModern(request) ? { resultType: "complete", ...result } : result;
  return { jsonrpc: "2.0", id, result: whole as JSONRPCResultResponse["result"] };
}

/** A result of the gateway itself, not of the tool. */
export function said(words: string, isError: boolean): CallToolResult {
  return { content: [{ type: "text", text: words }], ...(isError ? { isError } : {}) };
}
