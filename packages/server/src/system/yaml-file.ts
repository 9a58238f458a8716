/** Reads an optional YAML file: the one an environment variable names, or the one with the default name. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse as parseYaml } from "yaml";

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface YamlFile {
  readonly path: string;
  /** `null`: the file does not exist or is empty. */
  readonly content: unknown;
}

export function readYaml(
  env: Environment,
  variable: string,
  workingFolder: string,
  usualName: string,
): YamlFile {
  const named = env[variable];
  const path = resolve(workingFolder, named ?? usualName);
  if (!existsSync(path)) {
    if (named !== undefined) throw new ConfigError(`${variable} names ${path}, which does not exist`);
    return { path, content: null };
  }
  try {
    return { path, content: parseYaml(readFileSync(path, "utf8")) };
  } catch (fault) {
    throw new ConfigError(`${path} is not YAML: ${(fault as Error).message}`, { cause: fault });
  }
}
