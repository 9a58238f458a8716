/** One agent that the operator configured as a proxy. */

import type { AgUiEvent } from "@holdpoint/protocol/agui";
import type { Rung } from "@holdpoint/protocol/client";

export interface ProxySettings {
  readonly ask: AskUpstream;
  /** Answers are released as soon as they are complete, whether or not a client is connected. */
  readonly autoResume: boolean;
  /** The agent may get the same resume twice; it then does the work only once. */
  readonly idempotent: boolean;
  readonly ladder: readonly Rung[];
  /** `agent`: the client is given a review link with each interrupt. */
  readonly links: "agent" | "server";
  /** Also sends interrupts as `CUSTOM on_interrupt` events, for clients older than AG-UI's interrupts. */
  readonly legacyEvents?: boolean;
}

/** Runs the agent once. The implementation knows its address and its credentials; the face does not. */
export type AskUpstream = (run: {
  readonly body: unknown;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  onEvent(event: AgUiEvent): Promise<void>;
}) => Promise<Upstreamed>;

export type Upstreamed =
  /** The agent sent RUN_FINISHED or RUN_ERROR. */
  | { readonly kind: "ended"; readonly event: AgUiEvent }
  /** The agent certainly did not accept the request. */
  | { readonly kind: "refused"; readonly error: string }
  /** The agent may have accepted the request. */
  | { readonly kind: "broken"; readonly error: string };
