/**
 * An agent before the rules: it checks a call, waits for a person, claims what was approved, runs it and reports. It dies in between, and
 * starts again from the check.
 */

import { ADMIN, AGENT, OPERATOR, type Reply, type Simulation } from "./simulation.ts";
import type { Deed } from "./workload.ts";

export interface Run {
  readonly holdId: string;
  readonly tool: string;
  readonly args: object;
}

const RULES = {
  rules: [
    { tools: ["pay"], verdict: "ask", grantable: true },
    { tools: ["read"], verdict: "allow" },
  ],
  default: "deny",
} as const;

export const publishRules: Deed = async (sim) => {
  await sim.call("PUT", "/v1/rules", ADMIN, sim.random.chance(0.8) ? RULES : { ...RULES, default: "ask" });
};

interface Call {
  readonly tool: string;
  readonly args: object;
  readonly key: string;
}

/** Whatever is called follows from the number, so that an agent that starts again makes the same call. */
function someCall(sim: Simulation): Call {
  const job = sim.random.int(0, 30);
  const tool = job % 10 === 9 ? "wipe" : job % 10 === 8 ? "read" : "pay";
  return { tool, args: { amount: job % 4 }, key: `call:${job}` };
}

/** One life of the agent: G14 says what nobody allowed does not run, G10 that it runs once. */
export const performCall: Deed = async (sim) => {
  const call = someCall(sim);
  const reply = await sim.call("POST", "/v1/checks", AGENT, call);
  if (reply?.status !== 200) return;
  const { hold, verdict, rule } = reply.body;
  // Before rules are published every call is asked about; a rule that allows names itself.
  const isRuled = call.tool === "read" && rule !== null;
  if (verdict === "allow" && hold?.status !== "decided" && !isRuled)
    sim.ledger.surprises.push(`${call.tool} was allowed, and no rule, grant or person allowed it (G14)`);
  if (verdict === "allow" && hold !== undefined) await claimAndRun(sim, call, hold);
  else if (hold?.status === "open" && sim.random.chance(0.6)) await decide(sim, hold.id);
};

async function decide(sim: Simulation, id: string): Promise<void> {
  const uses = sim.random.int(1, 3);
  const body = sim.random.chance(0.3)
    ? { action: "approve", grant: { for: "10m", uses } }
    : { action: sim.random.pick(["approve", "approve", "reject"]) };
  const reply = await sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, body);
  sim.ledger.sawOutcome(id, reply?.body?.outcome);
}

async function claimAndRun(
  sim: Simulation,
  { tool, args }: Call,
  hold: { readonly id: string; readonly digest: string },
): Promise<void> {
  const { random, ledger } = sim;
  const { id: holdId, digest } = hold;
  // A name of its own for each life of the agent: it repeats a claim only as long as it knows that it did not run yet.
  const headers = { "idempotency-key": `life-${random.int(1e8, 1e9)}` };
  const claim = () => sim.call("POST", `/v1/holds/${holdId}/claim`, AGENT, { digest, lease: "30s" }, headers);
  let claimed = await claim();
  for (let tries = 0; tries < 3 && isLost(claimed); tries += 1) claimed = await claim();
  if (claimed?.status !== 201) return;
  ledger.runs.push({ holdId, tool, args });
  // The agent dies after it ran: nobody reports, and its next life must not run it again.
  if (random.chance(0.3)) return;
  const done = () =>
    sim.call("POST", `/v1/holds/${holdId}/claim/${claimed.body.id}/done`, AGENT, { ok: random.chance(0.8) });
  let reported = await done();
  for (let tries = 0; tries < 3 && isLost(reported); tries += 1) reported = await done();
}

function isLost(reply: Reply | null): boolean {
  return reply === null || reply.status >= 500;
}
