import type { SuspendedToolProposal } from "@holdpoint/protocol/proposal";
import { createToolProposalFingerprint } from "@holdpoint/protocol/proposal";
import { describe, expect, test } from "vitest";
import { suspensionGrant, suspensionOf, suspensionState } from "./suspension.ts";

const content = { agentName: "Support Agent", toolName: "refund", parsedArguments: { secret: 7 } };
const proposal: SuspendedToolProposal = {
  ...content,
  ...createToolProposalFingerprint(content),
  kind: "tool",
  rawArguments: '{"secret":7}',
  timestamp: "2026-11-15T10:00:00.000Z",
  runId: "r",
  turn: 1,
  callId: "c",
  reason: "internal_code",
  publicReason: " Please check. ",
  policyVersion: "v3",
  expiresAt: "2026-11-16T10:00:00Z",
  metadata: { note: "secret" },
};
const { proposalHash } = proposal;
const asked = suspensionOf("s1", proposal);
const answered = {
  ...asked,
  resolution: "responded",
  response: "approve",
  responded_at: "2026-11-15T11:00:00Z",
  responded_by: "ada@example.test",
};

describe("a proposal as an OpenIntent suspension", () => {
  test("E-13 a suspension asks with the public reason and names the operation, but has no arguments or internal reason", () => {
    expect(asked).toEqual({
      id: "s1",
      question: "Please check.",
      response_type: "choice",
      choices: [
        { value: "approve", label: "Approve" },
        { value: "deny", label: "Deny" },
      ],
      context: {
        proposalHash,
        kind: "tool",
        resourceName: "refund",
        policyVersion: "v3",
        expiresAt: "2026-11-16T10:00:00Z",
      },
    });
    expect(JSON.stringify(asked)).not.toMatch(/internal_code|secret/);
    const { publicReason: _, ...silent } = proposal;
    expect(suspensionOf("s1", silent).question).toBe("Action requires approval.");
  });

  test("E-13 the response approve becomes a grant for exactly this proposal", () => {
    expect(suspensionState(answered)).toBe("approved");
    expect(suspensionGrant(answered, proposalHash)).toEqual({
      proposalHash,
      approvedAt: "2026-11-15T11:00:00Z",
      metadata: { suspension_id: "s1", responded_by: "ada@example.test" },
    });
    expect(suspensionGrant({ ...answered, responded_by: null }, proposalHash)?.metadata).toEqual({
      suspension_id: "s1",
    });
    expect(suspensionGrant(answered, "another")).toBeNull();
  });

  test.each([
    ["open", {}, "pending"],
    ["open, as null", { resolution: null }, "pending"],
    ["denied", { resolution: "responded", response: "deny" }, "rejected"],
    ["answered with something else", { resolution: "responded", response: { approve: true } }, "rejected"],
    ["cancelled", { resolution: "cancelled" }, "dismissed"],
    ["expired with a fallback that says approve", { resolution: "expired", response: "approve" }, "expired"],
  ] as const)("E-13 a suspension that is %s gives no grant", (_name, end, state) => {
    const record = { ...asked, responded_at: "2026-11-15T11:00:00Z", ...end };
    expect(suspensionState(record)).toBe(state);
    expect(suspensionGrant(record, proposalHash)).toBeNull();
  });

  test("E-13 a response without a date gives no grant", () => {
    expect(suspensionGrant({ ...answered, responded_at: null }, proposalHash)).toBeNull();
  });
});

test("a response through a link that was given to the asking agent counts as a rejection (G7)", () => {
  const own = { ...answered, link_given_to: "asker" };
  expect(suspensionState(own)).toBe("rejected");
  expect(suspensionGrant(own, proposalHash)).toBeNull();
  expect(suspensionState({ ...answered, link_given_to: null })).toBe("approved");
});
