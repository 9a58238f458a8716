/**
 * Every command by name, in the order that `help` shows them. Each is imported on demand, so that `answer` does not have to
 * load a whole server.
 */

import { help } from "./help.ts";
import type { Command } from "./io.ts";

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./start.ts")).start,
  init: async () => (await import("./init/index.ts")).init,
  demo: async () => (await import("./demo/index.ts")).demo,
  inbox: async () => (await import("./inbox.ts")).inbox,
  ask: async () => (await import("./ask.ts")).ask,
  answer: async () => (await import("./answer.ts")).answer,
  console: async () => (await import("./console.ts")).consoleLink,
  keys: async () => (await import("./keys.ts")).keys,
  mcp: async () => (await import("./mcp.ts")).mcp,
  "mcp-gateway": async () => (await import("./mcp-gateway.ts")).mcpGateway,
  hook: async () => (await import("./hook.ts")).hook,
  rules: async () => (await import("./rules.ts")).rules,
  connect: async () => (await import("./connect.ts")).connect,
  channel: async () => (await import("./channel.ts")).channel,
  people: async () => (await import("./people.ts")).people,
  verify: async () => (await import("./verify.ts")).verify,
  backup: async () => (await import("./backup.ts")).backup,
  migrate: async () => (await import("./migrate.ts")).migrate,
  doctor: async () => (await import("./doctor.ts")).doctor,
  help: async () => help(() => commands),
};
