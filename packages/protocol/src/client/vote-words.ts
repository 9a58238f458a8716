/** How far a decision has come, in words for people: on pages, in the console and at a terminal. */

import type { DecisionRule, Hold, Missing, Vote } from "./types.ts";

/** The members are the same on the wire and in programs. */
type Ruled = Pick<Hold, "status" | "decision" | "votes" | "missing" | "unfulfillable">;

export interface VoteWords {
  /** `1 of 2 have agreed.` */
  readonly summary: string;
  /** Who voted what, one line for each. */
  readonly votes: readonly string[];
  /** Who is still missing, one line for each stage; empty when the hold has ended. */
  readonly missing: readonly string[];
}

/** `undefined`: one answer decides. */
export function voteWords(hold: Ruled): VoteWords | undefined {
  const { decision, votes = [], missing = [], unfulfillable } = hold;
  if (decision === undefined) return undefined;
  const isOpen = hold.status === "open";
  const stuck = unfulfillable === undefined ? [] : [`Nobody can meet this rule any more: ${unfulfillable}.`];
  return {
    summary: isOpen ? openSummary(decision, missing, votes) : `${votes.length} voted.`,
    votes: votes.map(voteLine),
    missing: isOpen ? [...missing.map(missingLine), ...stuck] : [],
  };
}

function openSummary({ approve }: DecisionRule, missing: readonly Missing[], votes: readonly Vote[]): string {
  const need = approve.reduce((sum, stage) => sum + stage.need, 0);
  const left = missing.reduce((sum, stage) => sum + stage.need - stage.given, 0);
  const agreed = `${need - left} of ${need} have agreed.`;
  const approvals = votes.filter(({ action }) => !REJECTING.has(action)).length;
  return approvals > need - left ? `${agreed} Votes for different answers do not add up.` : agreed;
}

const REJECTING: ReadonlySet<string> = new Set(["reject", "edit", "cancel", "abort", "deny", "decline"]);

function voteLine({
  person,
  action,
  for: absent,
  names = [person, ...(absent ? [absent] : [])],
}: Vote): string {
  return `${names.join(" for ")}: ${action}`;
}

function missingLine({
  need,
  given,
  from,
  names = from.map((source) => source.replace(/^(team|person):/, "")),
}: Missing): string {
  return `Still needed: ${need - given} of ${names.join(", ")}`;
}
