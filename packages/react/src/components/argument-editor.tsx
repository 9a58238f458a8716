/** The arguments of a call, edited as JSON, with what differs from the proposal always in sight. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import { type ReactNode, useId, useState } from "react";
import { diffJson, type JsonChange } from "../headless/diff.ts";
import { visibleJson } from "../headless/visible-json.ts";
import { Text } from "./text.tsx";

const WORDS = {
  proposedEdited: "Proposed and edited",
  change: "1 change",
  changes: (count: string | number) => `${count} changes`,
  whatProposed: "to what was proposed",
  proposed: "proposed:",
  edited: "edited:",
  notJson: "This is not a JSON object yet.",
};

export interface EditorProps {
  readonly name: string;
  readonly label: string;
  readonly proposed: JsonObject;
  readonly problem?: string | undefined;
  /** `null`: what is written is no JSON object. */
  readonly onChange: (edited: JsonObject | null) => void;
}

export function ArgumentEditor({ name, label, proposed, problem, onChange }: EditorProps): ReactNode {
  const id = useId();
  const written = visibleJson(proposed);
  const [text, setText] = useState(written);
  const edited = readObject(text);
  const wrong = edited === null ? WORDS.notJson : problem;
  return (
    <div className="hp-field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        className="hp-mono"
        rows={Math.min(16, Math.max(4, written.split("\n").length))}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        defaultValue={written}
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={wrong === undefined ? undefined : `${id}-problem`}
        onInput={(event) => {
          setText(event.currentTarget.value);
          onChange(readObject(event.currentTarget.value));
        }}
      />
      {wrong === undefined ? null : (
        <p className="hp-problem" id={`${id}-problem`} role="alert">
          {wrong}
        </p>
      )}
      {edited === null ? null : <ChangeList changes={diffJson(proposed, edited)} />}
    </div>
  );
}

function readObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function ChangeList({ changes }: { readonly changes: readonly JsonChange[] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <section className="hp-changes" aria-label={WORDS.proposedEdited}>
      <p className="hp-label">
        {changes.length === 1 ? WORDS.change : WORDS.changes(changes.length)} {WORDS.whatProposed}
      </p>
      <dl>
        {changes.map(({ at, before, after }) => (
          <div key={at}>
            <dt>
              <code>
                <Text>{at.slice(1).replaceAll("/", " › ")}</Text>
              </code>
            </dt>
            <dd>
              {before === undefined ? null : (
                <del>
                  <span className="hp-unseen">{WORDS.proposed} </span>
                  <Text>{JSON.stringify(before)}</Text>
                </del>
              )}
              {after === undefined ? null : (
                <ins>
                  <span className="hp-unseen">{WORDS.edited} </span>
                  <Text>{JSON.stringify(after)}</Text>
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
