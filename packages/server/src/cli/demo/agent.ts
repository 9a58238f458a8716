/** One participant of the demo: an agent that asks in its own protocol and continues once somebody has answered. */

import type { Hold, HoldClient, ThreadClient } from "@holdpoint/protocol/client";

export interface DemoKit {
  readonly hp: HoldClient & ThreadClient;
  readonly url: string;
  readonly key: string;
  /** Separates the holds of this demo run from those of another. */
  readonly run: string;
  readonly now: () => number;
}

export interface Asked {
  readonly hold: Hold;
  /** Waits for the answer, continues with it, and returns what it did. */
  goOn(): Promise<string>;
}

export interface DemoAgent {
  readonly name: string;
  /** The protocol it speaks. */
  readonly speaks: string;
  ask(kit: DemoKit): Promise<Asked>;
}

/**
 * The hold that matches the filter, the open one if there are several: somebody may have answered it already. Agents of
 * other protocols do not return the id of their hold.
 */
export async function placedHold(
  { hp }: DemoKit,
  filter: { readonly intentId: string } | { readonly threadId: string },
): Promise<Hold> {
  const { holds } = await hp.list(filter);
  const hold = holds.find(({ status }) => status === "open") ?? holds[0];
  if (hold === undefined) throw new Error("the demo agent placed no hold");
  return hold;
}

export interface WireCall {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** One call of another protocol than the native API, with the demo's key. */
export async function callAs<Reply>(
  { key }: DemoKit,
  method: string,
  address: string,
  { headers = {}, body }: WireCall = {},
): Promise<Reply> {
  const reply = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${address} replied ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Reply;
}
