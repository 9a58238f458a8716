import type { SuspendedHandoffProposal, SuspendedToolProposal } from "@holdpoint/protocol/proposal";
import {
  canonicalProposalJson,
  createHandoffProposalFingerprint,
  createToolProposalFingerprint,
  parseProposalArguments,
  proposalFault,
} from "@holdpoint/protocol/proposal";
import { describe, expect, test } from "vitest";
import { showProposal } from "./card.ts";
import { editProposal } from "./edit.ts";

const base = {
  timestamp: "2026-11-15T10:00:00.000Z",
  runId: "run-secret",
  turn: 1,
  callId: "call-secret",
  agentName: "Support Agent",
  reason: "reason-secret",
  publicReason: "Please check.",
  policyVersion: "refunds.v3",
  metadata: { note: "metadata-secret" },
};

function refund(rawArguments: string): SuspendedToolProposal {
  const content = {
    agentName: base.agentName,
    toolName: "refund",
    parsedArguments: parseProposalArguments(rawArguments),
  };
  return { ...base, ...content, kind: "tool", rawArguments, ...createToolProposalFingerprint(content) };
}

function handoff(handoffPayload: unknown): SuspendedHandoffProposal {
  const content = { fromAgentName: base.agentName, toAgentName: "Billing", handoffPayload };
  return { ...base, ...content, kind: "handoff", ...createHandoffProposalFingerprint(content) };
}

describe("the reviewer's card", () => {
  test("AI-100 the card shows arguments, effect, risk and policy version, but no audit data", () => {
    const proposal = refund('{"cents":1200,"order":"7"}');
    const card = showProposal(proposal, { risk: "high", effect: () => "Pays 12 EUR." });
    expect(card).toEqual({
      kind: "tool",
      agent: "Support Agent",
      tool: "refund",
      arguments: { cents: 1200, order: "7" },
      effect: "Pays 12 EUR.",
      risk: "high",
      policy_version: "refunds.v3",
      proposal_hash: proposal.proposalHash,
    });
    expect(JSON.stringify(card)).not.toContain("secret");
    expect(showProposal(handoff({ order: 7 }))).toMatchObject({ to_agent: "Billing", payload: { order: 7 } });
  });

  test("AI-100 the card withholds sensitive keys at every depth, and the effect text cannot see them either", () => {
    const proposal = refund('{"iban":"DE00","to":[{"iban":{"bank":"X"},"name":"Ada"}]}');
    const card = showProposal(proposal, { sensitive: ["iban"], effect: (shown) => JSON.stringify(shown) });
    expect(card["arguments"]).toEqual({
      iban: { withheld: true },
      to: [{ iban: { withheld: true }, name: "Ada" }],
    });
    expect(JSON.stringify(card)).not.toMatch(/DE00|bank/);
  });

  test("AI-100 the card shows what the hash covers: the last of duplicate keys, and __proto__ as a key", () => {
    expect(showProposal(refund('{"cents":1,"cents":999999}'))["arguments"]).toEqual({ cents: 999999 });
    const card = showProposal(refund('{"__proto__":{"to":"mallory"},"a":1}'));
    expect(canonicalProposalJson(card["arguments"])).toBe('{"__proto__":{"to":"mallory"},"a":1}');
  });

  test("AI-100 the card lists the places of invisible characters", () => {
    const plain = refund('{"to":"José 会計 😀 ❤\ufe0f","note":"a\\tb\\nc"}');
    expect(showProposal(plain)).not.toHaveProperty("hidden_characters");
    const tricky = refund(
      '{"to":"ali\\u200bce","memo":["ok","\\u202eevil"],"a/b~\\u0000":1,"nested":{"x":"\\ud800"}}',
    );
    expect([...(showProposal(tricky)["hidden_characters"] as string[])].sort()).toEqual([
      "/arguments/a~1b~0\u0000",
      "/arguments/memo/1",
      "/arguments/nested/x",
      "/arguments/to",
    ]);
    for (const unseen of ["a\ufe0f", "\u{e0100}", "\u3164", "\u034f", "\u2800", "\u{e0041}", "\u2028"]) {
      const card = showProposal(refund(JSON.stringify({ to: `alice${unseen}` })));
      expect(card.hidden_characters).toEqual(["/arguments/to"]);
    }
  });

  test("G12 the card depends on the proposal's content only, so two equal operations have equal cards", () => {
    const again = { ...refund('{ "order":"7", "cents":1200.0 }'), runId: "r9", callId: "c9", turn: 4 };
    expect(JSON.stringify(showProposal(again))).toBe(
      JSON.stringify(showProposal(refund('{"cents":1200,"order":"7"}'))),
    );
  });
});

describe("approving with other arguments", () => {
  test("H4 the edited proposal is complete and has its own hash, which is the old one when nothing changed", () => {
    const proposal = refund('{"cents":1200,"order":"7"}');
    const edited = editProposal(proposal, { order: "7", cents: 500 });
    expect(edited).toMatchObject({ parsedArguments: { order: "7", cents: 500 }, toolName: "refund" });
    expect(edited.proposalHash).not.toBe(proposal.proposalHash);
    expect(proposalFault(edited)).toBeNull();
    expect(editProposal(proposal, { cents: 1200, order: "7" }).proposalHash).toBe(proposal.proposalHash);
  });

  test("H4 withheld values that the reviewer left alone keep their original value, and everything else is taken as written", () => {
    const proposal = refund('{"iban":"DE00","to":[{"iban":"FR00","name":"Ada"}],"cents":1}');
    const withheld = { withheld: true };
    const edited = editProposal(
      proposal,
      { iban: withheld, to: [{ iban: "NL00", name: "Ada" }, { iban: withheld }], cents: withheld },
      ["iban"],
    );
    expect(edited.parsedArguments).toEqual({
      iban: "DE00",
      to: [{ iban: "NL00", name: "Ada" }, { iban: withheld }],
      cents: withheld,
    });
  });

  test("H4 a withheld value never moves to another item of a list", () => {
    const to = [
      { name: "Ada", iban: "AA", cents: 1 },
      { name: "Bob", iban: "BB", cents: 2 },
      { name: "Bob", iban: "B2", cents: 2 },
      { name: "Cyd", iban: "CC", cents: 3 },
    ];
    const proposal = refund(JSON.stringify({ to }));
    const iban = { withheld: true };
    const [ada, bob, bob2, cyd] = to.map((item) => ({ ...item, iban }));
    const payees = (edited: readonly unknown[]) => {
      const { parsedArguments } = editProposal(proposal, { to: edited }, ["iban"]);
      return (parsedArguments as { readonly to: readonly { readonly iban: unknown }[] }).to.map(
        (item) => item.iban,
      );
    };
    // One changed, in its place.
    expect(payees([{ ...ada, cents: 9 }, bob, bob2, cyd])).toEqual(["AA", "BB", "B2", "CC"]);
    // Removed and moved: known by what was shown, unless two looked alike.
    expect(payees([cyd])).toEqual(["CC"]);
    expect(payees([cyd, ada])).toEqual(["CC", "AA"]);
    expect(payees([ada, cyd, bob])).toEqual(["AA", "CC", iban]);
    // Moved and changed: nobody can tell.
    expect(payees([{ ...cyd, cents: 9 }, bob, bob2, { ...ada, cents: 9 }])).toEqual([iban, iban, iban, iban]);
    expect(payees([ada, { ...bob, cents: 9 }])).toEqual(["AA", iban]);
  });

  test("H4 editProposal refuses to edit a handoff's payload", () => {
    expect(() => editProposal(handoff({}), {})).toThrow(TypeError);
  });
});
