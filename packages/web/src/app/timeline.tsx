/** Every event with the hash that chains it to the one before. */

import type { HoldEvent } from "@holdpoint/protocol/client";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { To } from "./parts.tsx";

interface TimelineProps {
  readonly events: readonly HoldEvent[];
  /** Of many streams, so that each says whose it is. */
  readonly isOfAll?: boolean;
}

export function Timeline({ events, isOfAll = false }: TimelineProps): ReactNode {
  return (
    <ol className="app-timeline">
      {events.map((event) => (
        <li key={event.position}>
          <details>
            <summary>
              <strong>{event.type.replace(/^hold\./, "").replaceAll("_", " ")}</strong>
              <small>
                <Moment at={event.at} /> · <Text>{actorWords(event.actor)}</Text>
                {isOfAll ? (
                  <>
                    {" "}
                    · <code>{event.stream}</code>
                  </>
                ) : null}
              </small>
              <code className="app-hash">{event.hash.replace(/^sha256:/, "").slice(0, 10)}</code>
            </summary>
            {isOfAll && event.holdId !== undefined ? (
              <p>
                <To href={`/console/holds/${event.holdId}`}>The hold</To>
              </p>
            ) : null}
            <dl className="app-facts">
              <div>
                <dt>Hash</dt>
                <dd>
                  <code className="app-hash">{event.hash}</code>
                </dd>
              </div>
              <div>
                <dt>Before</dt>
                <dd>
                  <code className="app-hash">
                    {event.previous === "" ? "first of its chain" : event.previous}
                  </code>
                </dd>
              </div>
              <div>
                <dt>Who</dt>
                <dd>
                  <code className="app-hash">
                    <Text>{event.actor}</Text>
                  </code>
                </dd>
              </div>
              <div>
                <dt>Number</dt>
                <dd>
                  {event.seq} of its chain, {event.position} of the log
                </dd>
              </div>
            </dl>
            <pre>{JSON.stringify(event.data, null, 2)}</pre>
          </details>
        </li>
      ))}
    </ol>
  );
}

const BY_ID: Readonly<Record<string, string>> = {
  link: "somebody by link",
  channel: "somebody by message",
};

/** Logs of earlier versions have the id of the session in place of the person. */
const SESSION_ID = /^session_[0-9A-Z]+$/i;

/** The id of a link says nothing to people; it stands with the details. */
function actorWords(actor: string): string {
  const [kind = "", ...rest] = actor.split(":");
  const name = rest.join(":");
  if (kind === "session" && SESSION_ID.test(name)) return "somebody signed in";
  return kind === "key" || kind === "session" ? name : (BY_ID[kind] ?? actor);
}
