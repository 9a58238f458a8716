import type {
  ApprovalGrant,
  SuspendedHandoffProposal,
  SuspendedToolProposal,
} from "@holdpoint/protocol/proposal";
import { describe, expect, test, vi } from "vitest";
import {
  createApprovalRequestSeed,
  findActiveApprovalGrant,
  isApprovalGrantActive,
  toActiveApprovalGrantMap,
  toApprovedProposalHashes,
} from "./evidence.ts";
import { calling, NOW, pingWorld, toolCall } from "./gate.fixture.ts";
import type { ToolPolicy } from "./policy.ts";
import { allow, requireApproval } from "./policy.ts";
import { run } from "./run.ts";

const at = "2026-11-15T10:00:00Z";
const before = "2026-11-15T09:59:59.999Z";
const after = "2026-11-15T10:00:00.001Z";
const grant: ApprovalGrant = { proposalHash: "h1", approvedAt: "2026-11-01T00:00:00Z" };

const base = {
  timestamp: at,
  runId: "r",
  turn: 1,
  callId: "c",
  agentName: "A",
  proposalHash: "h1",
  reason: "ask",
};
const tool: SuspendedToolProposal = {
  ...base,
  kind: "tool",
  toolName: "refund",
  rawArguments: '{"order":7}',
  parsedArguments: { order: 7 },
  argsCanonicalJson: '{"order":7}',
};
const handoff: SuspendedHandoffProposal = {
  ...base,
  kind: "handoff",
  fromAgentName: "A",
  toAgentName: "B",
  handoffPayload: { order: 7 },
  payloadCanonicalJson: '{"order":7}',
};

describe("seeds and grants", () => {
  test("AI-160 an approval grant and an approval request seed have exactly the documented members", () => {
    const full: Required<ApprovalGrant> = {
      proposalHash: "h1",
      approvedAt: at,
      expiresAt: after,
      revokedAt: after,
      metadata: { by: "ada" },
    };
    expect(Object.keys(full)).toEqual(["proposalHash", "approvedAt", "expiresAt", "revokedAt", "metadata"]);
    const told = { publicReason: "p", policyVersion: "v", expiresAt: after };
    expect(Object.keys(createApprovalRequestSeed({ ...tool, ...told })).sort()).toEqual([
      "canonicalPayloadJson",
      "expiresAt",
      "kind",
      "policyVersion",
      "proposalHash",
      "publicReason",
      "reason",
      "resourceName",
    ]);
  });

  test("AI-161 a request seed names the tool or the target agent, and leaves out unset members and all metadata", () => {
    expect(createApprovalRequestSeed({ ...tool, metadata: { secret: 1 } })).toStrictEqual({
      proposalHash: "h1",
      kind: "tool",
      reason: "ask",
      resourceName: "refund",
      canonicalPayloadJson: '{"order":7}',
    });
    expect(createApprovalRequestSeed({ ...handoff, publicReason: "p", policyVersion: "v" })).toStrictEqual({
      proposalHash: "h1",
      kind: "handoff",
      reason: "ask",
      publicReason: "p",
      policyVersion: "v",
      resourceName: "B",
      canonicalPayloadJson: '{"order":7}',
    });
  });

  test("AI-103 a request seed has no arguments, run id, call id, timestamp or metadata", () => {
    const seed = createApprovalRequestSeed({ ...tool, metadata: { customer: "Ada" } });
    for (const member of ["rawArguments", "parsedArguments", "runId", "callId", "metadata", "timestamp"]) {
      expect(seed).not.toHaveProperty(member);
    }
  });
});

