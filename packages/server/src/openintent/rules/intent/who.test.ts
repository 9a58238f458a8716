import { expect, test } from "vitest";
import { intentBody } from "../../../testing/intent-samples.ts";
import type { AclEntry } from "./intent.ts";
import { may } from "./who.ts";

test("G13: lists of an intent are read once, however many subscribers are asked about at however many events", () => {
  let reads = 0;
  const counted = <Item extends object>(item: Item, name: string, value: string): Item =>
    Object.defineProperty(item, name, {
      enumerable: true,
      get() {
        reads += 1;
        return value;
      },
    });
  const numbers = Array.from({ length: 500 }, (_, at) => at);
  const entries = numbers.map((at) => {
    const entry = { id: `e${at}`, principalType: "agent", permission: "read", grantedBy: "x", grantedAt: 0 };
    return counted(entry, "principalId", `agent-${at}`) as typeof entry & AclEntry;
  });
  const agents: string[] = [];
  const workers: Record<string, string> = {};
  for (const at of numbers) {
    counted(agents, `${at}`, `worker-${at}`);
    counted(workers, `t${at}`, `worker-${at}`);
  }
  const intent = intentBody({ access: "owner", acl: { policy: "closed", entries }, agents, workers });
  for (let event = 0; event < 100; event += 1) {
    const after = { ...intent, logged: event };
    expect(may(after, { role: "agent", name: "stranger" }, "read", 0)).toBe(false);
    expect(may(after, { role: "agent", name: "agent-7" }, "read", 0)).toBe(true);
    expect(may(after, { role: "agent", name: "worker-7" }, "write", 0)).toBe(true);
  }
  expect(reads).toBeLessThan(5 * 500);
});
