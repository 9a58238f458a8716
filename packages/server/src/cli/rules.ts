/** `holdpoint rules` */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CoverageOut, ReplayOut, RulesOut } from "@holdpoint/protocol";
import { NOTHING, type Replay, sum } from "@holdpoint/protocol/gating";
import { parse } from "yaml";
import { readArgs, readJsonArg } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { callServer } from "./client.ts";
import { CliError, type Command, type Io } from "./io.ts";
import { progressBar } from "./progress.ts";

const USAGE =
  "rules [list | test FILE [--tool NAME --args JSON --agent NAME] | publish FILE [--note TEXT] | history] [--json]";

const OPTIONS = {
  json: { type: "boolean" },
  note: { type: "string" },
  tool: { type: "string" },
  args: { type: "string" },
  agent: { type: "string" },
} as const;

export const rules: Command = {
  usage: "rules list|test|publish|history",
  summary: "Which tool calls need a person: show the rules, try others on recorded calls, publish",
  async run(args, io) {
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 2);
    const [what = "list", file] = positionals;
    const json = values.json === true;
    if (what === "list") return list(io, json);
    if (what === "history") return history(io, json);
    if (what === "test" && file !== undefined && values.tool !== undefined)
      return tryCall(file, { ...values, tool: values.tool }, io);
    if (what === "test" && file !== undefined) return test(file, io, json);
    if (what === "publish" && file !== undefined) return publish(file, values.note, io, json);
    throw new CliError(`usage: holdpoint ${USAGE}`);
  },
};

async function list(io: Io, json: boolean): Promise<number> {
  const found = await callServer<RulesOut>(io, "GET", "/v1/rules");
  if (json) io.out(`${jsonText(found)}\n`);
  else show(found, io);
  return 0;
}

function show({ version, explained, default: byDefault, mode, warnings }: RulesOut, io: Io): void {
  const shadow = mode === "shadow" ? ", in shadow mode: nothing is enforced" : "";
  io.out(version === 0 ? "No rules are published.\n" : `Version ${version}${shadow}\n`);
  for (const [at, words] of explained.entries()) io.out(`${String(at + 1).padStart(4)}  ${clean(words)}\n`);
  io.out(`      ${DEFAULTS[byDefault]}\n`);
  for (const { message } of warnings) io.err(`Warning: ${clean(message)}\n`);
}

const DEFAULTS = {
  allow: "Allow every other call.",
  ask: "Ask a person about every other call.",
  deny: "Deny every other call.",
} as const;

async function history(io: Io, json: boolean): Promise<number> {
  const found = await callServer<{ versions: RulesOut[] }>(io, "GET", "/v1/rules/history");
  if (json) io.out(`${jsonText(found)}\n`);
  else
    for (const [at, now] of found.versions.entries()) {
      const { version, published_at, published_by, rules: all, note } = now;
      io.out(
        `${String(version).padStart(4)}  ${published_at}  ${clean(published_by ?? "")}  ${all.length} rules  ${clean(note ?? "")}\n`,
      );
      for (const line of changes(now, found.versions[at + 1])) io.out(`      ${clean(line)}\n`);
    }
  return 0;
}

/** Rules that came and went, in words, as the console shows them. */
function changes(now: RulesOut, before: RulesOut | undefined): readonly string[] {
  const [after, earlier] = [now, before].map((set) =>
    set === undefined ? [] : [...set.explained, DEFAULTS[set.default]],
  ) as [string[], string[]];
  return [
    ...earlier.filter((words) => !after.includes(words)).map((words) => `- ${words}`),
    ...after.filter((words) => !earlier.includes(words)).map((words) => `+ ${words}`),
  ];
}

interface Tried {
  readonly verdict: string;
  readonly reason: string;
  readonly explained?: string;
}

/** What the rules of a file say about one call. Nothing is recorded and nobody is asked. */
async function tryCall(
  file: string,
  given: { readonly tool: string; readonly args?: string; readonly agent?: string; readonly json?: boolean },
  io: Io,
): Promise<number> {
  const { tool, agent = "any", json = false } = given;
  const call = { tool, agent, args: readJsonArg(given.args, "args"), rules: readRules(file, io) };
  const found = await callServer<Tried>(io, "POST", "/v1/rules/try", call);
  const { verdict, reason, explained } = found;
  if (json) io.out(`${jsonText(found)}\n`);
  else io.out(`${verdict}: ${clean(reason)}\n${explained === undefined ? "" : `  ${clean(explained)}\n`}`);
  return 0;
}

/** A rules file is YAML or JSON: a list of rules, or an object with `rules`, `default` and `mode`. */
function readRules(file: string, io: Io): object {
  let content: unknown;
  try {
    content = parse(readFileSync(resolve(io.folder, file), "utf8"));
  } catch (fault) {
    throw new CliError(`cannot read ${file}: ${(fault as Error).message}`);
  }
  if (Array.isArray(content)) return { rules: content };
  if (typeof content === "object" && content !== null && "rules" in content) return content;
  throw new CliError(`${file} has no list of rules; it must contain \`rules:\``);
}

async function publish(file: string, note: string | undefined, io: Io, json: boolean): Promise<number> {
  const body = { ...readRules(file, io), ...(note === undefined ? {} : { note }) };
  const found = await callServer<RulesOut>(io, "PUT", "/v1/rules", body);
  if (json) io.out(`${jsonText(found)}\n`);
  else show(found, io);
  return 0;
}

async function test(file: string, io: Io, json: boolean): Promise<number> {
  const body = readRules(file, io);
  const seen = await callServer<CoverageOut>(io, "GET", "/v1/coverage");
  const expected = seen.tools.reduce((all, { calls }) => all + calls, 0);
  const bar = progressBar("Replaying", io);
  let total: Replay & { erased: number } = { ...NOTHING, erased: 0 };
  let cursor: string | undefined;
  do {
    const page: ReplayOut = await callServer<ReplayOut>(io, "POST", "/v1/rules/replay", {
      ...body,
      limit: 1_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    total = { ...sum([total, page]), erased: total.erased + page.erased };
    cursor = page.next_cursor;
    bar.at((total.checks + total.erased) / Math.max(1, expected));
  } while (cursor !== undefined);
  bar.end();
  if (json) io.out(`${jsonText(total)}\n`);
  else showReplay(total, io);
  return 0;
}

function showReplay(replay: Replay & { readonly erased: number }, io: Io): void {
  const { checks, moves, erased } = replay;
  const asked = moves.allow_ask + moves.deny_ask;
  const denied = moves.allow_deny + moves.ask_deny;
  const allowed = moves.ask_allow + moves.deny_allow;
  io.out(`${checks} recorded checks replayed${erased === 0 ? "" : `; ${erased} were erased`}.\n`);
  io.out(`These rules would have asked ${asked} more, allowed ${allowed} more and denied ${denied} more,\n`);
  io.out(
    `allowed ${replay.approved_then_allowed} of ${replay.approved} that people approved, denied ${replay.approved_then_denied} that was approved,\n`,
  );
  io.out(`and allowed ${replay.rejected_then_allowed} of ${replay.rejected} that people rejected.\n`);
  for (const { check_id, agent, tool, was, would_be, decided } of replay.cases.slice(0, 20))
    io.out(`  ${check_id}  ${clean(agent)}  ${clean(tool)}  ${was} → ${would_be}  ${decided ?? ""}\n`);
}
