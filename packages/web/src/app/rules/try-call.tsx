/** What the rules say about one call. It is computed here; nothing is recorded. */

import { evaluate, explainRule, type RuleSet } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { browserJudge } from "@holdpoint/react/headless";
import { type ReactNode, useState } from "react";
import { Badge } from "../parts.tsx";

const WORDS = {
  tryOneCall: "Try one call",
  agent: "Agent",
  tool: "Tool",
  argumentsAsJson: "Arguments, as JSON",
  argumentsAreNot: "The arguments are not a JSON object.",
};

export function TryCall({ set }: { readonly set: RuleSet }): ReactNode {
  const [agent, setAgent] = useState("");
  const [tool, setTool] = useState("");
  const [args, setArgs] = useState("{}");
  const verdict = tool === "" ? undefined : verdictOf(set, agent, tool, args);
  return (
    <fieldset className="app-try">
      <legend>{WORDS.tryOneCall}</legend>
      <label className="app-field">
        {WORDS.agent}
        <input value={agent} onChange={({ target }) => setAgent(target.value)} />
      </label>
      <label className="app-field">
        {WORDS.tool}
        <input value={tool} onChange={({ target }) => setTool(target.value)} />
      </label>
      <label className="app-field">
        {WORDS.argumentsAsJson}
        <input value={args} spellCheck={false} onChange={({ target }) => setArgs(target.value)} />
      </label>
      <p role="status">
        {verdict === undefined ? null : typeof verdict === "string" ? (
          verdict
        ) : (
          <>
            <Badge>{verdict.verdict}</Badge> {verdict.why}
          </>
        )}
      </p>
    </fieldset>
  );
}

function verdictOf(set: RuleSet, agent: string, tool: string, text: string) {
  try {
    const args = JSON.parse(text) as JsonObject;
    const { verdict, index, reason } = evaluate(set, { agent, tool, args }, browserJudge());
    const rule = index === null ? undefined : set.rules[index];
    return { verdict, why: rule === undefined ? reason : `Rule ${(index ?? 0) + 1}: ${explainRule(rule)}` };
  } catch {
    return WORDS.argumentsAreNot;
  }
}
