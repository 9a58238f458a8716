/**
 * Who may follow an event besides people. The audience decides which agent is sent the event and is not part of the event's
 * hash, so it is compared with what the log says: all events of an entity are for one agent, the one that created it.
 */

import type { StoredEvent } from "../kernel/record.ts";
import type { Found } from "./verify.ts";
import { readData } from "./verify-walk.ts";

/** Only people may follow these. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ...["api_key", "sign_in", "session", "webhook", "workspace", "signing_key"],
  ...["person", "team", "passkey", "passkey_host", "rules"],
]);

/** A coordinator's agent may change; each of its events is for the agent of that time. */
const CHANGES = "coordinator";

export class Audiences {
  readonly #breaks: Found[];
  readonly #known = new Map<string, string | null>();

  constructor(breaks: Found[]) {
    this.#breaks = breaks;
  }

  pass(event: StoredEvent): void {
    const { workspace, stream, audience } = event;
    const kind = stream.slice(0, stream.indexOf(":"));
    if (kind === CHANGES) return;
    const name = `${workspace}\u0000${stream}`;
    if (!this.#known.has(name)) this.#known.set(name, FOR_PEOPLE.has(kind) ? null : creatorIn(event, kind));
    if (this.#known.get(name) !== audience) this.#report(event);
  }

  #report({ workspace, position, stream, seq }: StoredEvent): void {
    const what = "the agent that may follow it was changed";
    this.#breaks.push({ workspace, position, stream, seq, what });
  }
}

/** The agent that the first event of an entity names as its creator. Without one, the first event's own audience counts. */
function creatorIn({ data, audience }: StoredEvent, kind: string): string | null {
  // The agent of a skip is whom its service names; the service is the one that recorded it.
  if (kind === "skip") return audience;
  const { created_by: own, payload, agent } = readData(data);
  const served = (payload as Record<string, unknown> | undefined)?.["created_by"];
  const named = [own, served, agent].find((name) => typeof name === "string");
  return (named as string | undefined) ?? audience;
}