describe("active grants", () => {
  test("AI-162 a grant is active until its expiry has passed or it has any revocation date", () => {
    expect(isApprovalGrantActive(grant, at)).toBe(true);
    expect(isApprovalGrantActive({ ...grant, expiresAt: before }, at)).toBe(false);
    expect(isApprovalGrantActive({ ...grant, expiresAt: at }, at)).toBe(true);
    expect(isApprovalGrantActive({ ...grant, expiresAt: after }, at)).toBe(true);
    for (const revokedAt of [before, at, "2999-01-01T00:00:00Z", null as unknown as string]) {
      expect(isApprovalGrantActive({ ...grant, revokedAt }, at)).toBe(false);
    }
    expect(isApprovalGrantActive({ ...grant, approvedAt: "2999-01-01T00:00:00Z" }, at)).toBe(true);
  });

  test("E-09 a grant is still active at the very moment of its expiry, also when that is written in another time zone", () => {
    expect(isApprovalGrantActive({ ...grant, expiresAt: "2026-11-15T11:00:00+01:00" }, at)).toBe(true);
  });

  test("AI-162 a date that cannot be parsed throws a RangeError, so the grant never counts as active", () => {
    expect(() => isApprovalGrantActive({ ...grant, expiresAt: "soon" }, at)).toThrow(RangeError);
    expect(() => isApprovalGrantActive({ ...grant, approvedAt: "once" }, at)).toThrow(RangeError);
    expect(() => isApprovalGrantActive(grant, "now")).toThrow(RangeError);
  });

  test("AI-163 findActiveApprovalGrant returns the newest active grant for exactly this hash, the first of equally new ones", () => {
    const newer = { ...grant, approvedAt: "2026-11-10T00:00:00Z", metadata: { n: 1 } };
    const equal = { ...newer, metadata: { n: 2 } };
    const revoked = { ...grant, approvedAt: "2026-11-14T00:00:00Z", revokedAt: at };
    const other = { ...newer, proposalHash: "h10" };
    const grants = [grant, newer, equal, revoked, other];
    expect(findActiveApprovalGrant("h1", grants, at)).toBe(newer);
    expect(findActiveApprovalGrant("h", grants, at)).toBeNull();
    expect(findActiveApprovalGrant("H1", grants, at)).toBeNull();
    expect(findActiveApprovalGrant("h1", [revoked], at)).toBeNull();
  });

  test("AI-164 the grant map and the hash list hold active grants only, the newest for each hash", () => {
    const newer = { ...grant, approvedAt: "2026-11-10T00:00:00Z" };
    const expired = { ...grant, proposalHash: "h2", expiresAt: before };
    const grants = [newer, grant, expired, { ...grant, proposalHash: "h3" }];
    expect({ ...toActiveApprovalGrantMap(grants, at) }).toEqual({
      h1: newer,
      h3: { ...grant, proposalHash: "h3" },
    });
    expect(toApprovedProposalHashes(grants, at)).toEqual(["h1", "h3"]);
  });

  test("AI-164 the grant map has no grant for constructor, __proto__ or toString", () => {
    const map = toActiveApprovalGrantMap([grant], at);
    for (const name of ["constructor", "__proto__", "toString"]) expect(map[name]).toBeUndefined();
  });

  test("AI-165 the grant helpers accept frozen grants and use the current time by default", () => {
    const grants = Object.freeze([Object.freeze({ ...grant, expiresAt: at })]);
    vi.useFakeTimers({ now: NOW });
    try {
      expect(toApprovedProposalHashes(grants)).toEqual(["h1"]);
      vi.setSystemTime(NOW + 1);
      expect(toApprovedProposalHashes(grants)).toEqual([]);
      expect(findActiveApprovalGrant("h1", grants)).toBeNull();
      expect(isApprovalGrantActive(grants[0]!)).toBe(false);
      expect({ ...toActiveApprovalGrantMap(grants) }).toEqual({});
    } finally {
      vi.useRealTimers();
    }
  });

  test("AI-166 a proposal's own expiry does not end an active grant for it", async () => {
    const { agent, executed } = pingWorld<{ grants: readonly ApprovalGrant[] }>();
    const toolPolicy: ToolPolicy<{ grants: readonly ApprovalGrant[] }> = ({ proposalHash, runContext }) =>
      findActiveApprovalGrant(proposalHash, runContext.context.grants, at) !== null
        ? allow("approval_granted")
        : requireApproval("ask", { expiresAt: "1999-01-01T00:00:00Z", resultMode: "tool_result" });
    const grants: ApprovalGrant[] = [];
    const attempt = () =>
      run(agent, "hello", {
        provider: calling(toolCall("ping")),
        context: { grants },
        policies: { toolPolicy },
        onSuspended: ({ proposalHash }) => void grants.push({ proposalHash, approvedAt: at }),
      });
    await attempt();
    expect(executed).toEqual([]);
    await attempt();
    expect(executed).toHaveLength(1);
  });
});
