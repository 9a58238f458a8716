/** One of several servers dies and stays dead for a while: the others end what it left, send its messages and listen for its bot. */

import { LOOK_MS } from "./backing.ts";
import { AGENT, type Simulation } from "./simulation.ts";
import type { Deed } from "./workload.ts";

const DEADLINE_MS = 5_000;
/** Waits and retries of the ones that live on. */
const SLACK_MS = 30_000;
/** A dead server's lease has to end, and the others try for it three times in each lease. */
const BOT_LEASES = 4 / 3;

export const takeOver: Deed = async (sim) => {
  if (sim.servers < 2) return;
  await sim.boot();
  const key = `left:${sim.random.int(1, 1e6)}`;
  const reply = await sim.call("POST", "/v1/holds", AGENT, {
    ...{ key, type: "approval", prompt: `Do ${key}?`, timeout: "5s", on_timeout: "reject" },
    callback_url: "https://agent.example/callback",
  });
  if (reply?.status !== 201) return;
  const { id } = reply.body;
  sim.ledger.placed.set(key, { key, id, callback: true });
  sim.crash();
  const crashes = sim.crashes;
  const waitsForBot = sim.random.chance(0.3);
  await sim.clock.advance(DEADLINE_MS + (waitsForBot ? BOT_LEASES * sim.chatLeaseMs : LOOK_MS) + SLACK_MS);
  // Only where nothing else went wrong is it clear what the others owe.
  if (!sim.isCalm || sim.isCut || crashes !== sim.crashes) return;
  const [hold] = await sim.stored.load([{ workspace: "default", kind: "hold", id, read: true }]);
  if (hold?.body.status === "open") sim.ledger.overdue.add(id);
  else if (!isTold(sim, id))
    sim.ledger.unsent.push(`${id}, whose server died, ended and nobody sent its callback`);
  // After the clock was set, a lease is as long as the time of the server that wrote it says.
  if (waitsForBot && !sim.hasJumped && !sim.chat.isListenedTo)
    sim.ledger.unsent.push("no server took over the bot of a dead one");
};

function isTold({ farEnd }: Simulation, id: string): boolean {
  return farEnd.received.some(({ url, body }) => url.includes("agent.example") && body.includes(id));
}
