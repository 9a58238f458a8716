/** What happened, newest first, with names and with what each event is about. */

import type { ActivityOut, ActivityQuery } from "@holdpoint/protocol";
import { toolIn } from "@holdpoint/protocol/rules";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { seesAll } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { isIntentStream } from "../../../openintent/rules/intent/served.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { briefOf } from "../brief.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { backwards, backwardsInStream } from "./log-backwards.ts";

const PAGE = 50;
type Holds = Map<string, Hold | undefined>;

export async function activity(
  { workspace, by }: Caller,
  query: ActivityQuery,
  deps: CallDeps,
): Promise<ActivityOut> {
  if (!seesAll(by)) throw fail("not_allowed");
  const { store } = deps.engine;
  const limit = query.limit ?? PAGE;
  const last = await store.lastPosition();
  const from = query.from === undefined ? 0 : Date.parse(query.from);
  const found: StoredEvent[] = [];
  const holds: Holds = new Map();
  let before = Math.min(query.before ?? last + 1, last + 1);
  let isOver = before <= 1;
  const windows =
    query.hold_id === undefined
      ? backwards(store, workspace, before)
      : backwardsInStream(store, { workspace, kind: "hold", id: query.hold_id }, before);
  for await (const window of windows) {
    const events = window.events.filter((event) => isWanted(event, query));
    await loadHolds(holds, workspace, events, deps);
    for (const event of events) {
      if (found.length >= limit) break;
      if (!isAboutWanted(event, holds.get(holdIdOf(event) ?? ""), query)) continue;
      found.push(event);
    }
    const isFull = found.length >= limit;
    const last = isFull ? found.at(-1) : undefined;
    // Nothing of the window is left if its last event is the last one on the page.
    before = last === undefined || last === window.events.at(-1) ? window.from : last.position;
    isOver = before <= 1 || (window.events.at(-1)?.at ?? from) < from;
    if (isFull || isOver) break;
  }
  const names = await namesFor(found, holds, workspace, deps);
  const teams = await teamsOf(found, workspace, deps);
  return {
    activities: found.map((event) => ({ ...present(event, holds, names), ...teams(event) })),
    ...(isOver ? {} : { next_before: before }),
  };
}

function holdIdOf({ stream }: StoredEvent): string | undefined {
  return stream.startsWith("hold:") ? stream.slice("hold:".length) : undefined;
}

function isWanted(event: StoredEvent, query: ActivityQuery): boolean {
  const { types, from, until, agent, person, hold_id: holdId, door, ending } = query;
  // Events of intents are read through OpenIntent, which checks its access list.
  if (isIntentStream(event.stream)) return false;
  if (types !== undefined && !types.includes(event.type)) return false;
  if (from !== undefined && event.at < Date.parse(from)) return false;
  if (until !== undefined && event.at >= Date.parse(until)) return false;
  if (agent !== undefined && event.audience !== agent) return false;
  if (holdId !== undefined && event.stream !== `hold:${holdId}`) return false;
  if (person !== undefined && !isBy(event, person)) return false;
  if (door === undefined && ending === undefined) return true;
  const data = JSON.parse(event.data) as { readonly door?: string; readonly action?: string };
  if (door !== undefined && data.door !== door) return false;
  return (
    ending === undefined ||
    event.type === `hold.${ending}` ||
    (event.type === "hold.decided" && data.action === ending)
  );
}

function isBy({ actor, data, type }: StoredEvent, person: string): boolean {
  return (
    isLinkDecision({ actor, type }) ||
    actor === person ||
    actor === `session:${person}` ||
    actor === `key:${person}` ||
    actor === `channel:${person}` ||
    (JSON.parse(data) as { person?: string }).person === person
  );
}

/** The log names the link; the row of the hold says whose it was. */
function isLinkDecision({ actor, type }: Pick<StoredEvent, "actor" | "type">): boolean {
  return type === "hold.decided" && actor.startsWith("link:");
}

function isAboutWanted(event: StoredEvent, hold: Hold | undefined, { tool, person }: ActivityQuery): boolean {
  if (tool !== undefined && toolOf(event, hold) !== tool) return false;
  if (person === undefined || !isLinkDecision(event)) return true;
  const { outcome } = hold ?? {};
  const name = outcome?.kind === "decided" ? outcome.by.name : undefined;
  return name === person || name === `person:${person}`;
}

