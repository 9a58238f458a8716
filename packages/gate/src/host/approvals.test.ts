import { createDesk } from "./approvals.fixture.ts";
import { approvalsSuite } from "./approvals.suite.ts";

approvalsSuite("in memory", async () => {
  const { approvals, approve, settle, revoke, lose, release } = createDesk();
  return {
    approvals,
    approve: async (key, editedArguments) =>
      approve(key, {
        at: "2026-11-15T10:00:00Z",
        ...(editedArguments === undefined ? {} : { editedArguments }),
      }),
    reject: async (key) => settle(key, "rejected"),
    revoke: async (key) => revoke(key, "2026-11-15T10:00:00Z"),
    lose: async (key) => lose(key),
    release: async (key) => release(key),
  };
});
