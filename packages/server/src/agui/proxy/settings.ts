/** One agent that the operator put behind this server. */

import type { AgUiEvent } from "@holdpoint/protocol/agui";
import type { Rung } from "@holdpoint/protocol/client";

export interface ProxySettings {
  readonly ask: AskUpstream;
  /** Answers are released as soon as they are complete, whether or not a client is connected. */
  readonly autoResume: boolean;
  /** The agent takes the same resume twice without doing anything twice. */
  readonly idempotent: boolean;
  readonly ladder: readonly Rung[];
  /** `agent`: the client is given a review link with each interrupt. */
  readonly links: "agent" | "server";
  /** Interrupts are told as `CUSTOM on_interrupt` too, for clients from before AG-UI had them. */
  readonly legacyEvents?: boolean;
}

/** One run of the agent. Where it is, and what it wants to see first, is not a face's to know. */
export type AskUpstream = (run: {
  readonly body: unknown;
  /** Given up when it aborts. */
  readonly signal: AbortSignal;
  onEvent(event: AgUiEvent): Promise<void>;
}) => Promise<Upstreamed>;

export type Upstreamed =
  /** RUN_FINISHED or RUN_ERROR came. */
  | { readonly kind: "ended"; readonly event: AgUiEvent }
  /** It surely did not take the request. */
  | { readonly kind: "refused"; readonly error: string }
  /** It may have taken it. */
  | { readonly kind: "broken"; readonly error: string };
