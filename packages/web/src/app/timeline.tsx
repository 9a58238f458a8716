/** Every event with the hash that chains it to the one before. */

import type { HoldEvent } from "@holdpoint/protocol/client";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { To } from "./parts.tsx";

const WORDS = {
  unnamed: "somebody whose name was not recorded",
  hold: "The hold",
  hash: "Hash",
  before: "Before",
  firstItsChain: "first of its chain",
  who: "Who",
  number: "Number",
  itsChainLog: (seq: string | number, position: string | number) =>
    `${seq} of its chain, ${position} of the log`,
};

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
                <To href={`/console/holds/${event.holdId}`}>{WORDS.hold}</To>
              </p>
            ) : null}
            <dl className="app-facts">
              <div>
                <dt>{WORDS.hash}</dt>
                <dd>
                  <code className="app-hash">{event.hash}</code>
                </dd>
              </div>
              <div>
                <dt>{WORDS.before}</dt>
                <dd>
                  <code className="app-hash">
                    {event.previous === "" ? WORDS.firstItsChain : event.previous}
                  </code>
                </dd>
              </div>
              <div>
                <dt>{WORDS.who}</dt>
                <dd>
                  <code className="app-hash">
                    <Text>{event.actor}</Text>
                  </code>
                </dd>
              </div>
              <div>
                <dt>{WORDS.number}</dt>
                <dd>{WORDS.itsChainLog(event.seq, event.position)}</dd>
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
  if (kind === "session" && SESSION_ID.test(name)) return WORDS.unnamed;
  return kind === "key" || kind === "session" ? name : (BY_ID[kind] ?? actor);
}
