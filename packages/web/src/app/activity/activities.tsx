/** What happened, one sentence each; opened, the event as the log has it. */

import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { To } from "../parts.tsx";
import { useNames } from "../queries.ts";
import { type Activity, sentenceOf } from "./sentence.ts";

const WORDS = {
  hold: "The hold",
  hash: "Hash",
  actor: "As the log names it",
  type: "Event",
  number: "Number in the log",
};

export function Activities({
  activities,
  isOfOne = false,
}: {
  readonly activities: readonly Activity[];
  readonly isOfOne?: boolean;
}): ReactNode {
  const nameOf = useNames();
  return (
    <ol className="app-timeline">
      {activities.map((activity) => (
        <li key={activity.position}>
          <details>
            <summary>
              <span>
                <Text>{sentenceOf(activity, isOfOne, nameOf)}</Text>
              </span>
              <small>
                <Moment at={activity.at} />
              </small>
            </summary>
            {isOfOne || activity.hold === undefined ? null : (
              <p>
                <To href={`/console/holds/${activity.hold.id}`}>{WORDS.hold}</To>
              </p>
            )}
            <dl className="app-facts">
              {(
                [
                  [WORDS.type, activity.type],
                  [WORDS.actor, activity.actor],
                  [WORDS.number, String(activity.position)],
                  [WORDS.hash, activity.hash],
                ] as const
              ).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <code className="app-hash">
                      <Text>{value}</Text>
                    </code>
                  </dd>
                </div>
              ))}
            </dl>
            <pre>{JSON.stringify(activity.data, null, 2)}</pre>
          </details>
        </li>
      ))}
    </ol>
  );
}
