/**
 * A handler for the callbacks of a run's holds.
 *
 * D1  A callback is a doorbell: only which hold it is about is taken from it, after its signature was checked. How the hold ended
 *     is read from the server.
 * D2  It may come twice, late, or before the run has stopped: advancing a run again changes nothing.
 * D3  While another process moves the run on, the caller is told to come again.
 */

import { type ClientSource, holdClientOf, isRefusal } from "@holdpoint/protocol/client";
import { advanceRun, type RunOptions, type SuspendableRun } from "../workflow/workflow.ts";

export interface DoorbellOptions extends RunOptions {
  /**
   * Checks a request's signature and says which hold it is about: `(request) => readWebhook(request, { secret })` of
   * `@holdpoint/sdk/webhooks`. It throws for whatever the server did not send.
   */
  readonly read: (request: Request) => Promise<{ readonly holdId: string }>;
  /** The run with this key, as it was made when it began; null: it is none of this app's. */
  readonly run: (key: string) => Promise<SuspendableRun<unknown> | null> | SuspendableRun<unknown> | null;
  /** Told why a request was refused, or why the run could not go on. */
  readonly onError?: (error: unknown) => void;
}

export type FetchHandler = (request: Request) => Promise<Response>;

/** A handler of the kind that Next.js, Hono, Bun, Deno and Cloudflare Workers take; `toNode` makes one for Express. */
export function doorbell({ read, run, onError, ...options }: DoorbellOptions): FetchHandler {
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    try {
      const { holdId } = await read(request);
      const key = await runKeyOf(options.holdpoint, holdId);
      const found = key === undefined ? null : await run(key);
      if (found === null) return new Response(null, { status: 204 });
      const { kind } = await advanceRun(found, options);
      return kind === "busy" ? busy() : new Response(null, { status: 204 });
    } catch (error) {
      onError?.(error);
      return refusal(error);
    }
  };
}

const BUSY_SECONDS = 5;

/** The server sends the message again later. */
function busy(): Response {
  return Response.json({ error: "busy" }, { status: 503, headers: { "retry-after": String(BUSY_SECONDS) } });
}

async function runKeyOf(
  holdpoint: ClientSource<RunOptions["holdpoint"] & object>,
  holdId: string,
): Promise<string | undefined> {
  const client = holdClientOf(holdpoint) as { get(id: string): Promise<{ readonly threadId?: string }> };
  try {
    return (await client.get(holdId)).threadId;
  } catch (error) {
    // A webhook reports the holds of other agents too, which this one may not see.
    if (isRefusal(error, "not_found")) return undefined;
    throw error;
  }
}

/** What went wrong inside is not told outside. */
function refusal(error: unknown): Response {
  const { name, status, code, message } = error as Partial<Record<string, unknown>>;
  if (name !== "WebhookError" || typeof status !== "number") {
    return Response.json({ error: "internal" }, { status: 500 });
  }
  return Response.json({ error: code, message }, { status });
}
