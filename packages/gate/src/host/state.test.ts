import type { Hold, Outcome } from "@holdpoint/protocol/client";
import { describe, expect, test } from "vitest";
import { placeOf, ticketOf } from "./hold.ts";
import { APPROVAL_STATES, approvalStateOf, canBecome } from "./state.ts";

const at = "2026-11-15T10:00:00.000Z";

function hold(members: Partial<Hold> = {}): Hold {
  return {
    id: "hold_1",
    caseId: "review_1",
    key: "gate:acme:h1",
    status: "open",
    type: "approval",
    prompt: "Go?",
    context: { proposal_hash: "h1" },
    actions: [],
    digest: "d",
    createdBy: "agent",
    createdAt: at,
    attempt: 1,
    ladder: [],
    version: 1,
    links: "server",
    ...members,
  };
}

function decided(action: string, data = {}): Partial<Hold> {
  const outcome: Outcome = {
    kind: "decided",
    action,
    data,
    by: { kind: "session", id: "ada" },
    door: "page",
    at,
  };
  return { status: "decided", outcome };
}

describe("approval states", () => {
  test("AI-060 an approval request has exactly five states", () => {
    expect(APPROVAL_STATES).toEqual(["pending", "approved", "rejected", "expired", "dismissed"]);
  });

  test("AI-061 a request leaves pending for any other state, and approved only for expired", () => {
    const steps = APPROVAL_STATES.flatMap((from) =>
      APPROVAL_STATES.filter((to) => canBecome(from, to)).map((to) => `${from} -> ${to}`),
    );
    expect(steps).toEqual([
      "pending -> approved",
      "pending -> rejected",
      "pending -> expired",
      "pending -> dismissed",
      "approved -> expired",
    ]);
  });

  test("AI-062 consumed and revoked are not states of a request", () => {
    expect(APPROVAL_STATES).not.toContain("consumed");
    expect(APPROVAL_STATES).not.toContain("revoked");
  });

  test("G14 an approval with edits is none, because nobody says how they belong to the arguments", () => {
    expect(ticketOf(hold(decided("approve", { edits: { cents: 5 } })))).toMatchObject({ state: "rejected" });
    expect(ticketOf(hold(decided("approve", { edits: {} })))).toMatchObject({ state: "approved" });
  });

  test("AI-061 every hold maps to one of the five states, and only the action approve maps to approved", () => {
    expect(approvalStateOf(hold())).toBe("pending");
    expect(approvalStateOf(hold(decided("approve")))).toBe("approved");
    for (const action of ["reject", "edit", "select", "confirm", "APPROVE"]) {
      expect(approvalStateOf(hold(decided(action)))).toBe("rejected");
    }
    const expired: Outcome = { kind: "expired", default: { action: "approve" }, at };
    expect(approvalStateOf(hold({ status: "expired", outcome: expired }))).toBe("expired");
    const cancelled: Outcome = { kind: "cancelled", cancelledBy: { kind: "key", id: "agent" }, at };
    expect(approvalStateOf(hold({ status: "cancelled", outcome: cancelled }))).toBe("dismissed");
  });
});

