/** Rounds of `kill -9` around a release: what a non-idempotent agent is sent, it is sent once; what is not sent is not forgotten. */

import { expect, vi } from "vitest";
import { APP_KEY, call, scene } from "./scene.ts";

export async function releaseRounds(rounds: number): Promise<void> {
  await using here = await scene("auto_resume: true");
  const { server } = here;
  for (let round = 0; round < rounds; round += 1) {
    const before = here.ledger().filter((line) => line === "resumed").length;
    const input = { threadId: `t${round}`, runId: "r1", protocolVersion: "1.0", messages: [] };
    const sse = await call(server, APP_KEY, "/agui/proxy/payer", input);
    const end = JSON.parse(sse.trim().split("\n\n").at(-1)?.slice("data: ".length) ?? "null");
    for (const { id } of end.outcome.interrupts) {
      await call(server, server.key, `/v1/holds/${id}/answer`, { action: "approve" });
    }
    // Somewhere around the release; where exactly is up to the machine, and every place must be survived.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    await server.kill();
    await server.start();
    const settled = await vi.waitFor(
      async () => {
        const { releases } = JSON.parse(await call(server, server.key, "/v1/releases"));
        const mine = releases.find((one: { thread_id: string }) => one.thread_id === `t${round}`);
        expect(["released", "unknown"], "a release is never forgotten").toContain(mine.state);
        return mine.state as string;
      },
      { timeout: 30_000, interval: 100 },
    );
    const sent = here.ledger().filter((line) => line === "resumed").length - before;
    expect(sent, `sent at most once (${settled})`).toBeLessThanOrEqual(1);
    if (settled === "released") expect(sent).toBe(1);
  }
}
