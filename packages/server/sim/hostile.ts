/** Requests that must be refused whole (G11), and a wait on one server for an answer that comes in on another (G8). */

import { setTimeout as later, setImmediate as nextTurn } from "node:timers/promises";
import { AGENT, OPERATOR, type Reply } from "./simulation.ts";
import type { Deed } from "./workload.ts";

/** Every key in them begins so: nothing with such a key may ever be stored. */
export const BAD = "bad:";
const good = (key: string) => ({ key, type: "approval", prompt: "Really?" });

/** Each has something good and something bad in it. */
const WRONG: readonly ((key: string) => readonly [string, object])[] = [
  (key) => ["/v1/holds", { ...good(key), colour: "red" }],
  (key) => ["/v1/holds", { ...good(key), timeout: "soon" }],
  (key) => ["/v1/groups", { holds: [good(key), { key: `${key}:2`, type: "approval" }] }],
  (key) => ["/v1/groups", { holds: [good(key), { ...good(`${key}:2`), prompt: 5 }] }],
];

export const askWrongly: Deed = async (sim) => {
  const [path, body] = sim.random.pick(WRONG)(`${BAD}${sim.random.int(1, 1e6)}`);
  const reply = await sim.call("POST", path, AGENT, body);
  if (reply !== null && reply.status < 400) sim.ledger.refusable.push(`${path} took ${JSON.stringify(body)}`);
};

const TURNS_MAX = 200;
/** A notice of a real database comes over a connection, so it takes time that no clock of ours drives. */
const NOTICE_MS_MAX = 5_000;

/** The wait ends by itself where nothing fails; it reads only, so it changes nothing where something does. */
export const waitElsewhere: Deed = async (sim) => {
  const { random, clock, ledger } = sim;
  const key = `wait:${random.int(0, 1e6)}`;
  const placed = await sim.call("POST", "/v1/holds", AGENT, good(key));
  if (placed === null || placed.status > 201) return;
  const { id } = placed.body;
  ledger.placed.set(key, { key, id, callback: false });
  let told: Reply | null | undefined;
  const crashes = sim.crashes;
  void sim.call("GET", `/v1/holds/${id}?wait=20`, AGENT).then((reply) => {
    told = reply;
  });
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  const answered = await sim.call("POST", `/v1/holds/${id}/answer`, OPERATOR, { action: "approve" });
  ledger.sawOutcome(id, answered?.body?.outcome);
  for (let turns = 0; turns < TURNS_MAX && told === undefined; turns += 1) await nextTurn();
  for (let ms = 0; !sim.isInMemory && ms < NOTICE_MS_MAX && told === undefined; ms += 1) await later(1);
  if (answered?.status !== 200) return clock.advance(20_000);
  if (told === undefined && sim.isCalm && crashes === sim.crashes && !sim.isCut)
    ledger.unheard.push(`a wait for ${id} did not hear that it was answered`);
  if (told === undefined) await clock.advance(20_000);
  ledger.sawOutcome(id, told?.body?.outcome);
};
