/** One tool call of a coding agent, as the rules and people see it. */

import { isObject, type JsonObject, sameJson } from "../rules/index.ts";
import { editDiff, newFileDiff } from "./edit-diff.ts";
import { guardedName } from "./guarded-names.ts";

export interface AgentCall {
  readonly tool: string;
  /** Only what the call does: a model describes the same command in other words when it repeats it. */
  readonly args: JsonObject;
  /** Present if people may change the arguments. */
  readonly argsSchema?: JsonObject;
  readonly session?: string;
  /** The arguments as the agent sent them, with what a person changed; `null`: they cannot be handed to the agent. */
  edited(args: JsonObject): JsonObject | null;
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

export interface FoundPlace {
  /** The folder of the repository that a path is in; absent: in none, or it cannot be known. */
  readonly repository?: string;
  /** A guarded name below the repository. */
  readonly touches?: string;
}

export type PlaceOf = (path: string) => FoundPlace;

export interface CallPlace {
  readonly cwd?: unknown;
  readonly session?: unknown;
  /** Absent: there are no files here, and nothing is said about repositories. */
  readonly placeOf?: PlaceOf | undefined;
}

export function agentCall(tool: string, input: JsonObject, more: CallPlace): AgentCall {
  const session = typeof more.session === "string" && more.session !== "" ? { session: more.session } : {};
  if (tool === SHELL || tool === "Shell") return { ...shellCall(input, more), ...session };
  const path = input["file_path"];
  const diff = diffOf(tool, input);
  const given = path === undefined ? withoutDescription(input) : withoutPlace(input);
  const args = { ...(diff ?? given), ...place(path, more) };
  // A diff is for people: there is no way back from a changed one to what the agent takes.
  return { tool, args, ...session, edited: () => null };
}

/** Where the call works, as this machine knows it: what the model says about it does not count. */
function place(path: unknown, { cwd, placeOf }: CallPlace): JsonObject {
  if (typeof path !== "string" || path === "") return {};
  const isWhole = path.startsWith("/") || /^[a-z]:[\\/]/i.test(path);
  const whole = isWhole || typeof cwd !== "string" ? path : `${cwd}/${path}`;
  // Agents and shells read `~` as a home folder, not as a name in the current one.
  if (placeOf !== undefined && !/^[~\\]/.test(path)) return { ...placeOf(whole) };
  const touches = guardedName(whole);
  return touches === undefined ? {} : { touches };
}

const FOLDERS = ["workdir", "working_directory"];

/** The exact line: the review page shows an argument named `command` as code. */
function shellCall(input: JsonObject, more: CallPlace): AgentCall {
  const given = withoutPlace(input);
  const { cwd } = more;
  // Some agents name the folder of one command in the call itself.
  const folder = FOLDERS.map((name) => given[name]).find((value) => value !== undefined) ?? cwd;
  const args: JsonObject = { ...given, ...(typeof cwd === "string" ? { cwd } : {}), ...place(folder, more) };
  const { command: _proposed, ...fixed } = args;
  return {
    ...{ tool: SHELL, args, argsSchema: shellSchema(args) },
    edited: ({ command, ...others }) =>
      typeof command === "string" && sameJson(others, fixed) ? { ...input, command } : null,
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

/** Without what only this machine may say. */
function withoutPlace(input: JsonObject): JsonObject {
  const { repository: _repository, touches: _touches, ...rest } = withoutDescription(input);
  return rest;
}

function withoutDescription(input: JsonObject): JsonObject {
  const { description: _words, ...rest } = input;
  return rest;
}
