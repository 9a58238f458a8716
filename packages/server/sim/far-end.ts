/** The receivers of webhooks and callbacks: they fail, lose their reply after having got the message, and remember what came. */

import type { Outgoing } from "../src/channels/outgoing.ts";
import type { Random } from "./random.ts";

export interface Received {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly at: number;
}

export class FarEnd {
  readonly received: Received[] = [];
  readonly #random: Random;
  readonly #failing: () => number;

  constructor(random: Random, failing: () => number) {
    this.#random = random;
    this.#failing = failing;
  }

  outgoing(now: () => number): Outgoing {
    return {
      checkTarget: (url) => ({ kind: "ok", url: new URL(url) }),
      post: async ({ url, headers, body }) => {
        if (this.#random.chance(this.#failing()))
          return { kind: "answered", status: 503, retryAfter: null, text: "" };
        this.received.push({ url, id: headers["webhook-id"] ?? "", body: String(body), at: now() });
        if (this.#random.chance(this.#failing())) return { kind: "failed", error: "timed_out" };
        return { kind: "answered", status: 204, retryAfter: null, text: "" };
      },
    };
  }
}
