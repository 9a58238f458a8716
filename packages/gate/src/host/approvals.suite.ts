/** What every keeper of approval requests must do; `approvals.ts` numbers the promises. */

import { describe, expect, test } from "vitest";
import type { ApprovalRequest, Approvals, ApprovalTicket } from "./approvals.ts";

export interface ApprovalsUnderTest {
  readonly approvals: Approvals;
  /** A person approves the newest request of this key, perhaps with other arguments. */
  approve(key: string, editedArguments?: unknown): Promise<void>;
  reject(key: string): Promise<void>;
  /** A person takes the newest approval of this key back. */
  revoke(key: string): Promise<void>;
  /** The newest claim's host is never heard of again. */
  lose(key: string): Promise<void>;
  /** A person has found that it did not run. */
  release(key: string): Promise<void>;
}

function request(key: string, members: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const hash = key.slice(key.lastIndexOf(":") + 1);
  const card = {
    kind: "tool",
    agent: "Support Agent",
    tool: "refund",
    arguments: { order: "7" },
    proposal_hash: hash,
  } as const;
  const reference = { run_id: "r1", call_id: "c1", turn: 1 };
  return { key, prompt: "May it run?", card, uses: 1, reference, ...members };
}

async function execute(approvals: Approvals, ticket: ApprovalTicket): Promise<void> {
  const claim = await approvals.claim(ticket);
  if (claim.kind !== "claimed") throw new Error("expected a claim");
  await approvals.report(ticket, claim.claimId, { ok: true });
}

