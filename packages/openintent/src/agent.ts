/**
 * An agent that can stop for a person: decide whether to ask, ask, and go on with the answer. The wait belongs to the server; a
 * process that dies and comes back re-attaches to the suspension that is already there and asks nobody twice.
 */

import { linked, pause } from "@holdpoint/protocol/http";
import { type Json, type JsonObject, sameJson } from "@holdpoint/protocol/rules";
import { type InputRequest, type NewSuspension, recordOf } from "./ask.ts";
import { atAttempt, attemptBy } from "./attempts.ts";
import { OpenIntentClient } from "./client.ts";
import { type EngagementDecision, engagementFor, type SignalsGiven } from "./engagement.ts";
import { InputCancelledError, InputTimeoutError } from "./errors.ts";
import { type Hooks, hooksOf, runHook } from "./hooks.ts";
import type { OpenIntentOptions } from "./transport.ts";
import type { HumanRetryPolicy, InputResponse, Intent, Suspension } from "./types.ts";

export interface AgentOptions extends OpenIntentOptions {
  readonly hooks?: Hooks;
  /** For every question that does not say otherwise. */
  readonly defaultHumanRetryPolicy?: HumanRetryPolicy | null;
  /** How often to look while no stream is there to listen to. */
  readonly pollMs?: number;
  /** Something an author should know, such as a continue policy without a value to go on with. */
  readonly onWarning?: (message: string) => void;
}

const POLL_MS = 2_000;

/**
 * @example
 * ```ts
 * import { OpenIntentAgent } from "@holdpoint/openintent";
 *
 * const agent = new OpenIntentAgent({ url: "http://localhost:4100", apiKey: "…", agentId: "refunder" });
 * const intent = await agent.client.createIntent({ title: "Refund order 1042", status: "active" });
 * const answer = await agent.requestInput(intent.id, {
 *   question: "Refund 80 EUR?",
 *   choices: [
 *     { value: "approve", label: "Approve" },
 *     { value: "deny", label: "Deny" },
 *   ],
 *   timeoutSeconds: 7200,
 * });
 * ```
 */
