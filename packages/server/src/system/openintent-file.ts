/** `openintent.yaml`: of all that other servers keep there, the platform's default retry policy is read. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { policyProblems } from "../core/intent/human-retry.ts";
import { ConfigError, type Environment, readYaml } from "./yaml-file.ts";

const File = z.looseObject({
  suspension: z.looseObject({ default_retry_policy: z.looseObject({}).nullish() }).nullish(),
});

export function readDefaultRetryPolicy(env: Environment, workingFolder: string): JsonObject | null {
  const { path, content } = readYaml(env, "OPENINTENT_CONFIG", workingFolder, "openintent.yaml");
  const parsed = File.safeParse(content ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const policy = (parsed.data.suspension?.default_retry_policy ?? null) as JsonObject | null;
  const [wrong] = policyProblems(policy as Json);
  if (wrong === undefined) return policy;
  const member = wrong.key.replace("/_suspension/retry_policy", "").replaceAll("/", ".");
  throw new ConfigError(`${path}: suspension.default_retry_policy${member}: ${wrong.message}`);
}