/** A call that was only checked has no hold; its event names the tool. */
function toolOf({ data, type }: StoredEvent, hold: Hold | undefined): string | undefined {
  if (type !== "check.recorded" && type !== "grant.minted") return toolIn(hold?.ask?.context);
  return (JSON.parse(data) as { readonly tool?: string }).tool;
}

async function loadHolds(holds: Holds, workspace: string, events: readonly StoredEvent[], deps: CallDeps) {
  const ids = [...new Set(events.flatMap((event) => holdIdOf(event) ?? []))].filter((id) => !holds.has(id));
  for (const id of ids) holds.set(id, undefined);
  const wants = ids.map((id) => ({ workspace, kind: "hold", id, read: true }) as const);
  for (const { id, body } of await deps.engine.store.load(wants)) holds.set(id, body);
}

/** Sessions and sign-in links belong to the person whose id is their name. */
const OF_PERSONS = /^(?:session|sign_in):/;

/** The person that an event is about: who voted, to whom it was given, whose row changed. */
function personIn({ data, stream }: StoredEvent): string | undefined {
  const { person, person_id: id, assignee, name } = JSON.parse(data) as Readonly<Record<string, unknown>>;
  const found = person ?? id ?? assignee ?? (OF_PERSONS.test(stream) ? name : undefined);
  return typeof found === "string" ? found : undefined;
}

/** By actor as the log writes it, and `person:<id>` for people that events are about. */
async function namesFor(
  events: readonly StoredEvent[],
  holds: Holds,
  workspace: string,
  { engine: { store } }: CallDeps,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const people = new Set<string>();
  for (const event of events) {
    const [via = "", ...rest] = event.actor.split(":");
    // Events of intents name who acted without saying how they came.
    const id = rest.length === 0 ? via : rest.join(":");
    if (via === "link") {
      const recipient = await recipientOf(id, holdIdOf(event), workspace, store);
      if (recipient !== undefined) names.set(event.actor, recipient);
      if (recipient?.startsWith("person:") === true) people.add(recipient.slice("person:".length));
    } else if (via !== "system") {
      names.set(event.actor, id);
      people.add(id);
    }
    const about = personIn(event);
    if (about !== undefined) {
      names.set(`person:${about}`, about);
      people.add(about);
    }
  }
  for (const hold of holds.values()) if (hold?.assignee !== undefined) people.add(hold.assignee);
  const wants = [...people].map((id) => ({ workspace, kind: "person", id, read: true }) as const);
  const known = new Map((await store.load(wants)).map(({ id, body }) => [id, body.name]));
  for (const [actor, name] of names) names.set(actor, known.get(name.replace(/^person:/, "")) ?? name);
  return names;
}

/** The log has the ids of teams only; their rows stay when they are removed. */
async function teamsOf(events: readonly StoredEvent[], workspace: string, { engine: { store } }: CallDeps) {
  const idOf = ({ stream }: StoredEvent) =>
    stream.startsWith("team:") ? stream.slice("team:".length) : undefined;
  const ids = [...new Set(events.flatMap((event) => idOf(event) ?? []))];
  const rows = await store.load(ids.map((id) => ({ workspace, kind: "team", id, read: true }) as const));
  const names = new Map(rows.map(({ id, body }) => [id, body.name]));
  return (event: StoredEvent): { readonly team?: string } => {
    const team = names.get(idOf(event) ?? "");
    return team === undefined ? {} : { team };
  };
}

async function recipientOf(
  linkId: string,
  holdId: string | undefined,
  workspace: string,
  store: CallDeps["engine"]["store"],
): Promise<string | undefined> {
  if (holdId === undefined) return undefined;
  const links = await store.query({ workspace, kind: "link", prefix: `${holdId}.`, limit: 50 });
  return links.find(({ body }) => body.id === linkId)?.body.recipient;
}

function present(event: StoredEvent, holds: Holds, names: ReadonlyMap<string, string>) {
  const hold = holds.get(holdIdOf(event) ?? "");
  const who = names.get(event.actor);
  const whom = names.get(`person:${personIn(event) ?? ""}`);
  return {
    position: event.position,
    at: time(event.at),
    type: event.type,
    stream: event.stream,
    actor: event.actor,
    ...(who === undefined ? {} : { who }),
    ...(whom === undefined ? {} : { whom }),
    data: JSON.parse(event.data),
    ...(hold === undefined ? {} : { hold: briefOf(hold) }),
    hash: event.hash,
  };
}
