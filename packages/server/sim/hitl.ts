/** HITL cases: an agent opens them and polls; people answer on the page, by the link or in a message, several of them at once. */

import { AGENT, OPERATOR, type Reply, type Simulation } from "./simulation.ts";
import type { Deed } from "./workload.ts";

export interface Case {
  readonly id: string;
  readonly caseId: string;
  readonly token: string;
  readonly submitToken: string;
}

const TIMEOUTS = [{}, {}, { timeout: "30s" }, { timeout: "2h" }] as const;

export const openCase: Deed = async (sim) => {
  const body = {
    ...{ type: "approval", prompt: `Publish ${sim.random.int(1, 1e6)}?`, inline: true },
    ...sim.random.pick(TIMEOUTS),
  };
  const reply = await sim.call("POST", "/hitl/v1/cases", AGENT, body);
  if (reply?.status !== 202) return;
  const { case_id: caseId, review_url: url, submit_token: submitToken } = reply.body.hitl;
  const token = new URL(url).searchParams.get("token") ?? "";
  const id = `hold_${String(caseId).slice("review_".length)}`;
  sim.ledger.placed.set(`case:${id}`, { key: `case:${id}`, id, callback: false });
  sim.ledger.secrets.add(token).add(submitToken);
  sim.ledger.cases.push({ id, caseId, token, submitToken });
};

const INLINE = {
  submitted_via: "telegram_inline_button",
  submitted_by: { platform: "telegram", platform_user_id: "4711", display_name: "Ada" },
} as const;

type Door = (sim: Simulation, at: Case, action: string) => Promise<Reply | null>;

const DOORS: readonly Door[] = [
  (sim, { caseId, token }, action) =>
    sim.call("POST", `/reviews/${caseId}/respond?token=${token}`, null, { action }),
  (sim, { caseId, submitToken }, action) =>
    sim.call("POST", `/reviews/${caseId}/respond`, submitToken, { action, ...INLINE }),
  (sim, { caseId, token }, action) =>
    sim.call("POST", `/review/${caseId}/answer?token=${token}`, null, `_action=${action}`),
  (sim, { id }, action) => sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, { action }),
];

/** The case is looked at and answered through one to three doors at once; one of them wins (G1). */
export const answerCase: Deed = async (sim) => {
  const { random, ledger } = sim;
  if (ledger.cases.length === 0) return;
  const at = random.chance(0.6) ? (ledger.cases.at(-1) as Case) : random.pick(ledger.cases);
  await sim.call("GET", `/review/${at.caseId}?token=${at.token}`, null);
  const doors = Array.from({ length: random.int(1, 3) }, () => random.pick(DOORS));
  const replies = await Promise.all(doors.map((door) => door(sim, at, random.pick(["approve", "reject"]))));
  // The page shows who was first instead of an error.
  const won = replies.filter((reply, n) => doors[n] !== DOORS[2] && reply?.status === 200);
  if (won.length > 1) ledger.contradictions.push(`${at.id} was answered twice`);
  if (random.chance(0.5)) await poll(sim, at);
};

export const pollCase: Deed = async (sim) => {
  if (sim.ledger.cases.length > 0) await poll(sim, sim.random.pick(sim.ledger.cases));
};

async function poll(sim: Simulation, { id, caseId }: Case): Promise<void> {
  const path = `/reviews/${caseId}/status`;
  const reply = await sim.call("GET", path, AGENT);
  if (reply?.status === 200) sim.ledger.sawCase(id, reply.body);
  else if (reply !== null && reply.status >= 400 && reply.status < 500 && reply.status !== 429)
    sim.ledger.surprises.push(`${path}: ${reply.status}, although the case was opened`);
}
