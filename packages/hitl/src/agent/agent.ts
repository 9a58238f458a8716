/**
 * The whole of it: call a service, and if it answers that a person must decide, bring the review to them and wait. Nothing
 * in here answers for anybody; taps come in through `submitInline`, with a person's name on them.
 */

import type { Problem } from "@holdpoint/protocol/rules";
import { type ChainOutcome, followChain, type Revise } from "./chain.ts";
import type { Deliver } from "./deliver.ts";
import { detectReview, type Review } from "./review.ts";
import { type WaitOptions, waitForDecision } from "./wait.ts";

export interface HitlAgentOptions extends Omit<WaitOptions, "signal" | "onReminder"> {
  readonly deliver: Deliver;
  readonly roundsMax?: number;
  /** Remembers what people have cancelled. A `Set` forgets with the process; bring your own to remember longer. */
  readonly cancelled?: ActionMemory;
}

export interface ActionMemory {
  has(action: string): boolean | Promise<boolean>;
  add(action: string): unknown;
}

export interface CallOptions {
  /**
   * Names what the request would do, such as `send:batch-42`. A confirmation is asked once: after a person has said cancel,
   * the same thing is not put before them again.
   */
  readonly action?: string;
  /** Opens the next round when changes are requested. */
  readonly revise?: Revise;
  readonly signal?: AbortSignal;
  /** Told of each review before it is delivered: the place to store it, so that `resume` can pick it up. */
  readonly onReview?: (review: Review) => void | Promise<void>;
}

export type Called =
  /** No person was needed. */
  | { readonly kind: "response"; readonly response: Response }
  | ChainOutcome
  /** A person was asked for in a way that cannot be acted on. Do not go on as if the answer were yes. */
  | { readonly kind: "invalid"; readonly problems: readonly Problem[]; readonly response: Response }
  /** A person has cancelled this very thing before; the service was not even called. */
  | { readonly kind: "cancelled_before"; readonly action: string };

export interface HitlAgent {
  call(request: () => Promise<Response>, options?: CallOptions): Promise<Called>;
  /** Goes on waiting for a review that was stored, after a crash or in another process. Nothing is delivered again. */
  resume(review: Review, options?: CallOptions): Promise<ChainOutcome>;
}

function saidCancel(outcome: ChainOutcome): boolean {
  const last = outcome.rounds.at(-1);
  return (
    last?.review.type === "confirmation" &&
    last.decision.kind === "completed" &&
    last.decision.action === "cancel"
  );
}

/** An agent that meets HITL services: it calls them, delivers reviews to its user, waits and continues. */
export function hitlAgent(options: HitlAgentOptions): HitlAgent {
  const { deliver, roundsMax, cancelled = new Set<string>(), ...waiting } = options;

  async function follow(first: Review, call: CallOptions, delivered: boolean): Promise<ChainOutcome> {
    const { action, revise, signal } = call;
    let known = delivered;
    const outcome = await followChain(first, {
      ...(revise === undefined ? {} : { revise }),
      ...(roundsMax === undefined ? {} : { roundsMax }),
      wait: async (review) => {
        if (!known) {
          await call.onReview?.(review);
          await deliver(review, "first");
        }
        known = false;
        return waitForDecision(review, {
          ...waiting,
          ...(signal === undefined ? {} : { signal }),
          onReminder: () => deliver(review, "reminder"),
        });
      },
    });
    if (action !== undefined && saidCancel(outcome)) await cancelled.add(action);
    return outcome;
  }

  return {
    async call(request, call = {}) {
      if (call.action !== undefined && (await cancelled.has(call.action)))
        return { kind: "cancelled_before", action: call.action };
      const response = await request();
      const detected = await detectReview(response);
      if (detected.kind === "none") return { kind: "response", response };
      if (detected.kind === "invalid") return { kind: "invalid", problems: detected.problems, response };
      return follow(detected.review, call, false);
    },
    resume: (review, call = {}) => follow(review, call, true),
  };
}
