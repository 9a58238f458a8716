/** Which tool calls need a person: the rules that count, what they did, and what people allowed in advance. */

import type { RulesOut } from "@holdpoint/protocol";
import { type ReactNode, useState } from "react";
import { Changes } from "../activity/changes.tsx";
import { useApi } from "../hooks.ts";
import { Await, Heading } from "../parts.tsx";
import { useRules } from "../queries.ts";
import { Coverage } from "./coverage.tsx";
import { Grants } from "./grants.tsx";
import { RuleEditor } from "./rule-editor.tsx";
import { RuleHistory } from "./rule-history.tsx";

const WORDS = {
  rules: "Rules",
  noRulesYet: "No rules yet",
  version: (version: string | number) => `Version ${version}`,
  shadowModeVerdicts: "In shadow mode: verdicts are recorded and nothing is enforced.",
  changeRules: "Change the rules",
};

const DEFAULTS: Readonly<Record<RulesOut["default"], string>> = {
  allow: "Every other call is allowed.",
  ask: "A person is asked about every other call.",
  deny: "Every other call is denied.",
};

export function Rules({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [isEditing, setEditing] = useState(false);
  const rules = useRules();
  const mayPublish = api.state.role === "admin" || api.state.role === "dev";
  return (
    <>
      <Heading title={WORDS.rules} />
      <Await loaded={rules}>
        {(current) => (
          <>
            <section className="app-panel">
              <h2>{current.version === 0 ? WORDS.noRulesYet : WORDS.version(current.version)}</h2>
              {current.mode === "shadow" ? <p className="hp-notice">{WORDS.shadowModeVerdicts}</p> : null}
              <RuleWords rules={current} />
              {mayPublish && !isEditing ? (
                <button type="button" className="app-button" onClick={() => setEditing(true)}>
                  {WORDS.changeRules}
                </button>
              ) : null}
            </section>
            {isEditing ? (
              <RuleEditor
                current={current}
                onClose={() => setEditing(false)}
                onPublished={() => {
                  setEditing(false);
                  rules.reload();
                }}
              />
            ) : null}
            <RuleHistory version={current.version} />
          </>
        )}
      </Await>
      <Coverage beat={beat} />
      <Grants beat={beat} />
      <Changes of="grants" />
    </>
  );
}

function RuleWords({ rules }: { readonly rules: RulesOut }): ReactNode {
  return (
    <>
      <ol className="app-rules">
        {rules.explained.map((words, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place in the list.
          <li key={at}>
            {rules.rules[at]?.name === undefined ? null : <strong>{rules.rules[at]?.name}: </strong>}
            {words}
          </li>
        ))}
      </ol>
      <p>
        {rules.rules.length === 0 ? DEFAULTS[rules.default].replace("other ", "") : DEFAULTS[rules.default]}
      </p>
      {rules.warnings.length === 0 ? null : (
        <ul className="hp-notice">
          {rules.warnings.map(({ rule, because_of: earlier, message }) => (
            <li key={`${rule} ${earlier}`}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}
