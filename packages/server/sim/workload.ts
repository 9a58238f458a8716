/** What agents, people and operators do, how often is drawn per seed; each deed writes down only what it was told. */

import { AGENT, OPERATOR, type Reply, type Simulation } from "./simulation.ts";

export type Deed = (sim: Simulation) => Promise<void>;

const TIMEOUTS = [undefined, "5s", "30s", "10m", "2h"] as const;

function placing(sim: Simulation) {
  const { random } = sim;
  const key = `job:${random.int(0, 400)}`;
  const sensitive = `CANARY-${random.int(1, 1e9)}`;
  const timeout = random.pick(TIMEOUTS);
  const callback = random.chance(0.4);
  return {
    key,
    callback,
    body: {
      // The same key must ask the same thing, so all of it follows from the key.
      key,
      ...(Number(key.slice(4)) % 5 === 0
        ? {
            type: "input",
            prompt: `Tell ${key}`,
            form: { fields: [{ key: "pin", label: "Pin", type: "text", required: true, sensitive: true }] },
          }
        : { type: "approval", prompt: `Do ${key}?`, context: { key } }),
      ...(timeout === undefined ? {} : { timeout, on_timeout: "reject" }),
      ...(random.chance(0.4) ? { remind_at: ["2s", "9s", "1h"] } : {}),
      ...(random.chance(0.4)
        ? {
            ladder: [
              { after: "3s", channel: "nowhere" },
              { after: "20m", channel: "nowhere", to: "lead" },
            ],
          }
        : {}),
      ...(callback ? { callback_url: "https://agent.example/callback" } : {}),
    },
    sensitive,
  };
}

export const place: Deed = async (sim) => {
  const { key, body, callback } = placing(sim);
  const reply = await sim.call("POST", "/v1/holds", AGENT, body);
  if (reply === null || reply.status > 201) return;
  const { id, review_url: url, outcome } = reply.body;
  if (!sim.ledger.placed.has(key))
    sim.ledger.placed.set(key, { key, id, callback: callback && reply.status === 201 });
  else if (sim.ledger.placed.get(key)?.id !== id) sim.ledger.contradictions.push(`${key} is two holds`);
  sim.ledger.sawOutcome(id, outcome);
  if (url !== undefined) remember(sim, id, new URL(url).searchParams.get("token") ?? "");
};

const links = new WeakMap<Simulation, Map<string, string>>();

function remember(sim: Simulation, holdId: string, token: string): void {
  const known = links.get(sim) ?? new Map<string, string>();
  known.set(holdId, token);
  links.set(sim, known);
  sim.ledger.secrets.add(token);
}

function someHold(sim: Simulation): string | undefined {
  const placed = [...sim.ledger.placed.values()];
  return placed.length === 0 ? undefined : sim.random.pick(placed).id;
}

function saw(sim: Simulation, holdId: string, reply: Reply | null): void {
  if (reply !== null && typeof reply.body === "object") sim.ledger.sawOutcome(holdId, reply.body.outcome);
}

function answerFor(sim: Simulation, holdId: string) {
  const placed = [...sim.ledger.placed.values()].find(({ id }) => id === holdId);
  if (placed !== undefined && Number(placed.key.slice(4)) % 5 === 0) {
    const pin = `CANARY-${sim.random.int(1, 1e9)}`;
    sim.ledger.sensitive.add(pin);
    return { action: "submit", data: { pin } };
  }
  return { action: sim.random.pick(["approve", "approve", "reject"]) };
}

export const answer: Deed = async (sim) => {
  const id = someHold(sim);
  if (id === undefined) return;
  const times = sim.random.chance(0.3) ? 5 : 1;
  const replies = await Promise.all(
    Array.from({ length: times }, () =>
      sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, answerFor(sim, id)),
    ),
  );
  if (replies.filter((reply) => reply?.status === 200).length > 1)
    sim.ledger.contradictions.push(`${id} was answered twice`);
  for (const reply of replies) saw(sim, id, reply);
};

