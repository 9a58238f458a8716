/** What a person enters where a JSON Schema says what the answer is. */

import type { Json } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { schemaNode } from "../headless/schema-form.ts";
import { visibleJson } from "../headless/visible-json.ts";
import type { InputsProps } from "./answer-inputs.tsx";
import { useHydrated } from "./hooks.ts";
import { SchemaView, UnscriptedFiles } from "./schema-view.tsx";

const WORDS = {
  yourAnswerAs: "Your answer, as JSON",
  shape: "The shape it must have",
};

export function SchemaInputs({ ask, entered, problems, onEnter }: InputsProps): ReactNode {
  const isHydrated = useHydrated();
  const { responseSchema: schema = {} } = ask;
  if (!isHydrated) {
    return (
      <>
        <UnscriptedFiles schema={schema} />
        <div className="hp-field">
          <label>
            {WORDS.yourAnswerAs}
            <textarea name="data" rows={6} spellCheck={false} defaultValue={textOf(entered.value)} />
          </label>
          <details>
            <summary>{WORDS.shape}</summary>
            <pre>{visibleJson(schema)}</pre>
          </details>
        </div>
      </>
    );
  }
  const messages = new Map(
    problems.map(({ key, message }) => [key.replace(/^\/value(?=\/|$)/, ""), message]),
  );
  const byPlace = new Map([...messages, ...problems.map(({ key, message }) => [key, message] as const)]);
  return (
    <SchemaView
      node={schemaNode(schema)}
      value={entered.value}
      messages={byPlace}
      onChange={(value) => onEnter({ value })}
    />
  );
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "" : visibleJson(value);
}
