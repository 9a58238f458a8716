/** Decides commands about sign-in links and console sessions. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { currentPerson, personIdOf } from "../people/person.ts";
import { actorText, type KeyRole, type Principal } from "../principal.ts";
import type { NewSession, Session, SignIn } from "./access.ts";
import type { CloseSession, DropSession, EndSession, MakeSignIn, UseSignIn } from "./commands.ts";
import { whyNotManage } from "./manage.ts";

export function makeSignIn(command: MakeSignIn, draft: Draft, { now }: Context): Reply {
  const signIn = { ...command.signIn, madeAt: now, expiresAt: now + command.lastsMs };
  const fact = { type: "sign_in.made", signIn } as const;
  draft.state({ kind: "sign_in", id: signIn.hash, fact, at: now, actor: actorText(command.by) });
  return accept(signIn.hash);
}

const USED_UP = failure(
  "not_allowed",
  "this sign-in link was already used or has expired; ask for a new one",
);

/** A sign-in link works once and until it expires. The session it starts has a secret of its own. */
export function useSignIn(command: UseSignIn, draft: Draft, { now }: Context): Reply {
  const signIn = draft.get("sign_in", command.hash);
  if (signIn === undefined || signIn.usedAt !== undefined || signIn.expiresAt <= now) return refuse(USED_UP);
  const role = roleOf(signIn, draft);
  if (role === undefined) return refuse(USED_UP);
  const used = { type: "sign_in.used", signIn: { ...signIn, usedAt: now } } as const;
  const actor = `session:${signIn.name}`;
  draft.state({ kind: "sign_in", id: signIn.hash, fact: used, at: now, actor });
  return startSession(
    command.session,
    { name: signIn.name, role, ...(signIn.how === undefined ? {} : { how: signIn.how }) },
    command.lastsMs,
    draft,
    now,
  );
}

/** The role of the session that the link starts; `undefined` for a person who is suspended or gone. */
function roleOf({ name, role, isForPerson }: SignIn, draft: Draft): KeyRole | undefined {
  const person = currentPerson(draft, name);
  if (person?.status === "suspended" || (isForPerson === true && person === undefined)) return undefined;
  return isForPerson === true ? person?.role : role;
}

export function startSession(
  made: NewSession,
  who: Pick<Session, "name" | "role" | "how" | "oidc">,
  lastsMs: number,
  draft: Draft,
  now: number,
): Reply {
  // A session that begins in the millisecond in which the earlier ones ended is not one of them.
  const madeAt = Math.max(now, currentPerson(draft, who.name)?.sessionsFrom ?? 0);
  const session: Session = { ...made, ...who, madeAt, expiresAt: now + lastsMs };
  const fact = { type: "session.started", session } as const;
  draft.state({ kind: "session", id: session.hash, fact, at: now, actor: `session:${session.name}` });
  return accept(session.hash);
}

export function endSession({ hash, by }: EndSession, draft: Draft, { now }: Context): Reply {
  const session = draft.get("session", hash);
  if (session === undefined || session.endedAt !== undefined) return accept(hash);
  return ended(session, by, draft, now);
}

export function closeSession({ hash, by }: CloseSession, draft: Draft, { now }: Context): Reply {
  const session = draft.get("session", hash);
  const denied = session !== undefined && isOwn(session, by) ? null : whyNotManage(by);
  if (denied !== null) return refuse(denied);
  if (session === undefined) return refuse(failure("not_found", "there is no session with this id"));
  return session.endedAt === undefined ? ended(session, by, draft, now) : accept(hash);
}

/** Whether the caller is the person of the session. An auditor's key stands for nobody, so only their session counts. */
export function isOwn({ name }: Pick<Session, "name">, by: Principal): boolean {
  const own = by.via === "session" ? by.name : personIdOf(by);
  return own !== undefined && own === name;
}

function ended(session: Session, by: Principal, draft: Draft, now: number): Reply {
  const fact = { type: "session.ended", session: { ...session, endedAt: now } } as const;
  draft.state({ kind: "session", id: session.hash, fact, at: now, actor: actorText(by) });
  return accept(session.hash);
}

/** The row says where somebody signed in and who they are elsewhere, so it is deleted when it is of no use any more. */
export function dropSession({ hash, by }: DropSession, draft: Draft, { now }: Context): Reply {
  const session = draft.get("session", hash);
  if (session === undefined || session.expiresAt > now) return { ok: true, id: hash, fresh: false };
  const fact = { type: "session.expired", session } as const;
  draft.state({ kind: "session", id: hash, fact, at: now, actor: actorText(by) });
  return accept(hash);
}
