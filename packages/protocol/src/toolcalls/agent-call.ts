/** One tool call of a coding agent, as the rules and people see it. */

import { FILE_TOOLS } from "../rules/gating/similar.ts";
import { isObject, type Json, type JsonObject, sameJson } from "../rules/index.ts";
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
  const args = FILE_TOOLS.includes(tool) ? fileArgs(tool, input, more) : otherArgs(input, more);
  // A diff is for people: there is no way back from a changed one to what the agent takes.
  return { tool, args, ...session, edited: () => null };
}

function fileArgs(tool: string, input: JsonObject, more: CallPlace): JsonObject {
  const given = withoutPlace(input);
  return { ...(diffOf(tool, given) ?? given), ...place(input["file_path"], more) };
}

/**
 * Nothing that another tool gets is left out, because rules and people decide about what they see (G15). What only this machine may
 * say has names that the tool may use itself; then the tool's own stand under `given`.
 */
function otherArgs(input: JsonObject, more: CallPlace): JsonObject {
  const path = input["file_path"];
  if (path === undefined) return input;
  const own = PLACE.filter((name) => Object.hasOwn(input, name));
  const args = { ...withoutPlace(input), ...place(path, more) };
  if (own.length === 0) return args;
  const kept = Object.hasOwn(input, "given") ? [...own, "given"] : own;
  return { ...args, given: Object.fromEntries(kept.map((name) => [name, input[name] as Json])) };
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
  const { description: _words, ...given } = withoutPlace(input);
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

/** An edit as a unified diff, which the review page draws as one. `null`: the diff would not show everything. */
function diffOf(tool: string, { file_path: path, ...input }: JsonObject): JsonObject | null {
  if (typeof path !== "string" || Object.hasOwn(input, "diff")) return null;
  if (tool === "Write") {
    const { content, ...others } = input;
    return typeof content === "string"
      ? { file_path: path, diff: newFileDiff(path, content), ...others }
      : null;
  }
  if (tool === "MultiEdit") return severalEdits(path, input);
  const { old_string: before, new_string: after, replace_all, ...others } = input;
  if (typeof before !== "string" || typeof after !== "string") return null;
  const everywhere = replace_all === undefined || replace_all === false ? {} : { replace_all };
  return { file_path: path, diff: editDiff(path, [{ before, after }]), ...everywhere, ...others };
}

function severalEdits(path: string, { edits, ...others }: JsonObject): JsonObject | null {
  if (!Array.isArray(edits)) return null;
  const pairs: { readonly before: string; readonly after: string }[] = [];
  for (const edit of edits) {
    const {
      old_string: before,
      new_string: after,
      replace_all = false,
      ...more
    } = isObject(edit) ? edit : {};
    const isWhole = replace_all === false && Object.keys(more).length === 0;
    if (typeof before !== "string" || typeof after !== "string" || !isWhole) return null;
    pairs.push({ before, after });
  }
  return { file_path: path, diff: editDiff(path, pairs), edits: edits.length, ...others };
}

/** What only this machine may say about a call. */
const PLACE = ["repository", "touches"];

function withoutPlace(input: JsonObject): JsonObject {
  const { repository: _repository, touches: _touches, ...rest } = input;
  return rest;
}
