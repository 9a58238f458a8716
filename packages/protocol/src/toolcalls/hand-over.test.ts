import { expect, it, vi } from "vitest";
import type { Claim, ClaimClient, Hold } from "../client/index.ts";
import { handOver } from "./hand-over.ts";

const hold = { id: "hold_1", digest: "d", type: "approval", status: "decided" } as Hold;
const deaf: ClaimClient = {
  get: async () => hold,
  claim: async () => ({ id: "claim_1", holdId: "hold_1", state: "claimed" }) as Claim,
  finishClaim: () => Promise.reject(new Error("the line is dead")),
};

it("O2 the console is told when a call was handed over and the server cannot be told so", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const ruling = { kind: "run", args: {}, isEdited: false, hold } as const;
  expect(await handOver(deaf, { edited: () => null }, ruling, "claude")).toBeNull();
  expect(warned.mock.calls.flat().join()).toMatch(/hold_1 ran, but its report is outstanding/);
  warned.mockRestore();
});
