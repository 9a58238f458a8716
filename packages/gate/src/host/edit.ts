/** Approving with other arguments: the edited call is a proposal of its own, with its own hash. */

import type { SuspendedProposal, SuspendedToolProposal } from "@holdpoint/protocol/proposal";
import { canonicalProposalJson, createToolProposalFingerprint } from "@holdpoint/protocol/proposal";
import type { Json } from "@holdpoint/protocol/rules";
import { withhold } from "./card.ts";

/**
 * The proposal that a reviewer approved instead. Where the reviewer was shown `{ withheld: true }` and left it, the
 * original value is put back; everything else is exactly what they gave.
 *
 * @throws {TypeError} for a handoff, whose payload is not a reviewer's to write.
 *
 * @example
 * ```ts
 * const edited = editProposal(proposal, { order: "7", cents: 500 }, ["iban"]);
 * edited.proposalHash !== proposal.proposalHash; // true: the old approval does not cover it, nor the other way round
 * ```
 */
export function editProposal(
  proposal: SuspendedProposal,
  editedArguments: unknown,
  sensitive: readonly string[] = [],
): SuspendedToolProposal {
  if (proposal.kind !== "tool")
    throw new TypeError("The payload of a handoff cannot be edited. Approve or reject it as it is.");
  const { agentName, toolName } = proposal;
  const given = restored(editedArguments, proposal.parsedArguments, new Set(sensitive));
  const rawArguments = canonicalProposalJson(given);
  const parsedArguments: unknown = JSON.parse(rawArguments);
  const fingerprint = createToolProposalFingerprint({ agentName, toolName, parsedArguments });
  return { ...proposal, rawArguments, parsedArguments, ...fingerprint };
}

function restored(edited: unknown, original: unknown, sensitive: ReadonlySet<string>): unknown {
  if (Array.isArray(edited)) {
    const from = itemsBefore(edited, Array.isArray(original) ? original : [], sensitive);
    return edited.map((item, at) => restored(item, from[at], sensitive));
  }
  if (typeof edited !== "object" || edited === null) return edited;
  const from = typeof original === "object" && original !== null ? original : {};
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => {
      const before: unknown = Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined;
      const untouched = sensitive.has(key) && before !== undefined && isWithheld(value);
      return [key, untouched ? before : restored(value, before, sensitive)];
    }),
  );
}

/**
 * Which item each one was before the edit. Items may have been removed or moved, and a withheld value must not end up
 * beside somebody else's name: an item is known by how it was shown; one that was changed, by its place, as long as all
 * the others have kept theirs. What nobody can tell stays withheld.
 */
function itemsBefore(
  edited: readonly unknown[],
  original: readonly unknown[],
  sensitive: ReadonlySet<string>,
): readonly unknown[] {
  const shown = original.map((item) => canonicalProposalJson(withhold(item as Json, sensitive)));
  const given = edited.map((item) => canonicalProposalJson(item));
  const changed = given.filter((text, at) => text !== shown[at]).length;
  const havePlaces = edited.length === original.length && changed <= 1;
  return given.map((text, at) => {
    if (havePlaces) return original[at];
    const found = shown.indexOf(text);
    return found === shown.lastIndexOf(text) ? original[found] : undefined;
  });
}

function isWithheld(value: unknown): boolean {
  return canonicalProposalJson(value) === '{"withheld":true}';
}
