/** Says a rule in words, for the console and the command line. */

import type { Json, JsonObject } from "../json.ts";
import type { ArgCondition, GateRule } from "./rule.ts";

export function explainRule(rule: GateRule): string {
  const { verdict, tools, agents, when = {}, mode } = rule;
  const what = tools.includes("*") ? "every call" : `calls of ${listed(tools, "or")}`;
  const whose = agents === undefined ? "" : ` by ${listed(agents, "or")}`;
  const conditions = Object.entries(when).map(([path, condition]) => explainCondition(path, condition));
  const only = conditions.length === 0 ? "" : ` if ${listed(conditions, "and")}`;
  const settings = verdict === "ask" ? explainSettings(rule) : [];
  const how = settings.length === 0 ? "" : ` (${settings.join("; ")})`;
  const tried = mode === "shadow" ? " (only recorded, without effect)" : "";
  return `${verdictWords(rule)} ${what}${whose}${only}${how}${tried}.`;
}

function verdictWords({ verdict, decision }: GateRule): string {
  if (verdict !== "ask") return verdict === "allow" ? "Allow" : "Deny";
  if (decision === undefined) return "Ask a person about";
  const stages = decision.approve.map(({ need, from }) => `${need} of ${listed(from, "or")}`);
  return `Ask ${decision.order === "listed" ? stages.join(", then ") : listed(stages, "and")} about`;
}

/** What two rules for the same calls can differ in: a change of it must be seen in the history too. */
function explainSettings({ decision, timeout, ladder, uses, per, grantable }: GateRule): readonly string[] {
  const { reject = 1, exclude = [], strength = "session", max_age: maxAge } = decision ?? {};
  const parts: readonly (string | false)[] = [
    reject > 1 && `${reject} rejections settle it`,
    exclude.length > 0 && `without ${listed(exclude, "and").replaceAll("_", " ")}`,
    strength !== "session" && `proven by ${strength}`,
    maxAge !== undefined && `signed in within ${maxAge} s`,
    timeout !== undefined && `within ${timeout}`,
    ladder !== undefined && `told ${ladder.map(explainRung).join(", then ")}`,
    uses !== undefined && `one approval counts for ${uses} calls`,
    per !== undefined && "again in every session",
    grantable === false && "similar calls cannot be allowed in advance",
  ];
  return parts.filter((part) => part !== false);
}

function explainRung({ after, at, channel, to }: JsonObject): string {
  const when = at === undefined ? `after ${after}` : `at ${at}`;
  return `${when}${channel === undefined ? "" : ` by ${channel}`}${to === undefined ? "" : ` to ${to}`}`;
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
