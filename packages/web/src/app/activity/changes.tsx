/** Who changed what on a page of settings, newest first: the log's own events, as sentences. */

import type { ActivityOut } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { Await, Empty } from "../parts.tsx";
import { useRead } from "../queries.ts";
import { Activities } from "./activities.tsx";
import { CHANGES } from "./change-types.ts";

const WORDS = {
  title: "What changed here",
  nothing: "Nothing has changed yet",
  older: "Older",
  newest: "Newest",
};

const PAGE = 20;

interface ChangesProps {
  readonly of: keyof typeof CHANGES;
}

/** Read when it is opened. */
export function Changes({ of }: ChangesProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="app-panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{WORDS.title}</summary>
      {isOpen ? <Page of={of} /> : null}
    </details>
  );
}

function Page({ of }: ChangesProps): ReactNode {
  const [before, setBefore] = useState<number>();
  const at = before === undefined ? "" : `&before=${before}`;
  const path = `/v1/activity?types=${CHANGES[of].join(",")}&limit=${PAGE}${at}`;
  const { data, error, refetch } = useRead<ActivityOut>(path, "events");
  const trouble = error === null ? undefined : wordsOf(error);
  return (
    <Await loaded={{ value: data, trouble, reload: () => void refetch() }}>
      {({ activities, next_before: next }) => (
        <>
          {activities.length === 0 ? <Empty title={WORDS.nothing} /> : <Activities activities={activities} />}
          {before === undefined ? null : (
            <button type="button" className="app-button" onClick={() => setBefore(undefined)}>
              {WORDS.newest}
            </button>
          )}{" "}
          {next === undefined ? null : (
            <button type="button" className="app-button" onClick={() => setBefore(next)}>
              {WORDS.older}
            </button>
          )}
        </>
      )}
    </Await>
  );
}
