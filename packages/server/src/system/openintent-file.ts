/** Reads the default retry policy and the activation gate from `openintent.yaml`. Settings of other servers are ignored. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { policyProblems } from "../openintent/rules/intent/human-retry.ts";
import { ConfigError, type Environment, readYaml } from "./yaml-file.ts";

const File = z.looseObject({
  graph: z.looseObject({ activation_gate: z.enum(["strict", "soft"]).nullish() }).nullish(),
  suspension: z.looseObject({ default_retry_policy: z.looseObject({}).nullish() }).nullish(),
});

export interface OpenIntentFile {
  readonly defaultRetryPolicy: JsonObject | null;
  /** Whether an intent may begin before its dependencies are complete. */
  readonly activationGate: "strict" | "soft";
}

export function readOpenIntentFile(env: Environment, workingFolder: string): OpenIntentFile {
  const { path, content } = readYaml(env, "OPENINTENT_CONFIG", workingFolder, "openintent.yaml");
  const parsed = File.safeParse(content ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const policy = (parsed.data.suspension?.default_retry_policy ?? null) as JsonObject | null;
  const [wrong] = policyProblems(policy as Json);
  const activationGate = parsed.data.graph?.activation_gate ?? "strict";
  if (wrong === undefined) return { defaultRetryPolicy: policy, activationGate };
  const member = wrong.key.replace("/_suspension/retry_policy", "").replaceAll("/", ".");
  throw new ConfigError(`${path}: suspension.default_retry_policy${member}: ${wrong.message}`);
}
