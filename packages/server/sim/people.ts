/** People who must agree: they vote late, change their mind, withdraw, are suspended, leave and come back. */

import { CHAT } from "./chat-app.ts";
import { accountOf } from "./chats.ts";
import { ADMIN, AGENT, type Reply, type Simulation, VOTERS } from "./simulation.ts";
import type { Deed } from "./workload.ts";

const TEAM = "team:board";
/** How often a lost call is repeated. A server that never does what it is asked must not keep the simulation waiting. */
const TRIES_MAX = 1_000;
/** The admin votes too, and is never away: somebody has to bring the others back. */
const EVERYBODY: Readonly<Record<string, string>> = { ...VOTERS, root: ADMIN };

/** Keys of agents that root owns, by simulation. */
const buyers = new WeakMap<Simulation, string>();

/** Until the server has them all: a fault may lose any of these calls. */
export async function addVoters(sim: Simulation): Promise<void> {
  for (const id of Object.keys(VOTERS)) await until(sim, "POST", "/v1/people", { id, name: id });
  for (const id of Object.keys(VOTERS))
    await until(sim, "POST", `/v1/people/${id}/accounts`, { platform: CHAT, user_id: accountOf(id) });
  await until(sim, "POST", "/v1/people", { id: "root", name: "root", role: "admin" });
  await until(sim, "POST", "/v1/teams", { id: "board", members: Object.keys(EVERYBODY) });
  const made = await until(sim, "POST", "/v1/keys", { name: "buyer", role: "agent" });
  buyers.set(sim, made.body.secret);
}

async function until(sim: Simulation, method: string, path: string, body: object): Promise<Reply> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (!sim.isUp) await sim.boot();
    const reply = await sim.call(method, path, ADMIN, body);
    // 409: it was written, and the reply was lost.
    if (reply !== null && (reply.status < 300 || reply.status === 409)) return reply;
  }
  throw new Error(`${method} ${path} did not work in ${TRIES_MAX} tries`);
}

/** Whatever is asked follows from the number, because the same key must ask the same thing. */
const RULES = [
  { approve: [{ need: 2, from: [TEAM] }], reject: 2 },
  {
    approve: [
      { need: 1, from: ["person:vera", "person:vito"] },
      { need: 1, from: [TEAM] },
    ],
    order: "listed",
  },
  { approve: [{ need: 2, from: [TEAM] }], exclude: ["owner"], reject: 2 },
  {
    approve: [
      { need: 1, from: ["person:vic"] },
      { need: 2, from: [TEAM] },
    ],
    reject: 2,
  },
] as const;

export const placeRuled: Deed = async (sim) => {
  const number = sim.random.int(0, 60);
  const key = `vote:${number}`;
  const decision = RULES[number % RULES.length] as (typeof RULES)[number];
  const timeout = number % 3 === 0 ? { timeout: "10m", on_timeout: "reject" } : {};
  const asker = "exclude" in decision ? (buyers.get(sim) ?? AGENT) : AGENT;
  const body = { key, type: "approval", prompt: `Agree on ${key}?`, decision, ...timeout };
  const reply = await sim.call("POST", "/v1/holds", asker, body);
  if (reply === null || reply.status > 201) return;
  const { id, outcome } = reply.body;
  if (!sim.ledger.placed.has(key)) sim.ledger.placed.set(key, { key, id, callback: false });
  sim.ledger.sawOutcome(id, outcome);
};

function someRuled(sim: Simulation): string | undefined {
  const ruled = [...sim.ledger.placed.values()].filter(({ key }) => key.startsWith("vote:"));
  return ruled.length === 0 ? undefined : sim.random.pick(ruled).id;
}

export const vote: Deed = async (sim) => {
  const id = someRuled(sim);
  if (id === undefined) return;
  const secrets = Object.values(EVERYBODY).filter(() => sim.random.chance(0.6));
  const action = sim.random.pick(["approve", "approve", "reject"]);
  const data = sim.random.chance(0.2) ? { edited_args: { n: sim.random.int(0, 2) } } : {};
  const body = action === "approve" ? { action, data } : { action };
  const replies = await Promise.all(
    secrets.map((secret) => sim.call("POST", `/v1/holds/${id}/answer`, secret, body)),
  );
  for (const reply of replies) sim.ledger.sawOutcome(id, reply?.body?.outcome);
};

export const withdraw: Deed = async (sim) => {
  const id = someRuled(sim);
  const secret = sim.random.pick(Object.values(VOTERS));
  if (id !== undefined) await sim.call("DELETE", `/v1/holds/${id}/vote`, secret);
};

/** Suspends somebody or lets them back, or sends them away with a delegate. */
export const comeAndGo: Deed = async (sim) => {
  const names = Object.keys(VOTERS);
  const id = sim.random.pick(names);
  const delegate = names[(names.indexOf(id) + 1) % names.length];
  const away = { from: "2000-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z", delegate };
  const body = sim.random.pick([
    { status: "suspended" },
    { status: "active" },
    { out_of_office: away },
    { out_of_office: null },
  ]);
  await sim.call("PATCH", `/v1/people/${id}`, ADMIN, body);
};

/** Everybody is back, and agrees on what is still open. */
export async function agree(sim: Simulation, holdId: string): Promise<void> {
  for (const id of Object.keys(VOTERS))
    await sim.call("PATCH", `/v1/people/${id}`, ADMIN, { status: "active", out_of_office: null });
  for (const secret of Object.values(EVERYBODY)) {
    const reply = await sim.call("POST", `/v1/holds/${holdId}/answer`, secret, { action: "approve" });
    sim.ledger.sawOutcome(holdId, reply?.body?.outcome);
  }
}