describe("holds as approval requests", () => {
  test("AI-102 an approval request is placed as an approval hold whose links go to people, not to the agent", () => {
    const card = { kind: "tool", agent: "a", tool: "refund", arguments: {}, proposal_hash: "h1" } as const;
    const request = {
      key: "gate:acme:h1",
      prompt: "Go?",
      card,
      argumentsSchema: { type: "object" },
      uses: 1,
      reference: { run_id: "r", call_id: "c", turn: 1 },
    };
    expect(placeOf(request)).toEqual({
      key: "gate:acme:h1",
      type: "approval",
      prompt: "Go?",
      context: card,
      uses: 1,
      responseSchema: { type: "object" },
      links: "server",
      metadata: { run_id: "r", call_id: "c", turn: 1 },
    });
    expect(placeOf({ ...request, uses: "unlimited" })).toMatchObject({ context: card, uses: "unlimited" });
  });

  test("AI-061 a ticket has an approval only when a person chose approve, with edited arguments only when they differ", () => {
    expect(ticketOf(hold())).toEqual({
      id: "hold_1",
      key: "gate:acme:h1",
      state: "pending",
      usesLeft: 1,
      digest: "d",
    });
    expect(ticketOf(hold(decided("approve")))).toMatchObject({
      state: "approved",
      approval: { at, by: "ada" },
    });
    expect(ticketOf(hold(decided("approve", { edited_args: { n: 2 } }))).approval).toEqual({
      at,
      by: "ada",
      editedArguments: { n: 2 },
    });
    const context = { arguments: { n: 2, iban: { withheld: true } } };
    const untouched = decided("approve", { edited_args: { iban: { withheld: true }, n: 2 } });
    expect(ticketOf(hold({ ...untouched, context })).approval).toEqual({ at, by: "ada" });
    const expired: Outcome = { kind: "expired", default: { action: "approve" }, at };
    for (const other of [
      decided("reject"),
      decided("edit"),
      { status: "expired", outcome: expired } as const,
    ]) {
      expect(ticketOf(hold(other)).approval).toBeUndefined();
    }
  });

  test("AI-061 an approval of a handoff with another payload counts as a rejection", () => {
    const context = { kind: "handoff", payload: { reason: "route" } };
    const rewritten = decided("approve", { edited_args: { reason: "else" } });
    expect(ticketOf(hold({ ...rewritten, context }))).toMatchObject({ state: "rejected" });
    expect(ticketOf(hold({ ...rewritten, context })).approval).toBeUndefined();
    expect(ticketOf(hold({ ...decided("approve"), context })).state).toBe("approved");
  });

  test("AI-062 a revoked approval stays in state approved and has a revocation date", () => {
    const revoked = { at, by: { kind: "key", id: "ada" } } as const;
    expect(ticketOf(hold({ ...decided("approve"), revoked }))).toMatchObject({
      state: "approved",
      approval: { revokedAt: at },
    });
  });

  test("AI-061 an erased approval counts as expired, because nobody can tell what was approved", () => {
    expect(ticketOf(hold({ ...decided("approve"), erasedAt: at }))).toMatchObject({ state: "expired" });
    expect(ticketOf(hold({ ...decided("reject"), erasedAt: at })).state).toBe("rejected");
  });

  test("E-06 a claimed approval has no uses left, a counted one the rest, an unlimited one no limit", () => {
    const claim = {
      id: "c",
      holdId: "hold_1",
      state: "unknown",
      claimedBy: "a",
      claimedAt: at,
      until: at,
    } as const;
    expect(ticketOf(hold({ ...decided("approve"), claim, claims: 1 }))).toMatchObject({
      usesLeft: 0,
      execution: "unknown",
    });
    const used = { ...decided("approve"), claim, claims: 2 };
    expect(ticketOf(hold({ ...used, uses: 5 })).usesLeft).toBe(3);
    expect(ticketOf(hold({ ...used, uses: "unlimited" })).usesLeft).toBe("unlimited");
  });
});

test("an approval through a link that was given to the asking agent counts as a rejection (G7)", () => {
  const byLink = (givenTo?: "asker"): Hold => {
    const by = { kind: "link", id: "link_1", ...(givenTo === undefined ? {} : { givenTo }) } as const;
    return hold({
      status: "decided",
      outcome: { kind: "decided", action: "approve", data: {}, by, door: "page", at },
    });
  };
  expect(approvalStateOf(byLink())).toBe("approved");
  expect(approvalStateOf(byLink("asker"))).toBe("rejected");
  expect(ticketOf(byLink("asker"))).toMatchObject({ state: "rejected" });
  expect(ticketOf(byLink("asker"))).not.toHaveProperty("approval");
});
