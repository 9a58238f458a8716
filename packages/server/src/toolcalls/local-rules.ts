/** Rules in a file beside the program that runs the tools. The server says whether they count alone or together with its own. */

import { readFileSync } from "node:fs";
import { RulesIn } from "@holdpoint/protocol";
import type { CheckGiven } from "@holdpoint/protocol/client";
import { checkRules, evaluate, type RuleSet } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { parse } from "yaml";
import { canonicalJson } from "../system/canonical-json.ts";
import { sha256 } from "../system/digest.ts";
import { createJudge } from "../system/judge.ts";
import { ConfigError } from "../system/yaml-file.ts";

export type LocalVerdict = NonNullable<CheckGiven["localRules"]>;
export type LocalRules = (call: Pick<CheckGiven, "tool" | "args" | "annotations">) => LocalVerdict;

/** Reads and checks the whole file before the first call: a file with a mistake stops the program. */
export function readLocalRules(path: string): LocalRules {
  const set = ruleSetIn(path);
  const judge = createJudge();
  const digest = sha256(canonicalJson(set));
  return ({ tool, args, annotations }) => {
    const hints = annotations === undefined ? {} : { annotations: annotations as JsonObject };
    const call = { agent: "", tool, args: args as JsonObject, ...hints };
    return { digest, verdict: evaluate(set, call, judge).verdict };
  };
}

function ruleSetIn(path: string): RuleSet {
  let content: unknown;
  try {
    content = parse(readFileSync(path, "utf8"));
  } catch (fault) {
    throw new ConfigError(`cannot read the rules in ${path}: ${(fault as Error).message}`);
  }
  const read = RulesIn.safeParse(Array.isArray(content) ? { rules: content } : content);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ConfigError(`${path}: /${issue?.path.join("/")}: ${issue?.message}`);
  }
  const { rules, default: byDefault = "ask", mode = "enforce" } = read.data;
  const set: RuleSet = { rules: rules as RuleSet["rules"], default: byDefault, mode };
  const [problem] = checkRules(set, createJudge());
  if (problem !== undefined) throw new ConfigError(`${path}: ${problem.key}: ${problem.message}`);
  if (set.rules.some(({ agents }) => agents !== undefined))
    throw new ConfigError(`${path}: a local file is for one agent; leave out \`agents\``);
  return set;
}
