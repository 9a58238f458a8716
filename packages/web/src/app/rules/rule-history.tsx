/** Earlier versions of the rules: who published them, why, and what changed. */

import type { RulesOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await } from "../parts.tsx";

const WORDS = {
  history: "History",
  by: (publishedBy: string | number) => `by ${publishedBy}`,
  version: (version: string | number) => `Version ${version}`,
  otherCalls: "Other calls:",
  mode: "Mode:",
};

interface History {
  readonly versions: readonly RulesOut[];
}

export function RuleHistory({ version }: { readonly version: number }): ReactNode {
  const api = useApi();
  const history = useLoaded(() => api.get<History>("/v1/rules/history"), version);
  if (version === 0) return null;
  return (
    <details className="app-panel">
      <summary>{WORDS.history}</summary>
      <Await loaded={history}>
        {({ versions }) => (
          <ul className="app-list">
            {versions.map((rules, at) => (
              <li key={rules.version}>
                <strong>{WORDS.version(rules.version)}</strong> {WORDS.by(rules.published_by ?? "")}{" "}
                {rules.published_at === undefined ? null : <Moment at={rules.published_at} />}
                {rules.note === undefined ? null : <p>{rules.note}</p>}
                <Changes now={rules} before={versions[at + 1]} />
              </li>
            ))}
          </ul>
        )}
      </Await>
    </details>
  );
}

/** Rules that came and went, in words. */
function Changes({
  now,
  before,
}: {
  readonly now: RulesOut;
  readonly before: RulesOut | undefined;
}): ReactNode {
  const earlier = before?.explained ?? [];
  const added = now.explained.filter((words) => !earlier.includes(words));
  const removed = earlier.filter((words) => !now.explained.includes(words));
  return (
    <ul className="app-changes">
      {removed.map((words) => (
        <li key={`- ${words}`}>
          <del>{words}</del>
        </li>
      ))}
      {added.map((words) => (
        <li key={`+ ${words}`}>
          <ins>{words}</ins>
        </li>
      ))}
      {before !== undefined && before.default !== now.default ? (
        <li>
          {WORDS.otherCalls} <del>{before.default}</del> <ins>{now.default}</ins>
        </li>
      ) : null}
      {before !== undefined && before.mode !== now.mode ? (
        <li>
          {WORDS.mode} <del>{before.mode}</del> <ins>{now.mode}</ins>
        </li>
      ) : null}
    </ul>
  );
}
