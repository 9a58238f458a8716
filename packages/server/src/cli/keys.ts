/** `holdpoint keys` */

import type { KeyListOut, KeyOut } from "@holdpoint/protocol";
import { readArgs } from "./args.ts";
import { callServer } from "./client.ts";
import { CliError, type Command, type Io } from "./io.ts";
import { clean } from "./show.ts";

const USAGE = "keys [list | make <role>:<name> | revoke <id>] [--json]";

export const keys: Command = {
  usage: "keys list|make|revoke",
  summary: "API keys: agent:<name>, app:<name>, operator:<name>, admin, auditor",
  async run(args, io) {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" } }, USAGE, 2);
    const [what = "list", which] = positionals;
    const json = values.json === true;
    if (what === "list") return list(io, json);
    if (what === "make" && which !== undefined) return make(which, io, json);
    if (what === "revoke" && which !== undefined) return revoke(which, io, json);
    throw new CliError(`usage: holdpoint ${USAGE}`);
  },
};

async function list(io: Io, json: boolean): Promise<number> {
  const found = await callServer<KeyListOut>(io, "GET", "/v1/keys");
  if (json) io.out(`${JSON.stringify(found)}\n`);
  else for (const key of found.keys) io.out(`${lineOf(key)}\n`);
  return 0;
}

function lineOf(key: KeyOut): string {
  const state =
    key.revoked_at !== undefined
      ? "revoked"
      : key.last_used_at === undefined
        ? "never used"
        : `used ${key.last_used_at}`;
  return `${key.id}  ${`${key.role}:${clean(key.name)}`.padEnd(24)} ${(key.hint ?? "").padEnd(6)} ${state}`;
}

async function make(which: string, io: Io, json: boolean): Promise<number> {
  const [role = "", name = role] = which.split(/:(.*)/s);
  const key = await callServer<KeyOut>(io, "POST", "/v1/keys", { role, name });
  if (json) io.out(`${JSON.stringify(key)}\n`);
  else {
    io.out(`${key.secret}\n`);
    io.err(
      `${lineOf(key)}\nStore this key now: it is not shown again. Callbacks are signed with ${key.callback_secret}\n`,
    );
  }
  return 0;
}

async function revoke(id: string, io: Io, json: boolean): Promise<number> {
  const key = await callServer<KeyOut>(io, "DELETE", `/v1/keys/${encodeURIComponent(id)}`);
  io.out(json ? `${JSON.stringify(key)}\n` : `${lineOf(key)}\n`);
  return 0;
}