export function approvalsSuite(name: string, open: () => Promise<ApprovalsUnderTest>): void {
  describe(`approvals: ${name}`, () => {
    test("A1 find returns null for a key that was never requested", async () => {
      const { approvals } = await open();
      expect(await approvals.find("gate:a:none")).toBeNull();
    });

    test("A1 a second request with the same key joins the pending one, whatever prompt, card and run it has", async () => {
      const { approvals } = await open();
      const first = await approvals.request(request("gate:a:h"));
      const other = {
        prompt: "Really?",
        card: { ...request("gate:a:h").card, effect: "Pays." },
        reference: { run_id: "r2", call_id: "c2", turn: 3 },
      };
      const second = await approvals.request(request("gate:a:h", other));
      expect(first).toMatchObject({ key: "gate:a:h", state: "pending", usesLeft: 1 });
      expect(second.id).toBe(first.id);
      expect((await approvals.request(request("gate:b:h"))).id).not.toBe(first.id);
    });

    test("A1 a request joins an approval until it is used up; after that, or after a rejection, it opens a new one", async () => {
      const { approvals, approve, reject } = await open();
      const first = await approvals.request(request("gate:a:h"));
      await approve("gate:a:h");
      const approved = await approvals.request(request("gate:a:h"));
      expect(approved).toMatchObject({
        id: first.id,
        state: "approved",
        approval: { at: expect.any(String) },
      });
      await execute(approvals, approved);
      const second = await approvals.request(request("gate:a:h"));
      expect(second).toMatchObject({ state: "pending" });
      expect(second.id).not.toBe(first.id);
      await reject("gate:a:h");
      expect(await approvals.find("gate:a:h")).toMatchObject({ id: second.id, state: "rejected" });
      expect((await approvals.request(request("gate:a:h"))).id).not.toBe(second.id);
    });

    test("A2 a pending request cannot be claimed, and one of five simultaneous claims of an approved one succeeds", async () => {
      const { approvals, approve } = await open();
      const pending = await approvals.request(request("gate:a:h"));
      expect((await approvals.claim(pending)).kind).toBe("refused");
      await approve("gate:a:h");
      const claims = await Promise.all(Array.from({ length: 5 }, () => approvals.claim(pending)));
      expect(claims.map(({ kind }) => kind).sort()).toEqual(["claimed", ...Array(4).fill("refused")]);
      expect(await approvals.find("gate:a:h")).toMatchObject({ usesLeft: 0, execution: "claimed" });
    });

    test("A1 simultaneous requests with the same key share one ticket, also after the last one was used up", async () => {
      const { approvals, approve } = await open();
      const together = async () => {
        const tickets = await Promise.all(
          Array.from({ length: 5 }, (_, at) =>
            approvals.request(request("gate:a:h", { prompt: `Go ${at}?` })),
          ),
        );
        expect(new Set(tickets.map(({ id }) => id)).size).toBe(1);
        return tickets[0]!;
      };
      const first = await together();
      await approve("gate:a:h");
      await execute(approvals, (await approvals.find("gate:a:h"))!);
      expect((await together()).id).not.toBe(first.id);
    });

    test("A1 a revoked approval cannot be claimed, and the next request opens a new one", async () => {
      const { approvals, approve, revoke } = await open();
      const ticket = await approvals.request(request("gate:a:h"));
      await approve("gate:a:h");
      await revoke("gate:a:h");
      expect((await approvals.find("gate:a:h"))?.approval?.revokedAt).toEqual(expect.any(String));
      expect(await approvals.claim(ticket)).toEqual({ kind: "refused" });
      expect((await approvals.request(request("gate:a:h"))).id).not.toBe(ticket.id);
    });

    test("A1 a request opens a new one when the approval is older than approvedSince, unless somebody is executing it", async () => {
      const { approvals, approve } = await open();
      const ticket = await approvals.request(request("gate:a:h"));
      await approve("gate:a:h");
      const { approval } = (await approvals.find("gate:a:h"))!;
      const later = new Date(Date.parse(approval!.at) + 1).toISOString();
      const joined = await approvals.request(request("gate:a:h", { approvedSince: approval!.at }));
      expect(joined.id).toBe(ticket.id);
      const next = await approvals.request(request("gate:a:h", { approvedSince: later }));
      expect(next).toMatchObject({ state: "pending" });
      expect(next.id).not.toBe(ticket.id);
      await approve("gate:a:h");
      await approvals.claim((await approvals.find("gate:a:h"))!);
      const busy = await approvals.request(request("gate:a:h", { approvedSince: "2999-01-01T00:00:00Z" }));
      expect(busy).toMatchObject({ id: next.id, execution: "claimed" });
    });

    test("A2 an approval for two uses can be claimed twice, one execution after the other", async () => {
      const { approvals, approve } = await open();
      const ticket = await approvals.request(request("gate:a:h", { uses: 2 }));
      await approve("gate:a:h");
      for (const usesLeft of [1, 0]) {
        const claim = await approvals.claim(ticket);
        if (claim.kind !== "claimed") throw new Error("expected a claim");
        expect((await approvals.claim(ticket)).kind).toBe("refused");
        await approvals.report(ticket, claim.claimId, { ok: true });
        expect(await approvals.find("gate:a:h")).toMatchObject({ id: ticket.id, usesLeft });
      }
      expect(await approvals.claim(ticket)).toEqual({ kind: "refused", execution: "done" });
    });

    test("A3 an execution of unknown outcome is neither claimed nor requested again until a person releases it", async () => {
      const { approvals, approve, lose, release } = await open();
      const ticket = await approvals.request(request("gate:a:h"));
      await approve("gate:a:h");
      await approvals.claim(ticket);
      expect((await approvals.request(request("gate:a:h"))).id).toBe(ticket.id);
      await lose("gate:a:h");
      expect(await approvals.claim(ticket)).toEqual({ kind: "refused", execution: "unknown" });
      expect(await approvals.request(request("gate:a:h"))).toMatchObject({
        id: ticket.id,
        execution: "unknown",
      });
      await release("gate:a:h");
      expect((await approvals.claim(ticket)).kind).toBe("claimed");
    });

    test.each([
      [true, "done"],
      [false, "failed"],
    ] as const)(
      "A3 an execution reported with ok: %s is shown as %s and cannot be claimed again",
      async (ok, execution) => {
        const { approvals, approve } = await open();
        const ticket = await approvals.request(request("gate:a:h"));
        await approve("gate:a:h");
        const claim = await approvals.claim(ticket);
        if (claim.kind !== "claimed") throw new Error("expected a claim");
        await approvals.report(ticket, claim.claimId, { ok });
        expect(await approvals.find("gate:a:h")).toMatchObject({ execution, usesLeft: 0 });
        expect(await approvals.claim(ticket)).toEqual({ kind: "refused", execution });
      },
    );

    test("A1 edited arguments of an approval are kept as the person gave them", async () => {
      const { approvals, approve } = await open();
      await approvals.request(request("gate:a:h"));
      await approve("gate:a:h", { order: "8", cents: 5 });
      const ticket = await approvals.find("gate:a:h");
      expect(ticket?.approval?.editedArguments).toEqual({ order: "8", cents: 5 });
    });
  });
}
