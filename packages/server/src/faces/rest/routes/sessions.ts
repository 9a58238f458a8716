/** Sessions and invitations. People see and end their own sessions; admins see and end everybody's, and invite. */

import { newSignIn } from "../../../identity/sign-in.ts";
import type { Session } from "../../../kernel/access/access.ts";
import { whyStale } from "../../../kernel/access/fresh.ts";
import { isOwn } from "../../../kernel/access/sessions.ts";
import type { Entity } from "../../../kernel/entity.ts";
import { failure } from "../../../kernel/failure.ts";
import { keepsSession, type Person } from "../../../kernel/people/person.ts";
import { mayManage, type Principal, seesSettings } from "../../../kernel/principal.ts";
import { fail, HttpFailure } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted, refused } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { presentPerson } from "./people.ts";

/** Expired sessions are deleted, so there are only as many as people are signed in. */
const LISTED_MAX = 1_000;

export const sessions = {
  async listSessions({ workspace, by, query }, deps) {
    const { person } = query ?? {};
    const isAll = seesSettings(by);
    if (!isAll && !isOwn({ name: person ?? by.name }, by)) throw fail("not_allowed");
    const found = await liveSessions(workspace, person ?? (isAll ? undefined : by.name), deps);
    return { status: 200, body: { sessions: found.map((session) => presentSession(session, by)) } };
  },

  async endSession({ workspace, by, params }, deps) {
    const found = await liveSessions(workspace, seesSettings(by) ? undefined : by.name, deps);
    const session = found.find(({ id }) => id === params.id);
    if (session === undefined)
      throw fail(seesSettings(by) || by.via === "session" ? "not_found" : "not_allowed");
    const command = { kind: "close_session", workspace, by, hash: session.hash } as const;
    return { status: 200, body: presentSession(accepted(await deps.engine.run(command), by).body, by) };
  },

  async endSessions({ workspace, by, params }, deps) {
    const command = { kind: "end_sessions", workspace, by, personId: params.id } as const;
    return { status: 200, body: presentPerson(accepted(await deps.engine.run(command), by)) };
  },

  async invitePerson({ workspace, by, params, body }, deps) {
    if (!mayManage(by)) throw fail("not_allowed");
    const stale = whyStale(by, deps.engine.clock.now());
    if (stale !== null) throw new HttpFailure(stale);
    const person = await activePerson(workspace, params.id, deps);
    const { id: name, role } = person;
    if (body.by === "email") return { status: 201, body: await invitedByMail(workspace, by, person, deps) };
    const made = await newSignIn(deps.engine, deps.ids, { workspace, by, name, role, isForPerson: true });
    if (!made.ok) throw refused(made.failure, undefined, by);
    return { status: 201, body: { person: name, url: `${deps.publicUrl}/signin/link?token=${made.token}` } };
  },
} satisfies Routes;

async function invitedByMail(workspace: string, by: Principal, person: Person, { invite }: RestDeps) {
  const refusal =
    invite === undefined
      ? failure("not_sent", "no e-mail channel is configured; hand over a one-time link")
      : await invite(workspace, by, person);
  if (refusal !== null) throw new HttpFailure(refusal);
  return { person: person.id, sent_to: person.email ?? "" };
}

async function activePerson(workspace: string, id: string, { engine }: RestDeps): Promise<Person> {
  const [found] = await engine.store.load([{ workspace, kind: "person", id, read: true }]);
  if (found === undefined || found.body.erasedAt !== undefined) throw fail("not_found");
  if (found.body.status === "suspended")
    throw fail("not_allowed", "this person is suspended; restore them first");
  return found.body;
}

/** The sessions that still count, the newest first. */
async function liveSessions(
  workspace: string,
  name: string | undefined,
  { engine }: RestDeps,
): Promise<readonly Session[]> {
  const { store, clock } = engine;
  const index = name === undefined ? {} : { index: { name: "name", value: name } };
  const found = await store.query({ workspace, kind: "session", ...index, limit: LISTED_MAX });
  const now = clock.now();
  const running = found
    .map(({ body }) => body)
    .filter((one) => one.endedAt === undefined && one.expiresAt > now);
  const people = await peopleOf(workspace, running, store);
  return running
    .filter((session) => keepsSession(people.get(session.name), session.madeAt))
    .toSorted((one, other) => other.madeAt - one.madeAt);
}

async function peopleOf(
  workspace: string,
  found: readonly Session[],
  store: RestDeps["engine"]["store"],
): Promise<ReadonlyMap<string, Person>> {
  const ids = [...new Set(found.map(({ name }) => name))];
  const rows: readonly Entity<Person>[] = await store.load(
    ids.map((id) => ({ workspace, kind: "person", id, read: true }) as const),
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

function presentSession(session: Session, by: Principal) {
  const { id, name: person, role, how = "link", oidc, device, madeAt, expiresAt } = session;
  return {
    ...{ id, person, role, how },
    ...(oidc === undefined ? {} : presentProof(oidc)),
    ...(device === undefined ? {} : { device }),
    ...{
      started_at: time(madeAt),
      expires_at: time(expiresAt),
      current: by.via === "session" && by.id === id,
    },
  };
}

function presentProof({ provider, authenticatedAt, acr, amr }: NonNullable<Session["oidc"]>) {
  return {
    provider,
    ...(authenticatedAt === undefined ? {} : { auth_time: time(authenticatedAt) }),
    ...(acr === undefined ? {} : { acr }),
    ...(amr === undefined ? {} : { amr }),
  };
}