export const answerByLink: Deed = async (sim) => {
  const id = someHold(sim);
  const token = id === undefined ? undefined : links.get(sim)?.get(id);
  if (id === undefined || token === undefined) return;
  const path = `/review/review_${id.slice(5)}`;
  await sim.call("GET", `${path}?token=${token}`, null);
  const { action, data } = answerFor(sim, id) as { action: string; data?: { pin: string } };
  const form = new URLSearchParams({ _action: action, ...(data ?? {}) });
  await sim.call("POST", `${path}/answer?token=${token}`, null, form.toString());
};

export const guess: Deed = async (sim) => {
  const id = someHold(sim);
  if (id === undefined) return;
  const reply = await sim.call(
    "POST",
    `/review/review_${id.slice(5)}/answer?token=${"x".repeat(43)}`,
    null,
    "_action=approve",
  );
  if (reply !== null && reply.status < 400) sim.ledger.surprises.push("a wrong token was let in");
};

/** G7, tried again and again. */
export const answerOneself: Deed = async (sim) => {
  const id = someHold(sim);
  if (id === undefined) return;
  const reply = await sim.call("POST", `/v1/holds/${id}/answer`, AGENT, { action: "approve" });
  if (reply?.status === 200) sim.ledger.surprises.push("an agent answered itself");
};

export const cancel: Deed = async (sim) => {
  const id = someHold(sim);
  if (id !== undefined)
    saw(sim, id, await sim.call("POST", `/v1/holds/${id}/cancel`, AGENT, { reason: "no longer needed" }));
};

export const look: Deed = async (sim) => {
  const id = someHold(sim);
  if (id !== undefined)
    saw(sim, id, await sim.call("GET", `/v1/holds/${id}`, sim.random.pick([AGENT, OPERATOR])));
};

export const list: Deed = async (sim) => {
  const reply = await sim.call(
    "GET",
    `/v1/holds?status=${sim.random.pick(["open", "decided", "expired"])}`,
    OPERATOR,
  );
  for (const hold of reply?.body?.holds ?? []) sim.ledger.sawOutcome(hold.id, hold.outcome);
};

/** Two hosts try to execute what was approved. */
export const claim: Deed = async (sim) => {
  const id = someHold(sim);
  const hold = id === undefined ? null : await sim.call("GET", `/v1/holds/${id}`, AGENT);
  if (hold?.status !== 200 || id === undefined) return;
  const { digest } = hold.body;
  const tries = await Promise.all(
    [1, 2].map(() => sim.call("POST", `/v1/holds/${id}/claim`, AGENT, { digest, lease: "30s" })),
  );
  const won = tries.filter((reply) => reply?.status === 201);
  const before = sim.ledger.claims.get(id) ?? 0;
  if (before + won.length > 1) sim.ledger.contradictions.push(`${id} was claimed twice`);
  sim.ledger.claims.set(id, before + won.length);
  const [first] = won;
  if (first !== undefined && first !== null && sim.random.chance(0.7)) {
    await sim.call("POST", `/v1/holds/${id}/claim/${first.body.id}/done`, AGENT, {
      ok: sim.random.chance(0.8),
    });
  }
};

export const pass: Deed = async (sim) => {
  await sim.clock.advance(sim.random.pick([10, 200, 1_500, 6_000, 40_000, 900_000]));
};

/** A server dies. The others go on without it for as long as the supervisor leaves it alone. */
export const crash: Deed = async (sim) => {
  sim.crash();
  if (sim.isUp && sim.random.chance(0.7)) return;
  // Some outages are long: deadlines and reminders pass meanwhile.
  if (sim.random.chance(0.5)) await sim.clock.advance(sim.random.pick([1_000, 30_000, 7_200_000]));
  await sim.boot();
};

export const supervise: Deed = (sim) => sim.boot();
