/** `holdpoint keys` */

import type { KeyListOut, KeyOut } from "@holdpoint/protocol";
import { configuredCallbackSecret } from "../identity/secrets.ts";
import { readConfig } from "../system/config.ts";
import { readArgs } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { callServer } from "./client.ts";
import { CliError, type Command, type Io } from "./io.ts";

const USAGE = "keys [list | make <role>:<name> | revoke <id> | callback-secret [<role>:<name>]] [--json]";

export const keys: Command = {
  usage: "keys list|make|revoke|callback-secret",
  summary: "API keys: agent:<name>, app:<name>, operator:<name>, admin, auditor",
  async run(args, io) {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" } }, USAGE, 2);
    const [what = "list", which] = positionals;
    const json = values.json === true;
    if (what === "list") return list(io, json);
    if (what === "make" && which !== undefined) return make(which, io, json);
    if (what === "revoke" && which !== undefined) return revoke(which, io, json);
    if (what === "callback-secret") return callbackSecrets(which, io, json);
    throw new CliError(`usage: holdpoint ${USAGE}`);
  },
};

async function list(io: Io, json: boolean): Promise<number> {
  const found = await callServer<KeyListOut>(io, "GET", "/v1/keys");
  if (json) io.out(`${jsonText(found)}\n`);
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
  if (json) io.out(`${jsonText(key)}\n`);
  else {
    io.out(`${key.secret}\n`);
    io.err(
      `${lineOf(key)}\nStore this key now: it is not shown again. Callbacks are signed with ${key.callback_secret}\n`,
    );
  }
  return 0;
}

/** Keys of the configuration have no row, so what signs their callbacks is derived from them and shown here only. */
async function callbackSecrets(which: string | undefined, io: Io, json: boolean): Promise<number> {
  const configured = readConfig(io.env, io.folder).apiKeys.map(({ role, name, workspace, secret }) => ({
    ...{ role, name, workspace },
    callback_secret: configuredCallbackSecret(secret),
  }));
  const wanted = configured.filter(({ role, name }) => which === undefined || which === `${role}:${name}`);
  if (wanted.length === 0) {
    const what = which === undefined ? "no key" : `no key ${which}`;
    throw new CliError(
      `HOLDPOINT_API_KEYS names ${what} here. The callback secret of a key that was made with \`holdpoint keys make\` was shown then; \`POST /v1/keys/{id}/rotate\` makes a new one.`,
    );
  }
  if (json) io.out(`${jsonText({ keys: wanted })}\n`);
  else
    for (const { role, name, workspace, callback_secret: secret } of wanted)
      io.out(`${`${role}:${clean(name)}`.padEnd(24)} ${workspace.padEnd(12)} ${secret}\n`);
  return 0;
}

async function revoke(id: string, io: Io, json: boolean): Promise<number> {
  const key = await callServer<KeyOut>(io, "DELETE", `/v1/keys/${encodeURIComponent(id)}`);
  io.out(json ? `${jsonText(key)}\n` : `${lineOf(key)}\n`);
  return 0;
}
