/** Rounds of `kill -9` around a release: what a non-idempotent agent is sent, it is sent once; what is not sent is not forgotten. */

import { expect, vi } from "vitest";
import { APP_KEY, call, lastEvent, type Scene, scene } from "./scene.ts";

/** How the rounds ended, by state: where a kill falls is up to the machine. */
export async function releaseRounds(rounds: number, idempotent: boolean): Promise<Record<string, number>> {
  await using here = await scene({ idempotent });
  const ends: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    const end = await oneRound(here, round, idempotent);
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

async function oneRound(here: Scene, round: number, idempotent: boolean): Promise<string> {
  const { server } = here;
  const sentBefore = sent(here);
  const input = { threadId: `t${round}`, runId: "r1", protocolVersion: "1.0", messages: [] };
  const { outcome } = lastEvent(await call(server, APP_KEY, "/agui/proxy/payer", input));
  for (const { id } of outcome.interrupts) {
    await call(server, server.key, `/v1/holds/${id}/answer`, { action: "approve" });
  }
  // Somewhere around the release; where exactly is up to the machine, and every place must be survived.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  await server.kill();
  await server.start();
  const settled = await vi.waitFor(
    async () => {
      const { state } = await releaseOf(here, input.threadId);
      expect(idempotent ? ["released"] : ["released", "unknown"], "never forgotten").toContain(state);
      return state;
    },
    { timeout: 60_000, interval: 100 },
  );
  if (!idempotent) expect(sent(here) - sentBefore, `sent at most once (${settled})`).toBeLessThanOrEqual(1);
  if (settled === "unknown") await decided(here, input.threadId);
  else expect(sent(here) - sentBefore).toBeGreaterThanOrEqual(1);
  await vi.waitFor(
    async () => {
      const end = lastEvent(await call(server, APP_KEY, "/agui/proxy/payer/connect", input));
      expect(end, "a thread goes on").toMatchObject({ outcome: { type: "success" } });
    },
    { timeout: 60_000, interval: 100 },
  );
  return settled;
}

const sent = (here: Scene) => here.ledger().filter((line) => line === "resumed").length;

async function releaseOf({ server }: Scene, threadId: string) {
  const { releases } = JSON.parse(await call(server, server.key, "/v1/releases"));
  return releases.find((one: { thread_id: string }) => one.thread_id === threadId);
}

/** An operator looks at what the agent did, and says that it arrived. */
async function decided(here: Scene, threadId: string): Promise<void> {
  const { server } = here;
  const { id, state } = await releaseOf(here, threadId);
  if (state !== "unknown") return;
  await call(server, server.key, `/v1/releases/${id}/decide`, { decision: "mark_released" });
}
