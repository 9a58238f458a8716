import type { Claim, ClaimClient, Hold } from "@holdpoint/protocol/client";
import { expect, it, vi } from "vitest";
import { type CurrentRun, inRun } from "./current.ts";
import { runGuarded } from "./guard.ts";

const hold = { id: "hold_1", digest: "d", type: "approval", status: "decided" } as Hold;
const deaf: ClaimClient = {
  get: async () => hold,
  claim: async () => ({ id: "claim_1", holdId: "hold_1", state: "claimed" }) as Claim,
  finishClaim: () => Promise.reject(new Error("the line is dead")),
};

it("O2 the console is told when a guarded tool ran and the server cannot be told so", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const args = { cents: 80 };
  const call = { id: "c1", tool: "pay", args };
  const decision = {
    kind: "run",
    tool: "pay",
    proposed: args,
    args,
    isEdited: false,
    holdId: "hold_1",
  } as const;
  const run = { key: "r1", client: deaf, decisions: new Map([["c1", decision]]) };
  const result = await inRun(run, () => runGuarded(call, () => "paid"));
  expect(result).toEqual({ kind: "ran", result: "paid" });
  expect(warned.mock.calls.flat().join()).toMatch(/hold_1 ran, but its report is outstanding/);
  warned.mockRestore();
});

it("G14 an approval with changes that nobody can apply refuses the call, and leaves the run going", async () => {
  const by = { kind: "key", id: "key_1" } as const;
  const outcome = {
    ...{ kind: "decided", action: "approve", data: { edits: { cents: 5 } } },
    ...{ by, door: "rest", at: new Date(0).toISOString() },
  } as const;
  const client = { ...deaf, get: async () => ({ ...hold, outcome }) as Hold };
  const args = { cents: 80 };
  const decision = {
    kind: "run",
    tool: "pay",
    proposed: args,
    args,
    isEdited: false,
    holdId: "hold_1",
  } as const;
  const run: CurrentRun = { key: "r1", client, decisions: new Map([["c1", decision]]) };
  const result = await inRun(run, () => runGuarded({ id: "c1", tool: "pay", args }, () => "paid"));
  expect(result.kind).toBe("refused");
  expect(run.halted).toBeUndefined();
});
