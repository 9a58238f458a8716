/** What changed from round to round, and what a person changed when they approved: old beside new. */

import type { Hold } from "@holdpoint/protocol/client";
import { Text } from "@holdpoint/react";
import { diffJson } from "@holdpoint/react/headless";
import { type ReactNode, useState } from "react";
import { To } from "./parts.tsx";
import { useHold } from "./queries.ts";

const WORDS = {
  title: "Changes",
  round: "Since the round before",
  earlier: "The round before",
  oneBefore: "What changed before that",
  more: "Show what changed before that",
  edited: "Changed by the person who approved",
  same: "Nothing in the context has changed.",
  what: "What",
  before: "Before",
  after: "After",
};

export function Rounds({ hold }: { readonly hold: Hold }): ReactNode {
  const edited = editOf(hold);
  if (hold.previous === undefined && edited === undefined) return null;
  return (
    <section className="app-panel" aria-label={WORDS.title}>
      <h2>{WORDS.title}</h2>
      {edited === undefined ? null : (
        <>
          <h3>{WORDS.edited}</h3>
          <Changes before={edited.before} after={edited.after} />
        </>
      )}
      <Round hold={hold} title={WORDS.round} />
    </section>
  );
}

/** One round beside the one before it; the rounds before those on demand, one at a time. */
function Round({ hold, title }: { readonly hold: Hold; readonly title: string }): ReactNode {
  const { data: before } = useHold(hold.previous);
  const [isMore, setMore] = useState(false);
  if (before === undefined) return null;
  return (
    <>
      <h3>
        {title} · <To href={`/console/holds/${before.id}`}>{WORDS.earlier}</To>
      </h3>
      <Changes
        before={{ prompt: before.prompt, ...before.context }}
        after={{ prompt: hold.prompt, ...hold.context }}
      />
      {before.previous === undefined ? null : isMore ? (
        <Round hold={before} title={WORDS.oneBefore} />
      ) : (
        <button type="button" className="app-button" onClick={() => setMore(true)}>
          {WORDS.more}
        </button>
      )}
    </>
  );
}

/** The arguments as they were proposed, and as they were approved. */
function editOf({ context, outcome }: Hold): { readonly before: object; readonly after: object } | undefined {
  if (outcome?.kind !== "decided") return undefined;
  const after = (outcome.data["edited_args"] ?? outcome.data["modified_params"]) as object | undefined;
  const before = (context?.["args"] ?? context?.["arguments"] ?? context?.["params"]) as object | undefined;
  return after === undefined ? undefined : { before: before ?? {}, after };
}

function Changes({ before, after }: { readonly before: object; readonly after: object }): ReactNode {
  const changes = diffJson(before as never, after as never);
  if (changes.length === 0) return <p className="hp-hint">{WORDS.same}</p>;
  return (
    <div className="app-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{WORDS.what}</th>
            <th scope="col">{WORDS.before}</th>
            <th scope="col">{WORDS.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.at}>
              <th scope="row">
                <Text>{change.at}</Text>
              </th>
              <td>
                {"before" in change && change.before !== undefined ? (
                  <del>
                    <Text>{said(change.before)}</Text>
                  </del>
                ) : null}
              </td>
              <td>
                {"after" in change && change.after !== undefined ? (
                  <ins>
                    <Text>{said(change.after)}</Text>
                  </ins>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function said(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
