import { expect, test } from "vitest";
import { parseProposalArguments } from "./arguments.ts";
import { createHandoffProposalFingerprint, createToolProposalFingerprint } from "./fingerprint.ts";
import type { SuspendedHandoffProposal, SuspendedProposal, SuspendedToolProposal } from "./proposal.ts";
import { proposalFault } from "./proposal.ts";

const base = {
  timestamp: "2026-11-15T10:00:00.000Z",
  runId: "r1",
  turn: 1,
  callId: "c1",
  agentName: "Finance Agent",
  reason: "manager_approval_required",
};

function toolProposal(rawArguments: string): SuspendedToolProposal {
  const parsedArguments = parseProposalArguments(rawArguments);
  const content = { agentName: base.agentName, toolName: "refund", parsedArguments };
  return { ...base, ...content, kind: "tool", rawArguments, ...createToolProposalFingerprint(content) };
}

function handoffProposal(handoffPayload: unknown): SuspendedHandoffProposal {
  const content = { fromAgentName: base.agentName, toAgentName: "Refunds", handoffPayload };
  return { ...base, ...content, kind: "handoff", ...createHandoffProposalFingerprint(content) };
}

test("AI-019 blank arguments mean an empty object, JSON is parsed whatever its spacing, and other text is kept as __raw", () => {
  expect(parseProposalArguments("")).toEqual({});
  expect(parseProposalArguments(" \n\t ")).toEqual({});
  expect(parseProposalArguments(" not json ")).toEqual({ __raw: " not json " });
  expect(parseProposalArguments(' { "a" :\n1 } ')).toEqual({ a: 1 });
  expect(parseProposalArguments("null")).toBeNull();
});

test("AI-019 each parse of the same arguments returns a new value", () => {
  expect(parseProposalArguments('{"a":{}}')).not.toBe(parseProposalArguments('{"a":{}}'));
});

test("E-04 text that is not JSON looks like the object it is wrapped in, so a policy must refuse __raw itself", () => {
  expect(toolProposal("not json").proposalHash).toBe(toolProposal('{"__raw":"not json"}').proposalHash);
});

test("AI-013 a proposal is a tool call or a handoff, nothing else", () => {
  const name = (proposal: SuspendedProposal): string => {
    switch (proposal.kind) {
      case "tool":
        return proposal.toolName;
      case "handoff":
        return proposal.toAgentName;
      default:
        return proposal satisfies never;
    }
  };
  expect([toolProposal("{}"), handoffProposal({})].map(name)).toEqual(["refund", "Refunds"]);
});

test("AI-081 a stored proposal with a changed member is detected", () => {
  const tool = toolProposal('{"amount":10}');
  expect(proposalFault(tool)).toBeNull();
  expect(proposalFault(JSON.parse(JSON.stringify(tool)))).toBeNull();
  expect(proposalFault({ ...tool, rawArguments: '{"amount":1000}' })).toBe("arguments_differ");
  expect(proposalFault({ ...tool, parsedArguments: { amount: 1000 } })).toBe("arguments_differ");
  expect(proposalFault({ ...tool, argsCanonicalJson: '{"amount":1000}' })).toBe("canonical_differs");
  expect(proposalFault({ ...tool, toolName: "wire" })).toBe("hash_differs");
  expect(proposalFault({ ...tool, agentName: "Other Agent" })).toBe("hash_differs");
  const handoff = handoffProposal({ order: 1 });
  expect(proposalFault(handoff)).toBeNull();
  expect(proposalFault({ ...handoff, handoffPayload: { order: 2 } })).toBe("canonical_differs");
  expect(proposalFault({ ...handoff, toAgentName: "Admin" })).toBe("hash_differs");
});
