/** What every keeper of approval requests must do; `approvals.ts` numbers the promises. */

import { describe, expect, test } from "vitest";
import type { ApprovalRequest, Approvals } from "./approvals.ts";

export interface ApprovalsUnderTest {
  readonly approvals: Approvals;
  /** A person approves the newest request of this key, perhaps with other arguments. */
  approve(key: string, editedArguments?: unknown): Promise<void>;
  reject(key: string): Promise<void>;
}

function request(key: string, members: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const card = { kind: "tool", tool: "refund", arguments: { order: "7" }, proposal_hash: key };
  const reference = { run_id: "r1", call_id: "c1", turn: 1 };
  return { key, prompt: "May it run?", card, uses: 1, reference, ...members };
}

export function approvalsSuite(name: string, open: () => Promise<ApprovalsUnderTest>): void {
  describe(`approvals: ${name}`, () => {
    test("A1 what was never requested is not found", async () => {
      const { approvals } = await open();
      expect(await approvals.find("gate:a:none")).toBeNull();
    });

    test("A1 a pending request is joined, whatever else differs", async () => {
      const { approvals } = await open();
      const first = await approvals.request(request("gate:a:h"));
      const other = { prompt: "Really?", reference: { run_id: "r2", call_id: "c2", turn: 3 } };
      const second = await approvals.request(request("gate:a:h", other));
      expect(first).toMatchObject({ key: "gate:a:h", state: "pending", usesLeft: 1 });
      expect(second.id).toBe(first.id);
      expect((await approvals.request(request("gate:b:h"))).id).not.toBe(first.id);
    });

    test("A1 an approved one is joined until it is used up; then, or when rejected, the next is opened", async () => {
      const { approvals, approve, reject } = await open();
      const first = await approvals.request(request("gate:a:h"));
      await approve("gate:a:h");
      const approved = await approvals.request(request("gate:a:h"));
      expect(approved).toMatchObject({
        id: first.id,
        state: "approved",
        approval: { at: expect.any(String) },
      });
      await approvals.claim(approved);
      const second = await approvals.request(request("gate:a:h"));
      expect(second).toMatchObject({ state: "pending" });
      expect(second.id).not.toBe(first.id);
      await reject("gate:a:h");
      expect(await approvals.find("gate:a:h")).toMatchObject({ id: second.id, state: "rejected" });
      expect((await approvals.request(request("gate:a:h"))).id).not.toBe(second.id);
    });

    test("A2 of many claims at once one succeeds, and none without approval", async () => {
      const { approvals, approve } = await open();
      const pending = await approvals.request(request("gate:a:h"));
      expect((await approvals.claim(pending)).kind).toBe("refused");
      await approve("gate:a:h");
      const claims = await Promise.all(Array.from({ length: 5 }, () => approvals.claim(pending)));
      expect(claims.map(({ kind }) => kind).sort()).toEqual(["claimed", ...Array(4).fill("refused")]);
      expect(await approvals.find("gate:a:h")).toMatchObject({ usesLeft: 0, execution: "claimed" });
    });

    test.each([
      [true, "done"],
      [false, "failed"],
    ] as const)("A3 an execution reported as ok: %s shows as %s", async (ok, execution) => {
      const { approvals, approve } = await open();
      const ticket = await approvals.request(request("gate:a:h"));
      await approve("gate:a:h");
      const claim = await approvals.claim(ticket);
      if (claim.kind !== "claimed") throw new Error("expected a claim");
      await approvals.report(ticket, claim.claimId, { ok });
      expect(await approvals.find("gate:a:h")).toMatchObject({ execution, usesLeft: 0 });
      expect(await approvals.claim(ticket)).toEqual({ kind: "refused", execution });
    });

    test("A1 other arguments given with an approval are kept as they were given", async () => {
      const { approvals, approve } = await open();
      await approvals.request(request("gate:a:h"));
      await approve("gate:a:h", { order: "8", cents: 5 });
      const ticket = await approvals.find("gate:a:h");
      expect(ticket?.approval?.editedArguments).toEqual({ order: "8", cents: 5 });
    });
  });
}
