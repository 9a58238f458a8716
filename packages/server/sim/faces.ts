/** What comes in through the other faces: OpenIntent intents, AG-UI runs, what people say about a hold. */

import { sseParser } from "@holdpoint/protocol/http";
import { AGENT, APP, OPERATOR, type Reply, type Simulation } from "./simulation.ts";
import type { Deed } from "./workload.ts";

/** An intent is suspended and answered; the answer arrives in its state. */
export const suspendIntent: Deed = async (sim) => {
  const made = await sim.call("POST", "/api/v1/intents", AGENT, { title: "Refund", status: "active" });
  const id: unknown = made?.body?.id;
  if (made?.status !== 200 || typeof id !== "string") return;
  const record = { id: "s1", question: "Go?", response_type: "confirm" };
  const suspended = await sim.call("POST", `/api/v1/intents/${id}/suspend`, AGENT, record);
  if (suspended?.status !== 200 || sim.random.chance(0.3)) return;
  const self = await respond(sim, id, AGENT, "yes");
  if (self?.status === 200) sim.ledger.surprises.push("an agent answered its own suspension (G7)");
  const answers = await Promise.all(["yes", "no"].map((value) => respond(sim, id, OPERATOR, value)));
  if (answers.filter((reply) => reply?.status === 200).length > 1)
    sim.ledger.contradictions.push(`suspension of ${id} was answered twice`);
};

function respond(sim: Simulation, id: string, key: string, value: string) {
  return sim.call("POST", `/api/v1/intents/${id}/suspend/respond`, key, { suspension_id: "s1", value });
}

/** A run of the demo agent is interrupted, and its caller tries to resume it from two browsers at once. */
export const runDemo: Deed = async (sim) => {
  const threadId = `thread:${sim.random.int(1, 1e9)}`;
  const messages = [{ id: "m1", role: "user", content: "approval" }];
  const first = await demo(sim, { threadId, runId: "r0", messages });
  const interruptId: unknown = first?.outcome?.interrupts?.[0]?.id;
  if (typeof interruptId !== "string" || sim.random.chance(0.3)) return;
  const resume = [{ interruptId, status: "resolved", payload: { approved: true } }];
  const ends = await Promise.all(["r1", "r2"].map((runId) => demo(sim, { threadId, runId, resume })));
  if (ends.some((end) => end?.result?.transfer === "executed"))
    sim.ledger.surprises.push("an agent approved its own transfer through AG-UI (G7)");
};

/** The last event of a run. */
async function demo(sim: Simulation, run: object) {
  const input = { tools: [], context: [], state: {}, forwardedProps: {}, messages: [], ...run };
  return lastEvent(await sim.call("POST", "/agui/demo", AGENT, input));
}

function lastEvent(reply: Reply | null) {
  const [last] = sseParser()
    .push(String(reply?.body ?? ""))
    .slice(-1);
  return last === undefined ? undefined : JSON.parse(last.data);
}

/** A run stops at its question; people answer it now, later or never, and the proxy resumes the agent by itself. */
export const runProxied: Deed = async (sim) => {
  const threadId = `proxied:${sim.random.int(1, 1e9)}`;
  const input = {
    threadId,
    runId: "r1",
    messages: [],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  const reply = await sim.call("POST", "/agui/proxy/payer", APP, input);
  const id: unknown = lastEvent(reply)?.outcome?.interrupts?.[0]?.id;
  if (typeof id !== "string") return;
  sim.ledger.placed.set(threadId, { key: threadId, id, callback: false });
  sim.proxied.holds.set(threadId, id);
  if (sim.random.chance(0.4)) return;
  const body = { action: sim.random.pick(["approve", "reject"]) };
  const answered = await sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, body);
  sim.ledger.sawOutcome(id, answered?.body?.outcome);
};

/** People talk about a hold, take it and give it more time. None of that decides it (G6): whoever did it gave no answer. */
export const commentAndExtend: Deed = async (sim) => {
  const placed = [...sim.ledger.placed.values()];
  if (placed.length === 0) return;
  const { id } = sim.random.pick(placed);
  const deeds: readonly (readonly [string, object])[] = [
    ["comments", { text: `Is ${id} urgent?` }],
    ["assign", { to: "vera" }],
    ["snooze", { until: "10m" }],
  ];
  const [path, body] = sim.random.pick(deeds);
  await sim.call("POST", `/v1/holds/${id}/${path}`, OPERATOR, body);
};
