/**
 * People and teams of a workspace, and the identities of people elsewhere. An operator's or admin's key or session stands
 * for the person whose id is its name.
 */

import type { Principal } from "../principal.ts";
import type { World } from "../world.ts";

export const PERSON_ROLES = ["operator", "admin", "auditor"] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** Half-open: away from `from` on, back at `until`. */
export interface Absence {
  readonly from: number;
  readonly until: number;
  /** The person who is asked and votes instead. */
  readonly delegate?: string;
}

/** Minutes after midnight in the person's time zone. They may span midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
  /** The person is told at once of a hold that ends before the quiet hours do. */
  readonly isUrgentTold?: true;
}

/** An identity of the person on another platform. */
export interface Account {
  readonly platform: string;
  readonly tenant?: string;
  readonly userId: string;
  readonly linkedBy?: string;
  readonly at: number;
}

/**
 * Where the person's row comes from. `key`: the server added the person because an operator's or admin's key has this name;
 * `oidc`: because an identity provider's groups gave them a role.
 */
export type PersonSource = "config" | "console" | "api" | "key" | "oidc";

/** No issuer: those are addresses. */
export const AN_ADMIN = "admin";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly role: PersonRole;
  /** The team rows list their members too; both change in the same commit. */
  readonly teams: readonly string[];
  readonly accounts: readonly Account[];
  readonly status: "active" | "suspended";
  /** An unverified person answers like anybody, and counts towards a decision only after an admin confirmed them. */
  readonly isVerified: boolean;
  readonly absence?: Absence;
  /** The ids of their passkeys. */
  readonly passkeys?: readonly string[];
  readonly timeZone?: string;
  readonly language?: string;
  /** The channel by which they want to be asked. */
  readonly preferredChannel?: string;
  /** Notifications to this person wait until these hours are over. Who is on call is told at once. */
  readonly quietHours?: QuietHours;
  readonly source: PersonSource;
  readonly madeAt: number;
  /**
   * The issuer whose groups gave the role at the last sign-in, or `AN_ADMIN`. Absent: the configuration gave it, or, to people that
   * an earlier version added for a provider, that provider.
   */
  readonly roleFrom?: string;
  /** `groups`: no group gave them a role any more, and a group that does restores them. Absent: an admin suspended them. */
  readonly suspendedBy?: "groups";
  /** Sessions that began before this moment have ended. */
  readonly sessionsFrom?: number;
  /** Name, address and accounts are gone. The id stays, because the log refers to it. */
  readonly erasedAt?: number;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly source: PersonSource;
  readonly madeAt: number;
  /** Set when the team was removed. The row stays, so that a team that is added again continues the same log. */
  readonly removedAt?: number;
}

/** (platform, tenant, user id) → person. An e-mail address is an account on the platform `email`. */
export interface AccountOwner {
  readonly personId: string;
}

/** People who had this account before it was unlinked. */
export interface FormerAccount {
  readonly people: readonly string[];
}

/** A one-time code: the account that sends it to a bot is linked to this person. */
export interface AccountCode {
  readonly personId: string;
  readonly madeAt: number;
  readonly expiresAt: number;
}

export const ACCOUNT_CODE_MS = 15 * 60_000;

/** The open holds that a person has voted on. Suspending the person removes these votes in the same commit. */
export interface Voter {
  readonly holds: readonly string[];
}

/** An open hold with a decision rule, so that these holds are found when people change. */
export interface RuledHoldMark {
  readonly holdId: string;
}

export function accountId({ platform, tenant = "", userId }: Omit<Account, "at">): string {
  return `${platform}\n${tenant}\n${userId}`;
}

export function emailAccountId(address: string): string {
  return accountId({ platform: "email", userId: address.toLowerCase() });
}

/** The id of the person whom a recipient means: the owner of the address, or the person with this id, whether they exist or not. */
export function personMeant(recipient: string, owner: AccountOwner | undefined): string {
  return owner?.personId ?? recipient.replace(/^person:/, "");
}

/** The same, where the row of the address was loaded. */
export function recipientPerson(recipient: string, world: World): string {
  return personMeant(recipient, world.get("account", emailAccountId(recipient)));
}

/** Whether a key with this role stands for a person. Keys of agents, apps, auditors and `dev` do not. */
export function standsForPerson({ role }: Pick<Principal, "role">): boolean {
  return role === "operator" || role === "admin";
}

/** The person that an operator's or admin's key or session stands for. Nobody else's key stands for a person. */
export function personIdOf(by: Principal): string | undefined {
  return standsForPerson(by) ? by.name : undefined;
}

/** The team, unless it was removed. */
export function currentTeam(world: World, id: string): Team | undefined {
  const team = world.get("team", id);
  return team?.removedAt === undefined ? team : undefined;
}

/** The person, unless they were erased. */
export function currentPerson(world: World, id: string): Person | undefined {
  const person = world.get("person", id);
  return person?.erasedAt === undefined ? person : undefined;
}

/** Whether a session of this person still counts; sessions of names without a row do. */
export function keepsSession(person: Person | undefined, madeAt: number): boolean {
  return person?.status !== "suspended" && madeAt >= (person?.sessionsFrom ?? 0);
}

/** Why the votes of a person who cannot count are taken back. */
export function whyLost(person: Person | undefined): "suspended" | "erased" | "unconfirmed" {
  if (person?.erasedAt !== undefined) return "erased";
  return person?.status === "suspended" ? "suspended" : "unconfirmed";
}

/** Whether a vote of this person can count at all. */
export function canCount(person: Person | undefined): person is Person {
  return person?.status === "active" && person.isVerified && person.role !== "auditor";
}

export function isAway(person: Person | undefined, now: number): boolean {
  const absence = person?.absence;
  return absence !== undefined && absence.from <= now && now < absence.until;
}
