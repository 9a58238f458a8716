/** A client for every route that Holdpoint serves of OpenIntent. */

import { sseParser } from "@holdpoint/protocol/http";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { errorFor, isUnsupportedError, NotFoundError, UnsupportedError } from "./errors.ts";
import { type OpenIntentOptions, Transport } from "./transport.ts";
import type {
  Intent,
  IntentEvent,
  IntentStatus,
  Lease,
  LogCheckpoint,
  MerkleProof,
  Patch,
  Respond,
  RespondReply,
  ServerConfig,
  StreamFrame,
  Suspension,
} from "./types.ts";

export interface NewIntent {
  readonly title: string;
  readonly description?: string;
  readonly constraints?: JsonObject;
  readonly state?: JsonObject;
  readonly status?: IntentStatus;
  readonly parent_intent_id?: string;
  readonly depends_on?: readonly string[];
}

/**
 * @example
 * ```ts
 * import { OpenIntentClient } from "@holdpoint/openintent";
 *
 * const client = new OpenIntentClient({ url: "http://localhost:4100", apiKey: "…", agentId: "refunder" });
 * const intent = await client.createIntent({ title: "Refund order 1042" });
 * ```
 */
export class OpenIntentClient {
  readonly transport: Transport;
  readonly agentId: string;

  constructor(options: OpenIntentOptions) {
    this.transport = new Transport(options);
    this.agentId = options.agentId;
  }

  createIntent(intent: NewIntent): Promise<Intent> {
    return this.transport.call("POST", "/intents", { body: { created_by: this.agentId, ...intent } });
  }

  getIntent(id: string, signal?: AbortSignal): Promise<Intent> {
    return this.transport.call("GET", intentPath(id), { signal });
  }

  async listIntents(
    query: { status?: IntentStatus; limit?: number; offset?: number } = {},
  ): Promise<readonly Intent[]> {
    const { intents } = await this.transport.call<{ intents: readonly Intent[] }>("GET", "/intents", {
      query,
    });
    return intents;
  }

  patchState(id: string, version: number, patches: readonly Patch[]): Promise<Intent> {
    return this.transport.call("POST", `${intentPath(id)}/state`, { ifMatch: version, body: { patches } });
  }

  setStatus(id: string, version: number, status: IntentStatus, reason?: string): Promise<Intent> {
    const body = { status, ...(reason === undefined ? {} : { reason }) };
    return this.transport.call("POST", `${intentPath(id)}/status`, { ifMatch: version, body });
  }

  logEvent(id: string, eventType: string, payload: JsonObject = {}): Promise<IntentEvent> {
    const body = { event_type: eventType, actor: this.agentId, payload };
    return this.transport.call("POST", `${intentPath(id)}/events`, { body });
  }

  async events(
    id: string,
    query: {
      limit?: number;
      offset?: number;
      event_type?: string;
      since?: string;
      order?: "asc";
      after_sequence?: number;
    } = {},
  ): Promise<readonly IntentEvent[]> {
    const found = await this.transport.call<readonly IntentEvent[] | { events: readonly IntentEvent[] }>(
      "GET",
      `${intentPath(id)}/events`,
      { query },
    );
    return "events" in found ? found.events : found;
  }

  verifyEvents(id: string): Promise<JsonObject> {
    return this.transport.call("GET", `${intentPath(id)}/events/verify`);
  }

  acquireLease(id: string, scope: string, durationSeconds = 300): Promise<Lease> {
    const body = { scope, duration_seconds: durationSeconds };
    return this.transport.call("POST", `${intentPath(id)}/leases`, { body });
  }

  renewLease(id: string, leaseId: string, durationSeconds = 300): Promise<Lease> {
    const body = { duration_seconds: durationSeconds };
    return this.transport.call("PATCH", `${intentPath(id)}/leases/${encodeURIComponent(leaseId)}`, { body });
  }

  async releaseLease(id: string, leaseId: string): Promise<void> {
    await this.transport.call("DELETE", `${intentPath(id)}/leases/${encodeURIComponent(leaseId)}`);
  }

  async leases(id: string): Promise<readonly Lease[]> {
    return (await this.transport.call<{ leases: readonly Lease[] }>("GET", `${intentPath(id)}/leases`))
      .leases;
  }

  /** Suspends in one atomic call; status, record and event are one commit. */
  async suspend(id: string, record: Omit<Suspension, "response" | "resolution">): Promise<Intent> {
    try {
      return await this.transport.call("POST", `${intentPath(id)}/suspend`, {
        body: record,
        repeatable: true,
      });
    } catch (error) {
      throw await this.#unsupported(error, id);
    }
  }

  async respond(id: string, response: Respond): Promise<RespondReply> {
    try {
      return await this.transport.call("POST", `${intentPath(id)}/suspend/respond`, { body: response });
    } catch (error) {
      throw await this.#unsupported(error, id);
    }
  }

  /** Withdraws the question; nobody decided. */
  cancelSuspension(id: string, suspensionId: string, reason?: string): Promise<Intent> {
    const body = { suspension_id: suspensionId, ...(reason === undefined ? {} : { reason }) };
    return this.transport.call("POST", `${intentPath(id)}/suspend/cancel`, { body });
  }

