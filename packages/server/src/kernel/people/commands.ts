/** Commands about people, their accounts and teams. */

import type { NewSession, OidcSession } from "../access/access.ts";
import type { Principal } from "../principal.ts";
import type { Absence, Account, Person, PersonRole, PersonSource, QuietHours, Team } from "./person.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface AddPerson extends By {
  readonly kind: "add_person";
  readonly person: Omit<
    Person,
    "madeAt" | "erasedAt" | "accounts" | "status" | "absence" | "passkeys" | "sessionsFrom" | "suspendedBy"
  >;
}

/** What is absent stays as it is; `null` removes it. */
export interface PersonPatch {
  readonly name?: string;
  readonly email?: string | null;
  readonly role?: PersonRole;
  readonly teams?: readonly string[];
  readonly status?: Person["status"];
  readonly isVerified?: boolean;
  readonly absence?: Absence | null;
  readonly timeZone?: string | null;
  readonly language?: string | null;
  readonly preferredChannel?: string | null;
  readonly quietHours?: QuietHours | null;
  readonly source?: PersonSource;
  readonly roleFrom?: string | null;
  readonly suspendedBy?: "groups" | null;
}

export interface ChangePerson extends By {
  readonly kind: "change_person";
  readonly personId: string;
  readonly patch: PersonPatch;
}

export interface LinkAccount extends By {
  readonly kind: "link_account";
  readonly personId: string;
  readonly account: Omit<Account, "at" | "linkedBy">;
  /** The platform has just confirmed that the account is the caller's own. Absent: an admin says so. */
  readonly isProven?: true;
}

export interface UnlinkAccount extends By {
  readonly kind: "unlink_account";
  readonly personId: string;
  readonly account: Omit<Account, "at" | "linkedBy">;
}

/** Ends every session of the person. */
export interface EndSessions extends By {
  readonly kind: "end_sessions";
  readonly personId: string;
}

/** Somebody whom an identity provider has authenticated signs in. */
export interface SignInByAccount extends By {
  readonly kind: "sign_in_by_account";
  readonly account: Omit<Account, "at" | "linkedBy">;
  /**
   * What the provider's groups give this person; `null`: nothing. Absent: the provider's groups are not used, so only people
   * whose account is linked can sign in, with the role that they have.
   */
  readonly granted?: Granted | null;
  /** The person to add if the account belongs to nobody and the groups give a role. */
  readonly newPerson: Pick<Person, "id" | "name" | "email">;
  /** Other admins, as the caller found them: groups take the role of an admin only while one of these is an active admin. */
  readonly otherAdmins?: readonly string[];
  readonly session: NewSession;
  readonly oidc: OidcSession;
  readonly lastsMs: number;
}

export interface Granted {
  readonly role: PersonRole;
  readonly teams: readonly string[];
  /** Every team that the provider's groups decide about. The person leaves those that are not in `teams`. */
  readonly mappedTeams: readonly string[];
}

/** A person makes a code for an account of their own. Only the hash of the code is stored. */
export interface MakeAccountCode extends By {
  readonly kind: "make_account_code";
  readonly personId: string;
  readonly hash: string;
}

/** Somebody sent a code to a bot. */
export interface UseAccountCode extends By {
  readonly kind: "use_account_code";
  readonly hash: string;
  readonly account: Omit<Account, "at" | "linkedBy">;
}

/** The code's time is over. */
export interface DropAccountCode extends By {
  readonly kind: "drop_account_code";
  readonly hash: string;
}

export interface ErasePerson extends By {
  readonly kind: "erase_person";
  readonly personId: string;
}

export interface AddTeam extends By {
  readonly kind: "add_team";
  readonly team: Omit<Team, "madeAt">;
}

export interface ChangeTeam extends By {
  readonly kind: "change_team";
  readonly teamId: string;
  readonly patch: { readonly name?: string; readonly members?: readonly string[] };
}

export interface RemoveTeam extends By {
  readonly kind: "remove_team";
  readonly teamId: string;
}

export type PeopleCommand =
  | AddPerson
  | ChangePerson
  | LinkAccount
  | UnlinkAccount
  | EndSessions
  | SignInByAccount
  | MakeAccountCode
  | UseAccountCode
  | DropAccountCode
  | ErasePerson
  | AddTeam
  | ChangeTeam
  | RemoveTeam;
