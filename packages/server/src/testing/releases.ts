/** Answers on their way to an agent behind a proxy, for tests that need some. */

import type { Principal } from "../kernel/principal.ts";
import { SYSTEM } from "../kernel/principal.ts";
import type { TestServer } from "./test-server.ts";

const ASKER: Principal = { role: "agent", via: "key", id: "k1", name: "refunder" };

/** The release of a group of the agent's that waits for its answers. */
export async function openRelease({ server }: TestServer, groupId: string): Promise<void> {
  const about = { workspace: "default", by: ASKER, groupId } as const;
  const conversation = { proxy: "support", threadId: "t1", caller: "refunder" };
  await server.engine.run({
    kind: "open_release",
    ...about,
    ...conversation,
    ...{ autoResume: false, idempotent: false },
  });
}

/** The release of a fresh group, answered and sent, nobody knows with what success. */
export async function stuckRelease(test: TestServer): Promise<string> {
  const ask = { type: "approval", prompt: "Refund 40 EUR?" };
  const placed = await test.call("POST", "/v1/groups", { key: test.keys.agent, body: { holds: [ask] } });
  const { id: groupId, holds } = placed.body;
  await openRelease(test, groupId);
  const answer = { key: test.keys.operator, body: { action: "approve" } };
  await test.call("POST", `/v1/holds/${holds[0].id}/answer`, answer);
  const about = { workspace: "default", by: SYSTEM, groupId, fenceId: "f1" } as const;
  await test.server.engine.run({ kind: "begin_release", ...about, leaseMs: 1_000 });
  await test.server.engine.run({ kind: "finish_release", ...about, state: "unknown" });
  return groupId;
}
