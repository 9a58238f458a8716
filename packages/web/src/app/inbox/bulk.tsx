/** The same answer to several holds of one type, after everything that will happen has been read once more. */

import type { HoldOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { amountIn, needsNote, type ShownAction, shownActions } from "@holdpoint/protocol/rules";
import { HoldDetails, Text } from "@holdpoint/react";
import { askOf } from "@holdpoint/react/headless";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { Compare } from "./compare.tsx";
import { WORDS } from "./words.ts";

const { bulk: SAID } = WORDS;

/** Only answers that need nothing but the pressing. */
const BARE = new Set(["approve", "reject", "confirm", "cancel", "retry", "skip", "abort"]);

interface BulkProps {
  readonly holds: readonly Hold[];
  /** With what was answered; absent: the person wants none of them marked. */
  readonly onDone: (answered?: ReadonlySet<string>) => void;
}

/** What all of them offer. The labels of one hold say nothing about the others, so only the words of the type are used. */
export function actionsForAll(holds: readonly Hold[]): readonly ShownAction[] {
  const asks = holds.map(askOf);
  return shownActions(asks[0] ?? { type: "approval", actions: [] }).filter(
    ({ id }) =>
      BARE.has(id) &&
      asks.every((ask) => !needsNote(ask, id) && ask.actions?.some((action) => action.id === id) === true),
  );
}

export function Bulk({ holds, onDone }: BulkProps): ReactNode {
  const [action, setAction] = useState<ShownAction>();
  const [isCompared, setCompared] = useState(false);
  // What is answered leaves the list; how it went is still to be read.
  if (holds.length === 0 && action === undefined) return null;
  const types = new Set(holds.map(({ type }) => type));
  const actions = actionsForAll(holds);
  return (
    <section className="app-bulk" aria-label={SAID.label}>
      <strong>{SAID.marked(holds.length)}</strong>
      {types.size > 1 || actions.length === 0 ? (
        <span>{SAID.oneType}</span>
      ) : (
        actions.map((each) => (
          <button
            key={each.id}
            type="button"
            className={`app-button app-${each.style}`}
            onClick={() => setAction(each)}
          >
            {SAID.all(each.word)}
          </button>
        ))
      )}
      {holds.length < 2 ? null : (
        <button type="button" className="app-button" onClick={() => setCompared(true)}>
          {WORDS.compare.open}
        </button>
      )}
      <button type="button" className="hp-quiet" onClick={() => onDone()}>
        {SAID.clear}
      </button>
      {isCompared ? <Compare holds={holds} onClose={() => setCompared(false)} /> : null}
      {action === undefined ? null : (
        <Confirm
          holds={holds}
          action={action}
          onClose={(answered) => {
            setAction(undefined);
            if (answered.size > 0) onDone(answered);
          }}
        />
      )}
    </section>
  );
}

interface ConfirmProps {
  readonly holds: readonly Hold[];
  readonly action: ShownAction;
  readonly onClose: (answered: ReadonlySet<string>) => void;
}

/** Where an approval's answer carries the person's words. */
function noteFor(action: string): "feedback" | "note" {
  return action === "reject" ? "feedback" : "note";
}

/** One after the other, until all are answered or somebody stops it. */
function useAnswerAll(listed: readonly Hold[], action: ShownAction, reason: string) {
  const api = useApi();
  const [results, setResults] = useState<ReadonlyMap<string, string>>();
  const [isOver, setOver] = useState(false);
  const isStopped = useRef(false);

  async function answerAll(): Promise<void> {
    const done = new Map<string, string>();
    setResults(done);
    for (const hold of listed) {
      if (isStopped.current) break;
      const note = reason.trim();
      const body = {
        action: action.id,
        shown: hold.digest,
        ...(note === "" ? {} : { data: { [noteFor(action.id)]: note } }),
      };
      const said = await api
        .send<HoldOut>("POST", `/v1/holds/${hold.id}/answer`, body)
        .then(({ status }) => (status === "open" ? SAID.voted : SAID.done), wordsOf);
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

function isAnswered(said: string | undefined): boolean {
  return said === SAID.done || said === SAID.voted;
}

function Confirm({ holds, action, onClose }: ConfirmProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // Frozen: what is confirmed is what was listed.
  const [listed] = useState(holds);
  const [reason, setReason] = useState("");
  const { results, isOver, answerAll, stop } = useAnswerAll(listed, action, reason);
  const now = new Map(holds.map((hold) => [hold.id, hold]));
  useEffect(() => dialog.current?.showModal(), []);

  // If the person leaves the page meanwhile, the remaining answers are not sent.
  function close(): void {
    stop();
    // What went wrong stays marked, for another try.
    onClose(new Set(listed.map(({ id }) => id).filter((id) => isAnswered(results?.get(id)))));
  }

  return (
    <dialog ref={dialog} className="app-dialog app-bulk-list" aria-labelledby="bulk-title" onClose={close}>
      <h2 id="bulk-title">{SAID.sure(action.word, listed.length)}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul tabIndex={0} aria-labelledby="bulk-title">
        {listed.map((hold) => (
          <li key={hold.id}>
            <Listed hold={hold} />
            {results === undefined ? <Meanwhile listed={hold} now={now.get(hold.id)} /> : null}
            {results?.has(hold.id) ? <em>{results.get(hold.id)}</em> : null}
            {isOver && !results?.has(hold.id) ? <em>{SAID.notAnswered}</em> : null}
          </li>
        ))}
      </ul>
      {results === undefined && listed.every(({ type }) => type === "approval") ? (
        <label className="app-field">
          {SAID.reason}
          <input value={reason} maxLength={2000} onChange={(event) => setReason(event.currentTarget.value)} />
        </label>
      ) : null}
      <div className="app-tools">
        {results === undefined ? (
          <button type="button" className={`app-button app-${action.style}`} onClick={() => void answerAll()}>
            {SAID.yes(action.word, listed.length)}
          </button>
        ) : null}
        {results === undefined || isOver ? (
          <button type="button" className="app-button" onClick={() => dialog.current?.close()}>
            {isOver ? SAID.close : SAID.back}
          </button>
        ) : (
          <button type="button" className="app-button" onClick={stop}>
            {SAID.stop}
          </button>
        )}
        {results === undefined || isOver ? null : (
          <span role="status">{SAID.progress(results.size, listed.length)}</span>
        )}
      </div>
    </dialog>
  );
}

/** The answer names the digest of what was shown, so that everything it covers is here to read (G12). */
export function Listed({ hold }: { readonly hold: Hold }): ReactNode {
  const amount = amountIn(hold.context);
  return (
    <>
      <strong>
        <Text>{hold.prompt}</Text>
      </strong>
      <small>
        {SAID.by} <Text>{hold.createdBy}</Text>
        {amount === undefined ? null : <Text>{` · ${amount}`}</Text>}
      </small>
      <HoldDetails hold={hold} />
    </>
  );
}

/** What happened to a hold while somebody reads the list. `now` is absent once it has ended. */
function Meanwhile({ listed, now }: { readonly listed: Hold; readonly now: Hold | undefined }): ReactNode {
  if (now === undefined) return <em role="status">{SAID.ended}</em>;
  const isCommented = (now.comments?.length ?? 0) > (listed.comments?.length ?? 0);
  return isCommented ? <em role="status">{SAID.commented}</em> : null;
}
