/** Commands on an intent's access list. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import type { AclEntryIn, GrantAccess, RevokeAccess, SetAcl } from "./commands.ts";
import type { Acl, AclEntry, Intent } from "./intent.ts";
import { append, begin, type IntentLog } from "./intent-log.ts";
import { whyTooManyEvents } from "./listeners.ts";
import { whyNot } from "./who.ts";
import { wireTime } from "./wire-time.ts";

type AclCommand = SetAcl | GrantAccess | RevokeAccess;

/** The most entries of an access list; also the most that one request may bring. */
const ACL_MAX = 500;

const OPEN: Acl = { policy: "open", entries: [] };
const CLOSED: Acl = { policy: "closed", entries: [], isDefault: true };

export function changeAcl(command: AclCommand, intent: Intent, draft: Draft, { now }: Context): Reply {
  const denied = whyNot(intent, command.by, "admin", now);
  if (denied !== null) return refuse(denied);
  const intentLog = begin(intent, draft, now, command.by);
  switch (command.kind) {
    case "set_acl": {
      const { policy, entries } = command;
      const next: Acl = { policy, entries: entries.map((entry) => granted(entry, intentLog)) };
      const events = aclOf(intent).entries.length + entries.length;
      // Who may read the intent by the new list is sent every event of the change.
      const after = { ...intentLog, intent: { ...intent, acl: next } };
      const tooMany = whyTooManyEvents(events, after, "Add or revoke entries one by one");
      if (tooMany !== null) return refuse(tooMany);
      replace(intentLog, next);
      return accept(intent.id);
    }
    case "grant_access": {
      const acl = aclOf(intent);
      if (acl.entries.length >= ACL_MAX) {
        return refuse(failure("too_many", `an access list can have at most ${ACL_MAX} entries`));
      }
      const entries = [...acl.entries, granted(command.entry, intentLog)];
      logAccess(intentLog, "access_granted", command.entry, { ...acl, entries });
      return accept(intent.id);
    }
    case "revoke_access":
      return revoke(intentLog, command.entryId);
  }
}

/** An intent without a list of its own is as closed or as open as its default access. */
export function aclOf({ acl, access }: Pick<Intent, "acl" | "access">): Acl {
  return acl ?? (access === "owner" ? CLOSED : OPEN);
}

function granted(entry: AclEntryIn, { actor, at }: IntentLog): AclEntry {
  return { ...entry, grantedBy: actor, grantedAt: at };
}

/** Logs one event per entry that is removed or added, as if each had been changed by its own command. */
function replace(intentLog: IntentLog, next: Acl): IntentLog {
  const { policy, entries } = next;
  const before = aclOf(intentLog.intent).entries;
  const revoked = before.reduce((log, entry) => logAccess(log, "access_revoked", entry, next), intentLog);
  const log = entries.reduce((log, entry) => logAccess(log, "access_granted", entry, next), revoked);
  if (before.length + entries.length > 0) return log;
  // No entry changed, so a single event records the new policy.
  const payload = { default_policy: policy, entries: 0 };
  return append(intentLog, { type: "access_granted", payload, change: { acl: next } });
}

function revoke(intentLog: IntentLog, entryId: string): Reply {
  const acl = aclOf(intentLog.intent);
  const entry = acl.entries.find(({ id }) => id === entryId);
  if (entry === undefined) return refuse(failure("not_found", "There is no access list entry with this id."));
  const entries = acl.entries.filter((other) => other !== entry);
  logAccess(intentLog, "access_revoked", entry, { ...acl, entries });
  return accept(intentLog.intent.id);
}

type AccessEvent = "access_granted" | "access_revoked" | "access_expired";

export function logAccess(intentLog: IntentLog, type: AccessEvent, entry: AclEntryIn, acl: Acl): IntentLog {
  const { id, principalId, principalType, permission, expiresAt } = entry;
  const payload = {
    entry_id: id,
    principal_id: principalId,
    principal_type: principalType,
    permission,
    default_policy: acl.policy,
    ...(expiresAt === undefined ? {} : { expires_at: wireTime(expiresAt) }),
  };
  return append(intentLog, { type, payload, change: { acl } });
}
