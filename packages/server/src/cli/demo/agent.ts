/** What takes part in the demo: an agent that asks in its own protocol, and what it does once somebody has answered. */

import type { Hold, Holdpoint } from "@holdpoint/sdk";

export interface DemoKit {
  readonly hp: Holdpoint;
  readonly url: string;
  readonly key: string;
  /** Keeps one demo's questions apart from another's. */
  readonly run: string;
  readonly now: () => number;
}

export interface Asked {
  readonly hold: Hold;
  /** Waits for the answer and goes on with it; says what it did. */
  goOn(): Promise<string>;
}

export interface DemoAgent {
  readonly name: string;
  /** The protocol it speaks. */
  readonly speaks: string;
  ask(kit: DemoKit): Promise<Asked>;
}

/** The first open hold that fits, as soon as it is there: agents of other protocols do not name their holds. */
export async function openHold(
  { hp }: DemoKit,
  filter: { readonly intentId: string } | { readonly threadId: string },
): Promise<Hold> {
  const { holds } = await hp.list({ ...filter, status: "open" });
  const [hold] = holds;
  if (hold === undefined) throw new Error("the question did not arrive");
  return hold;
}
