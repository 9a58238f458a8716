/** The receivers of webhooks and callbacks: they fail, hang, lose their reply after having got the message, and remember what came. */

import type { Outgoing, Reply } from "../src/channels/outgoing.ts";
import type { Clock } from "../src/system/clock.ts";
import type { Random } from "./random.ts";

export interface Received {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly at: number;
}

const GIVEN_UP_MS = 10_000;
/** This receiver accepts every connection and never answers, until all is healed. */
export const HUNG = "https://hung.example/hook";

/** Accepts the connection and never answers, until the sender gives up. */
function hung(clock: Clock): Promise<Reply> {
  return new Promise((resolve) => {
    clock.at(clock.now() + GIVEN_UP_MS, () => resolve({ kind: "failed", error: "timed_out" }));
  });
}

export class FarEnd {
  readonly received: Received[] = [];
  readonly #random: Random;
  readonly #failing: () => number;
  readonly #isHealed: () => boolean;

  constructor(random: Random, failing: () => number, isHealed: () => boolean) {
    this.#random = random;
    this.#failing = failing;
    this.#isHealed = isHealed;
  }

  outgoing(clock: Clock): Outgoing {
    return {
      checkTarget: (url) => ({ kind: "ok", url: new URL(url) }),
      post: async ({ url, headers, body }) => {
        if (url === HUNG && !this.#isHealed()) return hung(clock);
        if (this.#random.chance(this.#failing()))
          return this.#random.chance(0.5)
            ? { kind: "answered", status: 503, retryAfter: null, text: "" }
            : hung(clock);
        this.received.push({ url, id: headers["webhook-id"] ?? "", body: String(body), at: clock.now() });
        if (this.#random.chance(this.#failing())) return { kind: "failed", error: "timed_out" };
        return { kind: "answered", status: 204, retryAfter: null, text: "" };
      },
    };
  }
}
