import { expect, test } from "vitest";
import { effectivePolicy } from "./governance.ts";

test("finding 8: a policy of an earlier version with an unknown mode asks people, and one with an unknown scope binds agents", () => {
  const stored = {
    completion_mode: "manual",
    write_scope: "x",
    quorum_threshold: "y",
    allowed_agents: ["a", 3],
  };
  expect(effectivePolicy(stored)).toEqual({
    completionMode: "require_approval",
    writeScope: "assigned_only",
    quorumThreshold: 0.6,
    allowedAgents: ["a"],
    requireStatusReason: false,
  });
});
