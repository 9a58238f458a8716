/** Says a rule in words, for the console and the command line. */

import type { Json } from "../json.ts";
import type { ArgCondition, GateRule } from "./rule.ts";

const VERDICT_WORDS = { allow: "Allow", ask: "Ask a person about", deny: "Deny" } as const;

export function explainRule(rule: GateRule): string {
  const { verdict, tools, agents, when = {}, mode } = rule;
  const what = tools.includes("*") ? "every call" : `calls of ${listed(tools, "or")}`;
  const whose = agents === undefined ? "" : ` by ${listed(agents, "or")}`;
  const conditions = Object.entries(when).map(([path, condition]) => explainCondition(path, condition));
  const only = conditions.length === 0 ? "" : ` if ${listed(conditions, "and")}`;
  const tried = mode === "shadow" ? " (only recorded, without effect)" : "";
  return `${VERDICT_WORDS[verdict]} ${what}${whose}${only}${tried}.`;
}

function explainCondition(path: string, condition: ArgCondition): string {
  const name = path.replace(/^args\./, "");
  const { equals, in: among, min, max, matches, exists } = condition;
  const parts: string[] = [];
  if (exists === true) parts.push("is given");
  if (exists === false) parts.push("is not given");
  if (equals !== undefined) parts.push(`is ${text(equals)}`);
  if (among !== undefined) parts.push(`is ${listed(among.map(text), "or")}`);
  if (min !== undefined && max !== undefined) parts.push(`is from ${min} to ${max}`);
  else if (min !== undefined) parts.push(`is at least ${min}`);
  else if (max !== undefined) parts.push(`is at most ${max}`);
  if (matches !== undefined) parts.push(`matches ${matches}`);
  return `${name} ${listed(parts, "and")}`;
}

function text(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listed(parts: readonly string[], word: "and" | "or"): string {
  if (parts.length < 2) return parts.join();
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
