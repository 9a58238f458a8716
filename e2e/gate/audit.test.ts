import { approvalKey } from "@holdpoint/gate/host";
import { readProposalCard } from "@holdpoint/protocol/proposal";
import { describe, expect, test } from "vitest";
import { contentDigest } from "../../packages/server/src/engine/seal.ts";
import { type GateServer, office, overHttp, people } from "./world.fixture.ts";

/** What only auditors may see of a proposal: its raw text, internal reason, metadata, and values kept from reviewers. */
const AUDIT_ONLY = ["internal_reason", "audit-only", "DE-secret", "rawArguments", "argsCanonicalJson"];

async function everythingServed(
  server: GateServer,
  holdId: string,
): Promise<Readonly<Record<string, string>>> {
  const { test } = server;
  const served: Record<string, string> = {};
  for (const role of ["agent", "operator", "admin", "auditor", "dev"] as const) {
    for (const path of [
      `/v1/holds/${holdId}`,
      `/v1/holds/${holdId}/events`,
      "/v1/holds",
      "/v1/holds?q=refund",
    ]) {
      served[`${role} ${path}`] = JSON.stringify(
        (await test.call("GET", path, { key: test.keys[role] })).body,
      );
    }
  }
  const { url = "" } = await server.client("operator").makeLink(holdId);
  const { pathname, search } = new URL(url);
  served["review page"] = (await test.call("GET", `${pathname}${search}`)).body;
  return served;
}

describe("what a gate sends to the server", () => {
  test("AI-100 the server stores and serves the reviewer's card, and no part of the proposal beyond it", async () => {
    await using server = await overHttp();
    const { propose } = office(server);
    const { proposalHash } = await propose();
    const hold = await people(server).newest(approvalKey("acme", proposalHash));
    expect(hold.prompt).toBe("A person has to approve refunds.");
    expect(readProposalCard(hold.context)).toEqual({
      kind: "tool",
      agent: "Support Agent",
      tool: "refund",
      arguments: { cents: 1200, iban: { withheld: true }, order: "7" },
      effect: "Money leaves.",
      risk: "high",
      policy_version: "refunds.v3",
      proposal_hash: proposalHash,
    });
    for (const [where, text] of Object.entries(await everythingServed(server, hold.id))) {
      for (const secret of AUDIT_ONLY) expect(text, `${where}: ${secret}`).not.toContain(secret);
    }
  });

  test("AI-100 the card is stored and digested with the hold, and an answer that was shown another card is refused", async () => {
    await using server = await overHttp();
    const { propose } = office(server);
    const { proposalHash } = await propose();
    const { id, digest } = await people(server).newest(approvalKey("acme", proposalHash));
    const stored = await server.test.server.holds.get("default", id);
    const { ask, salt } = stored?.body ?? {};
    expect(ask?.context?.["proposal_hash"]).toBe(proposalHash);
    expect(contentDigest(ask, salt ?? "")).toBe(digest);
    const operator = server.client("operator");
    const other = operator.answer(id, { action: "approve", shown: "sha256:another" });
    await expect(other).rejects.toMatchObject({ code: "shown_mismatch" });
    const answered = await operator.answer(id, { action: "approve", shown: digest });
    expect(answered.outcome).toMatchObject({ shown: digest });
  });

  test("AI-102 the hold refers to the proposal by hash, run id, call id and turn, and stores the arguments once", async () => {
    await using server = await overHttp();
    const { propose } = office(server);
    const { proposalHash, runId, callId, turn } = await propose();
    const hold = await people(server).newest(approvalKey("acme", proposalHash));
    expect(hold.metadata).toEqual({ run_id: runId, call_id: callId, turn });
    const stored = JSON.stringify((await server.test.server.holds.get("default", hold.id))?.body);
    expect(stored.split('"cents":1200')).toHaveLength(2);
  });

  test("AI-103 the hold's context has only the members that identify the action and let a person review it", async () => {
    await using server = await overHttp();
    const { propose } = office(server, { review: {} });
    const { proposalHash } = await propose({ order: "7" });
    const { context } = await people(server).newest(approvalKey("acme", proposalHash));
    const seed = ["agent", "arguments", "kind", "policy_version", "proposal_hash", "tool"];
    expect(Object.keys(context ?? {}).sort()).toEqual(seed);
  });

  test("AI-001 the gate's runtime exports nothing about servers; only the host entry point does", async () => {
    const gate = await import("@holdpoint/gate");
    expect(Object.keys(gate).filter((name) => /hold|connect|queue|reviewer|notif/i.test(name))).toEqual([]);
    expect(Object.keys(await import("@holdpoint/gate/host"))).toContain("connectApprovals");
  });
});
