/**
 * Callbacks: the service tells an agent with an address of its own that a case has ended. The signature is checked on the
 * bytes as they came; the callback then only wakes the waiting agent, and the poll address says what was decided.
 */

import {
  CALLBACK_EVENTS,
  CALLBACK_SIGNATURE_HEADER,
  type CallbackEventName,
} from "@holdpoint/protocol/hitl/words";
import { readBody } from "@holdpoint/protocol/http";
import { isObject } from "@holdpoint/protocol/rules";

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;
const BODY_BYTES_MAX = 1_048_576;

/**
 * Whether the signature belongs to exactly these bytes. The comparison is the platform's own, which takes the same time
 * wherever the first difference is.
 */
export async function verifyCallback(
  body: Uint8Array<ArrayBuffer>,
  signature: string | null,
  secret: string,
): Promise<boolean> {
  const hex = SIGNATURE.exec(signature ?? "")?.[1];
  if (hex === undefined || secret === "") return false;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [
    "verify",
  ]);
  return crypto.subtle.verify("HMAC", key, bytes, body);
}

export type ReadCallback =
  | { readonly kind: "callback"; readonly event: CallbackEventName; readonly caseId: string }
  | { readonly kind: "refused"; readonly status: 400 | 401 | 413; readonly message: string };

/** Reads one callback and checks its signature. */
export async function readCallback(request: Request, secret: string): Promise<ReadCallback> {
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (bytes === "too_large") return { kind: "refused", status: 413, message: "The body is too large." };
  if (!(await verifyCallback(bytes, request.headers.get(CALLBACK_SIGNATURE_HEADER), secret)))
    return { kind: "refused", status: 401, message: "The signature does not belong to this body." };
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { kind: "refused", status: 400, message: "The body is no JSON." };
  }
  const event = isObject(body) ? CALLBACK_EVENTS.find((name) => name === body["event"]) : undefined;
  const caseId = isObject(body) ? body["case_id"] : undefined;
  if (event === undefined || typeof caseId !== "string")
    return { kind: "refused", status: 400, message: "The body names no ending of a case." };
  return { kind: "callback", event, caseId };
}

export interface CallbackInbox {
  /** The handler of the address given as `hitl_callback_url`. */
  handle(request: Request): Promise<Response>;
  /** Calls back when an ending of the case is told. Gives the way to stop listening. */
  subscribe(caseId: string, wake: () => void): () => void;
}

/** Receives signed callbacks of services at an address of the agent, and wakes the agent that waits for that case. */
export function callbackInbox(options: { readonly secret: string }): CallbackInbox {
  const wakers = new Map<string, Set<() => void>>();
  return {
    async handle(request) {
      if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
      const read = await readCallback(request, options.secret);
      if (read.kind === "refused") return Response.json({ message: read.message }, { status: read.status });
      for (const wake of wakers.get(read.caseId) ?? []) wake();
      return Response.json({ received: true });
    },
    subscribe(caseId, wake) {
      const own = wakers.get(caseId) ?? new Set();
      wakers.set(caseId, own.add(wake));
      return () => {
        own.delete(wake);
        if (own.size === 0 && wakers.get(caseId) === own) wakers.delete(caseId);
      };
    },
  };
}
