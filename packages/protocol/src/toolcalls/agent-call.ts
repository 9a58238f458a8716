/** One tool call of a coding agent, as the rules and people see it. */

import { isObject, type JsonObject } from "../rules/index.ts";
import { editDiff, newFileDiff } from "./edit-diff.ts";

export interface AgentCall {
  readonly tool: string;
  /** Only what the call does: a model describes the same command in other words when it repeats it. */
  readonly args: JsonObject;
  /** Present if people may change the arguments. */
  readonly argsSchema?: JsonObject;
  readonly session?: string;
  /** The arguments as the agent sent them, with what a person changed. */
  edited(args: JsonObject): JsonObject;
}

/** Every agent's shell has this name for the rules, so that one rule counts for all. */
export const SHELL = "Bash";

/** A person may change the command and nothing else, because only the command can be handed back. */
function shellSchema(args: JsonObject): JsonObject {
  const properties = Object.entries(args).map(([name, value]): [string, JsonObject] => [
    name,
    name === "command" ? { type: "string", minLength: 1 } : { const: value },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: Object.keys(args),
    additionalProperties: false,
  };
}

/** The folder of the repository that a path is in; `undefined`: in none. */
export type RepositoryOf = (path: string) => string | undefined;

export interface CallPlace {
  readonly cwd?: unknown;
  readonly session?: unknown;
  readonly repositoryOf?: RepositoryOf | undefined;
}

export function agentCall(tool: string, input: JsonObject, more: CallPlace): AgentCall {
  const session = typeof more.session === "string" && more.session !== "" ? { session: more.session } : {};
  if (tool === SHELL || tool === "Shell") return { ...shellCall(input, more), ...session };
  const path = input["file_path"];
  const diff = diffOf(tool, input);
  const { repository: claimed, ...rest } = withoutDescription(input);
  const given = path !== undefined || claimed === undefined ? rest : { ...rest, repository: claimed };
  const args = { ...(diff ?? given), ...repository(path, more) };
  return { tool, args, ...session, edited: () => input };
}

/** Where the call works, as this machine knows it: what the model says about it does not count. */
function repository(path: unknown, { cwd, repositoryOf }: CallPlace): JsonObject {
  // Agents and shells read `~` as a home folder, not as a name in the current one.
  if (typeof path !== "string" || path === "" || /^[~\\]/.test(path)) return {};
  const isWhole = path.startsWith("/") || /^[a-z]:[\\/]/i.test(path);
  const found = repositoryOf?.(isWhole || typeof cwd !== "string" ? path : `${cwd}/${path}`);
  return found === undefined ? {} : { repository: found };
}

const FOLDERS = ["workdir", "working_directory"];

/** The exact line: the review page shows an argument named `command` as code. */
function shellCall(input: JsonObject, more: CallPlace): AgentCall {
  const { repository: _claimed, ...given } = withoutDescription(input);
  const { cwd } = more;
  // Some agents name the folder of one command in the call itself.
  const folder = FOLDERS.map((name) => given[name]).find((value) => value !== undefined) ?? cwd;
  const args = { ...given, ...(typeof cwd === "string" ? { cwd } : {}), ...repository(folder, more) };
  return {
    ...{ tool: SHELL, args, argsSchema: shellSchema(args) },
    edited: ({ command }) => (command === undefined ? input : { ...input, command }),
  };
}

/** An edit as a unified diff, which the review page draws as one. */
function diffOf(tool: string, input: JsonObject): JsonObject | null {
  const path = input["file_path"];
  if (typeof path !== "string") return null;
  const { old_string: before, new_string: after, content, edits, replace_all } = input;
  const everywhere = replace_all === true ? { replace_all } : {};
  if (tool === "Write" && typeof content === "string")
    return { file_path: path, diff: newFileDiff(path, content) };
  if (typeof before === "string" && typeof after === "string")
    return { file_path: path, diff: editDiff(path, [{ before, after }]), ...everywhere };
  if (!Array.isArray(edits)) return null;
  const steps = edits.map((edit) => (isObject(edit) ? [edit["old_string"], edit["new_string"]] : []));
  if (!steps.every((step) => typeof step[0] === "string" && typeof step[1] === "string")) return null;
  const pairs = steps.map(([from, to]) => ({ before: String(from), after: String(to) }));
  return { file_path: path, diff: editDiff(path, pairs), edits: edits.length };
}

function withoutDescription(input: JsonObject): JsonObject {
  const { description: _words, ...rest } = input;
  return rest;
}
