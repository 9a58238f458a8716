/** Entries in the settings of coding agents. Everything that is there stays; only entries with our mark are replaced or removed. */

import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import type { AgentName } from "./dialect.ts";

/** The last word of every command that was installed, by which it is found again. */
export const MARK = "--installed";

/** The agent's settings file, below the home folder of the user or of the project. */
export const SETTINGS_FILES: Readonly<Record<AgentName, readonly string[]>> = {
  claude: [".claude", "settings.json"],
  codex: [".codex", "hooks.json"],
  cursor: [".cursor", "hooks.json"],
};

const EVENTS: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ["PreToolUse"],
  codex: ["PreToolUse"],
  cursor: ["beforeShellExecution", "beforeMCPExecution", "preToolUse"],
};

/** Cursor asks about shell and MCP calls in events of their own; here they would be asked about twice. */
const MATCHERS: Readonly<Record<string, JsonObject>> = {
  preToolUse: { matcher: "Write|StrReplace|Edit|MultiEdit|EditNotebook|Delete" },
};

/** The agent must not give up before the hook does, which starts and ends besides. */
const SPARE_SECONDS = 30;

/** A timer of Node for longer than this goes off at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** How long the hook may take in all: the wait for people, and the calls before and after it. */
export function deadlineMs(waitMs: number): number {
  return Math.min(waitMs + (SPARE_SECONDS - 5) * 1_000, TIMER_MAX_MS);
}

export interface Installation {
  readonly command: string;
  readonly waitMs: number;
}

export function install(agent: AgentName, settings: JsonObject, installation: Installation): JsonObject {
  const clean = uninstall(agent, settings);
  const hooks = hooksOf(clean);
  const added = EVENTS[agent].map(
    (event) =>
      [event, [...listOf(hooks[event]), { ...MATCHERS[event], ...entryOf(agent, installation) }]] as const,
  );
  const version = agent === "cursor" && clean["version"] === undefined ? { version: 1 } : {};
  return { ...version, ...clean, hooks: { ...hooks, ...Object.fromEntries(added) } };
}

/** Claude Code and Cursor let a call pass when a hook fails, unless the entry says otherwise. */
function entryOf(agent: AgentName, { command, waitMs }: Installation): JsonObject {
  const timeout = Math.ceil(waitMs / 1_000) + SPARE_SECONDS;
  switch (agent) {
    case "claude":
      return { matcher: "*", hooks: [{ type: "command", command, timeout, onFailure: "block" }] };
    case "codex":
      return { hooks: [{ type: "command", command, timeout }] };
    case "cursor":
      return { command, timeout, failClosed: true };
  }
}

export function uninstall(agent: AgentName, settings: JsonObject): JsonObject {
  const { hooks: _own, ...rest } = settings;
  const kept = Object.entries(hooksOf(settings)).flatMap(([event, list]): [string, Json][] => {
    if (!Array.isArray(list)) return [[event, list]];
    const left = list.flatMap((entry: Json) => withoutOurs(agent, entry));
    return left.length === 0 && list.length > 0 ? [] : [[event, left]];
  });
  return kept.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(kept) };
}

/** An entry with hooks of its own loses ours; an entry that is ours is removed. */
function withoutOurs(agent: AgentName, entry: Json): readonly Json[] {
  if (!isObject(entry)) return [entry];
  const { hooks } = entry;
  if (agent === "cursor" || !Array.isArray(hooks)) return isOurs(entry) ? [] : [entry];
  const others = hooks.filter((hook: Json) => !isOurs(hook));
  if (others.length === hooks.length) return [entry];
  return others.length === 0 ? [] : [{ ...entry, hooks: others }];
}

export function isInstalled(agent: AgentName, settings: JsonObject): boolean {
  return JSON.stringify(uninstall(agent, settings)) !== JSON.stringify(settings);
}

function isOurs(hook: Json): boolean {
  const command = isObject(hook) ? hook["command"] : undefined;
  return typeof command === "string" && command.includes(" hook ") && command.endsWith(` ${MARK}`);
}

function hooksOf({ hooks }: JsonObject): JsonObject {
  return isObject(hooks ?? null) ? (hooks as JsonObject) : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
