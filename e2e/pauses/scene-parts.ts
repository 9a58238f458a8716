/** What scenes are made of. */

import { expect } from "vitest";
import type { Measured, MeasuringServer, Sent } from "./paused-server.ts";

export type Measure = (what: string, sent: Sent) => Promise<Measured>;
export type Scene = (server: MeasuringServer, measure: Measure, isQuick: boolean) => Promise<void>;

export const times = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

export const wide = (count: number) => Object.fromEntries(times(count, (at) => [`k${at}`, 0]));

/** With the key of a developer, who may do everything. */
export const call = ({ keys }: MeasuringServer, method: string, path: string, body?: unknown): Sent => ({
  method,
  path,
  headers: { authorization: `Bearer ${keys.dev}`, "content-type": "application/json" },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

/** A hold, and the address of its review page. */
export async function placed(server: MeasuringServer, measure: Measure, what: string, ask: object) {
  const { keys } = server;
  const headers = { authorization: `Bearer ${keys.agent}`, "content-type": "application/json" };
  const body = JSON.stringify({ type: "approval", prompt: "Go?", ...ask });
  const { status, text } = await measure(`placing ${what}`, {
    method: "POST",
    path: "/v1/holds",
    headers,
    body,
  });
  expect({ what, status, text: status === 201 ? "" : text.slice(0, 300) }).toEqual({
    what,
    status: 201,
    text: "",
  });
  const { id, review_url } = JSON.parse(text) as { id: string; review_url: string };
  const { pathname, search } = new URL(review_url);
  return { id, pathname, search };
}
