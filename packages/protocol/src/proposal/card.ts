/**
 * What reviewers see of a proposal: the context of a gate's ask. A page that draws an ask recognises a card by its `kind` and
 * `proposal_hash`. It is stored and digested with the ask (G12); the proposal itself is audit data and stays with the host.
 */

import type { Json, JsonObject } from "../rules/json.ts";
import { isObject } from "../rules/json.ts";

export const RISKS = ["low", "medium", "high"] as const;
export type Risk = (typeof RISKS)[number];

// Aliases and not interfaces: only these are also plain JSON objects to the compiler.
type CardBase = {
  /** Who proposes it. */
  readonly agent: string;
  /** What will happen, in one sentence of the tool's author. */
  readonly effect?: string;
  readonly risk?: Risk;
  /** Of the policy that stopped it. */
  readonly policy_version?: string;
  /** JSON pointers into this card, to text that holds characters nobody would see. */
  readonly hidden_characters?: readonly string[];
  /** The operation that is approved, and no other. */
  readonly proposal_hash: string;
};

/** A tool call. `{ "withheld": true }` stands where the author keeps a value from reviewers. */
export type ToolCard = CardBase & {
  readonly kind: "tool";
  readonly tool: string;
  readonly arguments: Json;
};

/** A handoff to another agent. */
export type HandoffCard = CardBase & {
  readonly kind: "handoff";
  readonly to_agent: string;
  readonly payload: Json;
};

export type ProposalCard = ToolCard | HandoffCard;

/**
 * The card in an ask's context, or `null` when the ask is about something else or the card is not whole. Members that
 * are not as declared are left out: a card is drawn, never obeyed.
 *
 * @example
 * ```ts
 * const card = readProposalCard(hold.context);
 * if (card?.kind === "tool") draw(card.tool, card.arguments, card.effect, card.risk);
 * ```
 */
export function readProposalCard(context: JsonObject | undefined): ProposalCard | null {
  if (!isObject(context)) return null;
  const { kind, agent, proposal_hash } = context;
  if (typeof agent !== "string" || typeof proposal_hash !== "string") return null;
  const base = { agent, proposal_hash, ...notesOf(context) };
  if (kind === "tool" && typeof context["tool"] === "string" && context["arguments"] !== undefined) {
    return { kind, tool: context["tool"], arguments: context["arguments"], ...base };
  }
  if (kind === "handoff" && typeof context["to_agent"] === "string" && context["payload"] !== undefined) {
    return { kind, to_agent: context["to_agent"], payload: context["payload"], ...base };
  }
  return null;
}

function notesOf({ effect, risk, policy_version, hidden_characters }: JsonObject): Partial<CardBase> {
  const known = RISKS.find((one) => one === risk);
  return {
    ...(typeof effect === "string" ? { effect } : {}),
    ...(known === undefined ? {} : { risk: known }),
    ...(typeof policy_version === "string" ? { policy_version } : {}),
    ...(isTexts(hidden_characters) ? { hidden_characters } : {}),
  };
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
