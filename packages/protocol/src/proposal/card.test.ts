import { describe, expect, expectTypeOf, test } from "vitest";
import type { JsonObject } from "../rules/json.ts";
import type { HandoffCard, ToolCard } from "./card.ts";
import { readProposalCard } from "./card.ts";

const tool: ToolCard = {
  kind: "tool",
  agent: "Support Agent",
  tool: "refund",
  arguments: { order: "7", iban: { withheld: true } },
  effect: "Pays 12 EUR.",
  risk: "high",
  policy_version: "refunds.v3",
  hidden_characters: ["/arguments/order"],
  proposal_hash: "h",
};
const handoff: HandoffCard = {
  kind: "handoff",
  agent: "Support Agent",
  to_agent: "Billing",
  payload: null,
  proposal_hash: "h",
};

describe("proposal cards in a hold's context", () => {
  test("are plain JSON, and are read back unchanged", () => {
    expectTypeOf<ToolCard>().toExtend<JsonObject>();
    expectTypeOf<HandoffCard>().toExtend<JsonObject>();
    expect(readProposalCard(tool)).toEqual(tool);
    expect(readProposalCard(handoff)).toEqual(handoff);
  });

  test("are told apart from any other context", () => {
    expect(readProposalCard(undefined)).toBeNull();
    for (const other of [
      {},
      { ...tool, kind: "gift" },
      { ...tool, tool: 7 },
      { ...tool, agent: null },
      { ...tool, proposal_hash: 7 },
      { kind: "tool", agent: "a", tool: "t", proposal_hash: "h" },
      { ...handoff, to_agent: 7 },
      { kind: "handoff", agent: "a", to_agent: "b", proposal_hash: "h" },
    ]) {
      expect(readProposalCard(other as JsonObject)).toBeNull();
    }
  });

  test("lose members of an undeclared type when they are read", () => {
    const odd = { ...tool, effect: {}, risk: "none", policy_version: 3, hidden_characters: [1], extra: "x" };
    const { effect: _e, risk: _r, policy_version: _p, hidden_characters: _h, ...plain } = tool;
    expect(readProposalCard(odd as JsonObject)).toEqual(plain);
  });
});