  /** A 404 may mean that the intent or the route is unknown. An older server knows the intent and not the route. */
  async #unsupported(error: unknown, id: string): Promise<unknown> {
    if (isUnsupportedError(error) || !(error instanceof NotFoundError)) return error;
    const known = await this.getIntent(id).then(
      () => true,
      () => false,
    );
    return known
      ? new UnsupportedError("this server does not support suspensions", error.statusCode, error.body)
      : error;
  }

  subscribe(subscription: {
    intent_id?: string;
    subscriber_id?: string;
    event_types?: readonly string[];
    webhook_url: string;
    expires_at?: string;
  }): Promise<JsonObject> {
    return this.transport.call("POST", "/subscriptions", {
      body: { subscriber_id: this.agentId, ...subscription },
    });
  }

  async subscriptions(intentId?: string): Promise<readonly JsonObject[]> {
    const found = await this.transport.call<readonly JsonObject[] | { subscriptions: readonly JsonObject[] }>(
      "GET",
      "/subscriptions",
      { query: { intent_id: intentId } },
    );
    return "subscriptions" in found ? found.subscriptions : found;
  }

  async unsubscribe(subscriptionId: string): Promise<void> {
    await this.transport.call("DELETE", `/subscriptions/${encodeURIComponent(subscriptionId)}`);
  }

  acl(id: string): Promise<JsonObject> {
    return this.transport.call("GET", `${intentPath(id)}/acl`);
  }

  setAcl(
    id: string,
    acl: { default_policy: "open" | "closed"; entries: readonly JsonObject[] },
  ): Promise<JsonObject> {
    return this.transport.call("PUT", `${intentPath(id)}/acl`, { body: acl });
  }

  grantAccess(
    id: string,
    entry: { principal_id: string; principal_type?: string; permission: "read" | "write" | "admin" },
  ) {
    return this.transport.call<JsonObject>("POST", `${intentPath(id)}/acl/entries`, {
      body: { principal_type: "agent", ...entry },
    });
  }

  async revokeAccess(id: string, entryId: string): Promise<void> {
    await this.transport.call("DELETE", `${intentPath(id)}/acl/entries/${encodeURIComponent(entryId)}`);
  }

  setRetryPolicy(id: string, policy: JsonObject): Promise<JsonObject> {
    return this.transport.call("PUT", `${intentPath(id)}/retry-policy`, { body: policy });
  }

  /** `null` when the intent has none. */
  async retryPolicy(id: string): Promise<JsonObject | null> {
    try {
      return await this.transport.call<JsonObject>("GET", `${intentPath(id)}/retry-policy`);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  recordFailure(id: string, failure: JsonObject): Promise<JsonObject> {
    return this.transport.call("POST", `${intentPath(id)}/failures`, { body: failure });
  }

  async failures(id: string): Promise<readonly JsonObject[]> {
    const found = await this.transport.call<readonly JsonObject[] | { failures: readonly JsonObject[] }>(
      "GET",
      `${intentPath(id)}/failures`,
    );
    return "failures" in found ? found.failures : found;
  }

  recordDecision(
    id: string,
    decision: { decision_type: string; outcome: Json; reasoning: string },
  ): Promise<JsonObject> {
    return this.transport.call("POST", `${intentPath(id)}/decisions`, { body: decision });
  }

  async decisions(id: string): Promise<readonly JsonObject[]> {
    return (
      await this.transport.call<{ decisions: readonly JsonObject[] }>("GET", `${intentPath(id)}/decisions`)
    ).decisions;
  }

  makeCheckpoint(intentId: string): Promise<LogCheckpoint> {
    return this.transport.call("POST", "/admin/checkpoints", {
      body: { intent_id: intentId, scope: "intent" },
    });
  }

  checkpoints(intentId?: string): Promise<readonly LogCheckpoint[]> {
    return this.transport.call("GET", "/checkpoints", { query: { intent_id: intentId } });
  }

  merkleProof(checkpointId: string, eventId: string): Promise<MerkleProof> {
    return this.transport.call(
      "GET",
      `/checkpoints/${encodeURIComponent(checkpointId)}/proof/${encodeURIComponent(eventId)}`,
    );
  }

  verifyConsistency(from: string, to: string): Promise<JsonObject> {
    return this.transport.call("GET", "/verify/consistency", {
      query: { from_checkpoint: from, to_checkpoint: to },
    });
  }

  /** `undefined` on a server that has none. */
  async serverConfig(): Promise<ServerConfig | undefined> {
    try {
      return await this.transport.call<ServerConfig>("GET", "/server/config");
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** The intent's events as they happen. One connection; reconnecting is the caller's business. */
  async *stream(
    id: string,
    options: { after?: string; signal?: AbortSignal; onOpen?: () => void } = {},
  ): AsyncGenerator<StreamFrame> {
    const { after, signal, onOpen } = options;
    const reply = await this.transport.fetch(`${intentPath(id)}/subscribe`, {
      headers: {
        ...this.transport.headers(),
        accept: "text/event-stream",
        ...(after === undefined ? {} : { "last-event-id": after }),
      },
      ...(signal === undefined ? {} : { signal }),
    });
    if (!reply.ok || reply.body === null) throw errorFor(reply.status, {});
    onOpen?.();
    const parser = sseParser();
    for await (const text of reply.body.pipeThrough(
      new TextDecoderStream() as never,
    ) as AsyncIterable<string>) {
      for (const frame of parser.push(text))
        yield { event: frame.event, id: frame.id, data: JSON.parse(frame.data) };
    }
  }
}

function intentPath(id: string): string {
  return `/intents/${encodeURIComponent(id)}`;
}