export class OpenIntentAgent {
  readonly client: OpenIntentClient;
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.client = new OpenIntentClient(options);
  }

  /** Hooks given as options, and those that the methods of a subclass were marked as. */
  #hooks(): readonly Hooks[] {
    return [...(this.#options.hooks === undefined ? [] : [this.#options.hooks]), hooksOf(this)];
  }

  /** The exact table of RFC-0025 §7.2. The decision is logged on the intent; failing to log it decides nothing. */
  async shouldRequestInput(intentId: string, given: SignalsGiven = {}): Promise<EngagementDecision> {
    const decision = engagementFor(given);
    const intent = await this.client.getIntent(intentId).catch(() => undefined);
    await this.client
      .logEvent(intentId, "engagement.decision", decision as JsonObject)
      .catch(() => undefined);
    if (intent !== undefined) await runHook(this.#hooks(), "onEngagementDecision", intent, decision);
    return decision;
  }

  /** Suspends the intent, waits for a person, and resolves to what they answered. */
  async requestInput(intentId: string, request: InputRequest): Promise<Json> {
    const id = request.suspensionId ?? crypto.randomUUID();
    const record = recordOf(id, request, this.#options.defaultHumanRetryPolicy);
    const { fallback_policy: policy, fallback_value: value } = record;
    if (policy !== "fail" && value === undefined) {
      this.#options.onWarning?.(`${policy} without a fallback value: the agent goes on with null`);
    }
    const found = await this.#attach(intentId, record, request);
    return this.#wait(intentId, found.suspension, found.intent, request.signal);
  }

  /** Goes on with whatever the intent is suspended for; `undefined` when it is not. */
  async resumeInput(intentId: string, signal?: AbortSignal): Promise<Json | undefined> {
    const intent = await this.client.getIntent(intentId, signal);
    const suspension = suspensionOf(intent);
    if (suspension === undefined || intent.status !== "suspended_awaiting_input") return undefined;
    return this.#wait(intentId, suspension, intent, signal);
  }

  /** The suspension placed now or before a crash: by its id, also when others came after it, or by being the same question. */
  async #attach(intentId: string, record: NewSuspension, { suspensionId, signal }: InputRequest) {
    const before = await this.client.getIntent(intentId, signal);
    const known =
      suspensionId === undefined ? sameOpen(before, record) : suspensionNamed(before, suspensionId);
    if (known !== undefined) return { intent: before, suspension: known };
    const intent = await this.client.suspend(intentId, record);
    const suspension = suspensionOf(intent) ?? { ...record };
    await runHook(this.#hooks(), "onInputRequested", intent, atAttempt(suspension, 1));
    return { intent, suspension };
  }

  async #wait(intentId: string, first: Suspension, firstIntent: Intent, signal?: AbortSignal): Promise<Json> {
    let intent = firstIntent;
    let suspension = first;
    // An agent that comes back to a question already knows of the earlier attempts.
    let seenAttempt = attemptBy(first, this.client.transport.runtime.now());
    const tellAttempt = async (attempt: number) => {
      if (attempt <= seenAttempt) return;
      seenAttempt = attempt;
      await runHook(this.#hooks(), "onInputRequested", intent, atAttempt(suspension, attempt));
    };
    while (suspension.resolution === undefined) {
      await this.#listen(intentId, suspension.id, signal, tellAttempt);
      intent = await this.client.getIntent(intentId, signal);
      // Another question has taken its place: this one is over, and its ending is in the history.
      suspension = suspensionNamed(intent, first.id) ?? { ...suspension, resolution: "cancelled" };
      // The event drives; should it have been missed, the schedule says the same a little later.
      if (suspension.resolution === undefined) await tellAttempt(this.#overdueAttempt(suspension));
    }
    return this.#ending(intent, suspension);
  }

  #overdueAttempt(suspension: Suspension): number {
    const { pollMs = POLL_MS } = this.#options;
    return attemptBy(suspension, this.client.transport.runtime.now() - pollMs);
  }

  /** Until something happened to this suspension, or it is time to look again. */
  async #listen(
    intentId: string,
    suspensionId: string,
    signal: AbortSignal | undefined,
    onAttempt: (attempt: number) => Promise<void>,
  ): Promise<void> {
    // Told to stop before it listens, it must not begin to.
    const stop = linked(signal);
    const { pollMs = POLL_MS } = this.#options;
    const look = pause(this.client.transport.runtime, pollMs, stop.signal).catch(() => undefined);
    let onOpen: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      onOpen = resolve;
    });
    // A stream that breaks off is not asked for again at once: a proxy that cuts it may do so every time.
    const hear = this.#hear(intentId, suspensionId, { signal: stop.signal, onOpen }, onAttempt).then(
      (isEnding) => (isEnding ? undefined : look),
      () => look,
    );
    // What ended before the stream was open is not told in it.
    const missed = opened
      .then(() => this.#isOver(intentId, suspensionId, stop.signal))
      .then((isOver) => (isOver ? undefined : hear))
      .catch(() => hear);
    try {
      await Promise.race([look, hear, missed]);
      signal?.throwIfAborted();
    } finally {
      stop.abort(undefined);
      stop.release();
    }
  }

  async #isOver(intentId: string, suspensionId: string, signal: AbortSignal): Promise<boolean> {
    const found = suspensionNamed(await this.client.getIntent(intentId, signal), suspensionId);
    return found === undefined || found.resolution !== undefined;
  }

  /** Whether something was heard that may be the ending. */
  async #hear(
    intentId: string,
    suspensionId: string,
    how: { readonly signal: AbortSignal; readonly onOpen: () => void },
    onAttempt: (attempt: number) => Promise<void>,
  ): Promise<boolean> {
    for await (const { event, data } of this.client.stream(intentId, how)) {
      if (data["suspension_id"] !== undefined && data["suspension_id"] !== suspensionId) continue;
      if (event === "intent.suspension_renotified") await onAttempt(Number(data["attempt"]));
      else if (ENDINGS.has(event)) return true;
    }
    return false;
  }

  async #ending(intent: Intent, suspension: Suspension): Promise<Json> {
    switch (suspension.resolution) {
      case "responded": {
        await runHook(this.#hooks(), "onInputReceived", intent, responseOf(suspension));
        return suspension.response ?? null;
      }
      case "expired": {
        await runHook(this.#hooks(), "onSuspensionExpired", intent, suspension);
        // A deadline of the whole portfolio overrules what this question would have fallen back to.
        if (suspension.fallback_policy === "fail" || intent.status === "abandoned") {
          throw new InputTimeoutError(
            suspension.id,
            suspension.fallback_policy,
            suspension.expiry_reason ?? "timeout",
          );
        }
        return suspension.fallback_value ?? null;
      }
      default:
        throw new InputCancelledError(suspension.id);
    }
  }
}

const ENDINGS: ReadonlySet<string> = new Set([
  "intent.resumed",
  "intent.suspension_expired",
  "STATUS_CHANGED",
  "status_changed",
]);

function suspensionOf(intent: Intent): Suspension | undefined {
  return intent.state["_suspension"] as Suspension | undefined;
}

function suspensionNamed(intent: Intent, id: string): Suspension | undefined {
  const newest = suspensionOf(intent);
  return newest?.id === id ? newest : closedOf(intent, id);
}

/** Asked without a name, a question is known by its words, and only while it is open: later it may be a new question. */
function sameOpen(intent: Intent, record: NewSuspension): Suspension | undefined {
  const open = intent.status === "suspended_awaiting_input" ? suspensionOf(intent) : undefined;
  return open !== undefined && sameJson(wordsOf(open), wordsOf(record)) ? open : undefined;
}

function wordsOf({ question, response_type, choices = [], context }: NewSuspension): JsonObject {
  return { question, response_type, choices, context } as JsonObject;
}

function closedOf(intent: Intent, id: string): Suspension | undefined {
  const history = (intent.state["_suspension_history"] ?? []) as readonly Suspension[];
  return history.find((each) => each.id === id);
}

function responseOf(suspension: Suspension): InputResponse {
  const { id, response = null, responded_by: by, responded_at: at, metadata = {}, choices = [] } = suspension;
  const choice = choices.find(({ value }) => value === response);
  return {
    suspension_id: id,
    value: response,
    ...(choice === undefined
      ? {}
      : { choice_label: choice.label, choice_description: choice.description ?? "" }),
    ...(by === undefined ? {} : { responded_by: by }),
    ...(at === undefined ? {} : { responded_at: at }),
    metadata,
  };
}
