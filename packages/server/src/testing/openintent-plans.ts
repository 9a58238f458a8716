/** Tasks and plans for tests, as a client of OpenIntent makes them. */

import type { OpenIntentServer, Wire } from "./openintent.ts";
import type { TestReply } from "./test-server.ts";

function must({ status, body }: TestReply): void {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

export async function task(oi: OpenIntentServer, intentId: string, body: object = {}): Promise<Wire> {
  const made = await oi.call("POST", "tasks", { body: { intent_id: intentId, name: "fetch", ...body } });
  must(made);
  return made.body;
}

export async function taskNow(oi: OpenIntentServer, id: string): Promise<Wire> {
  return (await oi.call("GET", `tasks/${id}`)).body;
}

export async function patchTask(oi: OpenIntentServer, id: string, body: object) {
  return oi.call("PATCH", `tasks/${id}`, { ifMatch: (await taskNow(oi, id)).version, body });
}

/** A task that somebody works on. */
export async function running(oi: OpenIntentServer, intentId: string, body: object = {}): Promise<Wire> {
  const { id } = await task(oi, intentId, body);
  const reply = await patchTask(oi, id, { status: "running" });
  must(reply);
  return reply.body;
}

export function act(oi: OpenIntentServer, id: string, action: string, body: object = {}) {
  return oi.call("POST", `tasks/${id}/${action}`, { body });
}

export async function planned(oi: OpenIntentServer, intentId: string, body: object = {}): Promise<Wire> {
  const made = await oi.call("POST", "plans", { body: { intent_id: intentId, ...body } });
  must(made);
  return made.body;
}

export async function begun(oi: OpenIntentServer, intentId: string, body: object = {}): Promise<Wire> {
  const { id } = await planned(oi, intentId, body);
  return (await oi.call("POST", `plans/${id}/activate`, { body: {} })).body;
}

export async function told(oi: OpenIntentServer, id: string, prefix: string): Promise<readonly string[]> {
  return (await oi.events(id)).map(({ event_type }) => event_type).filter((type) => type.startsWith(prefix));
}
