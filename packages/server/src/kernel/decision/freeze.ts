/** Checks a decision rule when its hold is placed, and freezes it on the hold. */

import { type Failure, failure } from "../failure.ts";
import type { By, Hold } from "../hold/hold.ts";
import { currentPerson, currentTeam, emailAccountId, recipientPerson } from "../people/person.ts";
import { claimedId, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { type Decision, type DecisionIn, type Exclusion, readSource } from "./decision.ts";
import { mayCount, ruleNeeds, stagesByPerson } from "./entitled.ts";
import { type Candidate, isFull, matchSeats } from "./matching.ts";
import { needsOf } from "./tally.ts";

/** What a rule says where it says nothing. */
export const USUAL_RULE = { reject: 1, exclude: [], strength: "session", order: "any" } as const;

export function freezeNeeds(
  decision: DecisionIn,
  by: Principal,
  previous: Hold | undefined,
  world: World,
): readonly Need[] {
  const { exclude = [] } = decision;
  const needs: Need[] = [...ruleNeeds(decision, world)];
  if (exclude.includes("owner")) needs.push({ kind: "api_key", id: by.id, read: true });
  const recipient = exclude.includes("previous_voters") ? decidingRecipient(previous) : undefined;
  if (recipient !== undefined) needs.push({ kind: "account", id: emailAccountId(recipient), read: true });
  return needs;
}

export function freezeDecision(
  decision: DecisionIn,
  by: Principal,
  previous: Hold | undefined,
  world: World,
): Decision | Failure {
  const unknown = whyUnknown(decision, world);
  if (unknown !== null) return unknown;
  const { exclude = [] } = decision;
  // Who asks never votes, whether the rule says so or not (G7): nobody votes for them, and they cannot be needed.
  const asker = stagesByPerson(decision, world).has(by.name) ? [by.name] : [];
  const excluded = [
    ...new Set([...asker, ...exclude.flatMap((what) => excludedBy(what, by, previous, world))]),
  ];
  const frozen: Decision = { ...USUAL_RULE, ...decision, excluded };
  return whyUnfulfillable(frozen, world) ?? frozen;
}

/** Why a rule names somebody who does not exist; `null` if everybody does. */
export function whyUnknown({ approve }: DecisionIn, world: World): Failure | null {
  for (const [stage, { from }] of approve.entries()) {
    for (const [at, source] of from.entries()) {
      const { kind, id } = readSource(source);
      const find = kind === "team" ? currentTeam : currentPerson;
      if (find(world, id) !== undefined) continue;
      const message = `there is no ${kind} with the id ${id}`;
      const problems = [{ key: `/decision/approve/${stage}/from/${at}`, rule: kind, message }];
      return failure(`unknown_${kind}`, `the decision names a ${kind} that does not exist`, { problems });
    }
  }
  return null;
}

function excludedBy(
  what: Exclusion,
  by: Principal,
  previous: Hold | undefined,
  world: World,
): readonly string[] {
  switch (what) {
    case "asker":
      return [by.name];
    case "owner":
      return ownersOf(by, world);
    case "previous_voters":
      return votersOf(previous, world);
  }
}

/** Keys from earlier versions say only who made them. A configured key has no row and no owner. */
function ownersOf(by: Principal, world: World): readonly string[] {
  const key = world.get("api_key", by.id);
  if (key === undefined) return [];
  if (key.owner !== undefined) return [key.owner];
  return key.madeBy.startsWith("key:") ? [key.madeBy.slice("key:".length)] : [];
}

/** Everybody whose vote or answer was on record in the round before. */
function votersOf(previous: Hold | undefined, world: World): readonly string[] {
  const votes = previous?.votes ?? [];
  const decider = deciderOf(previous, world);
  return [...votes.map(({ person }) => person), ...(decider === undefined ? [] : [decider])];
}

/** The person who decided. Without a rule, the outcome names the recipient of a link, or the app that relayed its user. */
function deciderOf(previous: Hold | undefined, world: World): string | undefined {
  const by = decidedBy(previous);
  if (by?.kind === "app") return claimedId(by);
  const recipient = decidingRecipient(previous);
  return recipient === undefined ? by?.name : recipientPerson(recipient, world);
}

/** The recipient of the link that decided: an e-mail address, or the id of a person. */
function decidingRecipient(previous: Hold | undefined): string | undefined {
  const by = decidedBy(previous);
  return by?.kind === "link" ? by.name : undefined;
}

function decidedBy(previous: Hold | undefined): By | undefined {
  const outcome = previous?.outcome;
  return outcome?.kind === "decided" ? outcome.by : undefined;
}

/** Why nobody can meet the rule; `null` if enough people can. Votes that were cast keep the seats that they may fill. */
export function whyUnfulfillable(
  decision: Decision,
  world: World,
  votes: readonly Candidate[] = [],
): Failure | null {
  const people = [...stagesByPerson(decision, world)].filter(
    ([id]) => mayCount(id, decision, world) && !votes.some(({ person }) => person === id),
  );
  const voters = [...votes, ...people.map(([person, stages]) => ({ person, seats: [{ person, stages }] }))];
  const needs = needsOf(decision);
  const { given } = matchSeats(voters, needs);
  if (!isFull({ given, standsFor: new Map() }, needs)) {
    const stage = needs.findIndex((need, at) => given[at] !== need);
    const message = `stage ${stage + 1} needs ${needs[stage]} people, and only ${given[stage]} can fill its seats`;
    return unfulfillable(message);
  }
  if (decision.reject <= voters.length) return null;
  return unfulfillable(`${decision.reject} rejections are needed, and only ${voters.length} people may vote`);
}

function unfulfillable(reason: string): Failure {
  const message = `nobody can meet this decision: ${reason}. Suspended, unconfirmed and excluded people do not count`;
  return failure("unfulfillable_decision", message, { detail: { reason } });
}
