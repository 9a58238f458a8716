/** Answers of an earlier time that were never sent: shown again, with what has changed since. */

import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useEffect } from "react";
import { useAnswers } from "./answers.tsx";
import { useApi } from "./hooks.ts";
import { useSecond } from "./live.ts";
import { Prompt, To } from "./parts.tsx";
import { useHold } from "./queries.ts";
import { changesSince, dropUnsent, type Unsent, useUnsent } from "./unsent.ts";

const WORDS = {
  label: "Answers that were not sent",
  title: "This answer was not sent.",
  given: "Given",
  same: "Nothing has changed since.",
  reading: "Reading how it stands now …",
  unknown: "There is no connection to the server, so nobody knows yet whether anything has changed.",
  send: (action: string) => `Send “${action}” now`,
  open: "Look at it and answer again",
  discard: "Discard",
};

export function UnsentAnswers(): ReactNode {
  const api = useApi();
  useSecond();
  const all = useUnsent(api.state.name, api.now());
  const { pending } = useAnswers();
  const shown = all.filter(({ holdId }) => !pending.some(({ hold }) => hold.id === holdId));
  if (shown.length === 0) return null;
  return (
    <section className="app-unsent" aria-label={WORDS.label}>
      {shown.map((unsent) => (
        <UnsentAnswer key={unsent.holdId} unsent={unsent} />
      ))}
    </section>
  );
}

function UnsentAnswer({ unsent }: { readonly unsent: Unsent }): ReactNode {
  const { data, dataUpdatedAt, isFetching, refetch } = useHold(unsent.holdId);
  const { give } = useAnswers();
  const { state, now } = useApi();
  // What was read before the answer was given says nothing about now. The answer has the server's time.
  const isOld = dataUpdatedAt + now() - Date.now() < unsent.at;
  const hold = isOld ? undefined : data;
  useEffect(() => {
    if (isOld) void refetch();
  }, [isOld, refetch]);
  const changes = hold === undefined ? undefined : changesSince(unsent, hold);
  const given = unsent.data;
  const mayBeSent = hold?.status === "open" && hold.digest === unsent.digest;
  return (
    <div className="hp-notice" role="alert">
      <p>
        <strong>{WORDS.title}</strong> <Text>{unsent.label}</Text> · <Prompt of={unsent.prompt} />{" "}
        <small>
          {WORDS.given} <Moment at={new Date(unsent.at).toISOString()} />
        </small>
      </p>
      <p>
        {changes === undefined
          ? isFetching
            ? WORDS.reading
            : WORDS.unknown
          : changes.join(" ") || WORDS.same}
      </p>
      <div className="app-tools">
        {mayBeSent && given !== undefined ? (
          <button
            type="button"
            className="app-button"
            onClick={() => void give(hold, { action: unsent.action, data: given })}
          >
            {WORDS.send(unsent.label)}
          </button>
        ) : null}
        <To href={`/console/holds/${unsent.holdId}`}>{WORDS.open}</To>
        <button type="button" className="hp-quiet" onClick={() => dropUnsent(state.name, unsent.holdId)}>
          {WORDS.discard}
        </button>
      </div>
    </div>
  );
}
