import type { ClaimClient } from "@holdpoint/protocol/client";
import { describe, expect, it } from "vitest";
import { clientOf, kit } from "../testing/agui-kit.ts";
import { executeOnce } from "./index.ts";

async function approved() {
  const here = await kit(async function* () {});
  const app = clientOf(here.test);
  const { id } = await app.place({ type: "approval", prompt: "Pay?" });
  await clientOf(here.test, "operator").answer(id, { action: "approve" });
  const deaf: ClaimClient = {
    get: (...given) => app.get(...given),
    claim: (...given) => app.claim(...given),
    finishClaim: () => Promise.reject(new Error("no reply")),
  };
  const answer = {
    interruptId: id,
    status: "resolved",
    approved: true,
    payload: { approved: true },
    metadata: {},
  } as unknown as Parameters<typeof executeOnce>[1];
  return { here, app, deaf, answer };
}

describe("executeOnce", () => {
  it("G10 executeOnce returns the result of work that ran although its report was lost, and reports it later", async () => {
    const { here, app, deaf, answer } = await approved();
    await using _ = here;
    const outcome = await executeOnce(deaf, answer, () => "paid");
    expect(outcome).toMatchObject({ kind: "executed", result: "paid" });
    if (outcome.kind !== "executed") throw new Error("it was not executed");
    expect(String(outcome.outstanding?.error)).toContain("no reply");
    await expect(executeOnce(app, answer, () => "paid twice")).rejects.toMatchObject({
      name: "ExecutionUnknown",
    });
  });

  it("G10 executeOnce throws the work's own error, not the error of its report", async () => {
    const { here, deaf, answer } = await approved();
    await using _ = here;
    const work = () => {
      throw new Error("card declined");
    };
    await expect(executeOnce(deaf, answer, work)).rejects.toThrow("card declined");
  });

  it("G10 a repeat of the work gets the recorded result", async () => {
    const { here, app, answer } = await approved();
    await using _ = here;
    await executeOnce(app, answer, () => "paid");
    expect(await executeOnce(app, answer, () => "paid twice")).toEqual({ kind: "executed", result: "paid" });
  });
});
