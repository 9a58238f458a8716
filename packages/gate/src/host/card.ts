/**
 * What reviewers see of a proposal. The proposal itself is audit data: its raw text, metadata and internal reason stay
 * with the host, and values under sensitive keys are withheld. The card becomes the ask's context, so its digest is kept
 * with the answer (G12).
 */

import { defined } from "@holdpoint/protocol/client";
import type {
  ProposalCard,
  Risk,
  SuspendedProposal,
  SuspendedToolProposal,
  ToolCard,
} from "@holdpoint/protocol/proposal";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";

/** What the author of a tool knows about reviewing it. */
export interface ReviewNotes {
  /** Keys, at any depth, whose values reviewers do not get to see. */
  readonly sensitive?: readonly string[];
  readonly risk?: Risk;
  /** One sentence on what will happen; it is given the arguments as reviewers see them, so it cannot leak others. */
  readonly effect?: (shown: Json) => string;
  /** JSON Schema for arguments that a reviewer approves instead. */
  readonly argumentsSchema?: JsonObject;
}

const WITHHELD: JsonObject = { withheld: true };

/**
 * The card of a proposal: everything a reviewer needs and nothing that only auditors may see.
 *
 * @example
 * ```ts
 * showProposal(proposal, { risk: "high", sensitive: ["iban"], effect: () => "Money leaves the account." });
 * ```
 */
export function showProposal(proposal: SuspendedToolProposal, notes?: ReviewNotes): ToolCard;
export function showProposal(proposal: SuspendedProposal, notes?: ReviewNotes): ProposalCard;
export function showProposal(proposal: SuspendedProposal, notes: ReviewNotes = {}): ProposalCard {
  const { agentName, proposalHash, policyVersion } = proposal;
  const canonical = proposal.kind === "tool" ? proposal.argsCanonicalJson : proposal.payloadCanonicalJson;
  // Read back from the canonical text: what is shown is what the hash covers.
  const shown = withhold(JSON.parse(canonical) as Json, new Set(notes.sensitive));
  const content =
    proposal.kind === "tool"
      ? { kind: proposal.kind, tool: proposal.toolName, arguments: shown }
      : { kind: proposal.kind, to_agent: proposal.toAgentName, payload: shown };
  const hidden = hiddenCharacters(content, "");
  return {
    agent: agentName,
    ...content,
    ...defined({ effect: notes.effect?.(shown), risk: notes.risk, policy_version: policyVersion }),
    ...(hidden.length > 0 ? { hidden_characters: hidden } : {}),
    proposal_hash: proposalHash,
  };
}

/** Replaces every value under a sensitive key, so that reviewers see that something is there. */
export function withhold(value: Json, sensitive: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => withhold(item, sensitive));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      sensitive.has(key) ? WITHHELD : withhold(member, sensitive),
    ]),
  );
}

/**
 * What a page would not draw: control, format, private and unassigned characters, lone surrogates, fillers that count as
 * letters, and variation selectors, which can carry whole hidden texts.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const DRAWN = /[\t\n\r]|(?<=\p{Extended_Pictographic})\ufe0f/gu;

/** Where text holds characters that reviewers cannot see, as JSON pointers; names of members count as well. */
function hiddenCharacters(value: Json, pointer: string): readonly string[] {
  if (typeof value === "string") return hides(value) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return hides(key) ? [inner] : hiddenCharacters(member as Json, inner);
  });
}

function hides(text: string): boolean {
  return HIDDEN.test(text.replaceAll(DRAWN, " "));
}
