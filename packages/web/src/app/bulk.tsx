/** The same answer to several holds of one type, after everything that will happen has been read once more. */

import type { Hold } from "@holdpoint/protocol/client";
import { type Action, needsNote } from "@holdpoint/protocol/rules";
import { Text } from "@holdpoint/react";
import { askOf } from "@holdpoint/react/headless";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { wordsOf } from "./api.ts";
import { useApi } from "./hooks.ts";

/** Only answers that need nothing but the pressing. */
const BARE = new Set(["approve", "reject", "confirm", "cancel", "retry", "skip", "abort"]);

interface BulkProps {
  readonly holds: readonly Hold[];
  readonly onDone: () => void;
}

export function Bulk({ holds, onDone }: BulkProps): ReactNode {
  const [action, setAction] = useState<Action>();
  // What is answered leaves the list; how it went is still to be read.
  if (holds.length === 0 && action === undefined) return null;
  const types = new Set(holds.map(({ type }) => type));
  const actions = (holds[0]?.actions ?? []).filter(
    ({ id }) => BARE.has(id) && !holds.some((hold) => needsNote(askOf(hold), id)),
  );
  return (
    <section className="app-bulk" aria-label="Marked">
      <strong>{holds.length} marked</strong>
      {types.size > 1 || actions.length === 0 ? (
        <span>Mark holds of one type to answer them together.</span>
      ) : (
        actions.map((each) => (
          <button
            key={each.id}
            type="button"
            className={`app-button app-${each.style ?? "default"}`}
            onClick={() => setAction(each)}
          >
            {each.label} all
          </button>
        ))
      )}
      <button type="button" className="hp-quiet" onClick={onDone}>
        Clear
      </button>
      {action === undefined ? null : (
        <Confirm
          holds={holds}
          action={action}
          onClose={(isDone) => {
            setAction(undefined);
            if (isDone) onDone();
          }}
        />
      )}
    </section>
  );
}

interface ConfirmProps {
  readonly holds: readonly Hold[];
  readonly action: Action;
  readonly onClose: (isDone: boolean) => void;
}

/** One after the other, until all are answered or somebody stops it. */
function useAnswerAll(listed: readonly Hold[], action: Action) {
  const api = useApi();
  const [results, setResults] = useState<ReadonlyMap<string, string>>();
  const [isOver, setOver] = useState(false);
  const isStopped = useRef(false);

  async function answerAll(): Promise<void> {
    const done = new Map<string, string>();
    setResults(done);
    for (const hold of listed) {
      if (isStopped.current) break;
      const body = { action: action.id, shown: hold.digest };
      const said = await api.send("POST", `/v1/holds/${hold.id}/answer`, body).then(() => "done", wordsOf);
      done.set(hold.id, said);
      setResults(new Map(done));
    }
    setOver(true);
  }

  function stop(): void {
    isStopped.current = true;
  }

  return { results, isOver, answerAll, stop };
}

function Confirm({ holds, action, onClose }: ConfirmProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // Frozen: what is confirmed is what was listed.
  const [listed] = useState(holds);
  const { results, isOver, answerAll, stop } = useAnswerAll(listed, action);
  useEffect(() => dialog.current?.showModal(), []);

  // If the person leaves the page meanwhile, the remaining answers are not sent.
  function close(): void {
    stop();
    onClose(results !== undefined);
  }

  return (
    <dialog ref={dialog} className="app-dialog" aria-labelledby="bulk-title" onClose={close}>
      <h2 id="bulk-title">
        {action.label ?? action.id} these {listed.length}?
      </h2>
      <ul>
        {listed.map((hold) => (
          <li key={hold.id}>
            <Text>{hold.prompt}</Text>
            <small>
              asked by <Text>{hold.createdBy}</Text>
            </small>
            {results?.has(hold.id) ? <em>{results.get(hold.id)}</em> : null}
            {isOver && !results?.has(hold.id) ? <em>not answered</em> : null}
          </li>
        ))}
      </ul>
      <div className="app-tools">
        {results === undefined ? (
          <button
            type="button"
            className={`app-button app-${action.style ?? "default"}`}
            onClick={() => void answerAll()}
          >
            Yes, {(action.label ?? action.id).toLowerCase()} all {listed.length}
          </button>
        ) : null}
        {results === undefined || isOver ? (
          <button type="button" className="app-button" onClick={() => dialog.current?.close()}>
            {isOver ? "Close" : "Back"}
          </button>
        ) : (
          <button type="button" className="app-button" onClick={stop}>
            Stop
          </button>
        )}
        {results === undefined || isOver ? null : (
          <span role="status">
            {results.size} of {listed.length}
          </span>
        )}
      </div>
    </dialog>
  );
}
