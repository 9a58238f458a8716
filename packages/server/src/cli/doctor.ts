/** `holdpoint doctor`: checks what a server depends on and says how to fix each problem. */

import { existsSync, statfsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { readAllowList } from "../channels/allow-list.ts";
import { credentialsPath } from "../local-credentials.ts";
import { readHolder } from "../store/sqlite/home-lock.ts";
import { openSqliteCopy } from "../store/sqlite/open.ts";
import { systemClock } from "../system/clock.ts";
import { type Config, isLocal, readConfig } from "../system/config.ts";
import { readArgs } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { logFindings, weaknesses } from "./doctor-guarantees.ts";
import type { Command, Io } from "./io.ts";
import { painter } from "./show.ts";

export interface Finding {
  readonly name: string;
  readonly state: "ok" | "note" | "wrong";
  readonly text: string;
}

export const doctor: Command = {
  usage: "doctor [--json]",
  summary: "Check settings, files, database, port and disk of this server",
  async run(args, io) {
    const { values } = readArgs(args, { json: { type: "boolean" } }, "doctor [--json]");
    const findings = await examine(io);
    if (values.json === true) io.out(`${jsonText(findings)}\n`);
    else for (const finding of findings) io.out(`${lineOf(finding, io)}\n`);
    return findings.some(({ state }) => state === "wrong") ? 1 : 0;
  },
};

function lineOf({ name, state, text }: Finding, io: Io): string {
  const paint = painter(io);
  const mark = { ok: paint("green", "ok   "), note: paint("yellow", "note "), wrong: paint("red", "wrong") }[
    state
  ];
  return `${mark}  ${name.padEnd(12)} ${clean(text)}`;
}

export async function examine(io: Io): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig(io.env, io.folder);
  } catch (fault) {
    return [nodeVersion(), { name: "settings", state: "wrong", text: (fault as Error).message }];
  }
  return [
    nodeVersion(),
    { name: "settings", state: "ok", text: `${config.publicUrl}, data in ${config.home}` },
    publicUrl(config),
    homeFolder(config),
    ...secretFiles(config),
    await database(config),
    runningServer(config),
    await port(config),
    disk(config),
    allowList(config),
    ...(await logFindings(config, systemClock.now())),
    ...weaknesses(config),
  ];
}

function nodeVersion(): Finding {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const text = `Node ${process.versions.node}`;
  return major >= 24
    ? { name: "runtime", state: "ok", text }
    : {
        name: "runtime",
        state: "wrong",
        text: `${text}: Node 24 or newer is needed; the npm scripts use their own`,
      };
}

function publicUrl({ publicUrl: url }: Config): Finding {
  if (!isLocal(url)) return { name: "address", state: "ok", text: `${url} (https)` };
  return {
    name: "address",
    state: "note",
    text: `${url} is local: phones cannot open review links. Set HOLDPOINT_PUBLIC_URL to an https address for that`,
  };
}

function homeFolder({ home }: Config): Finding {
  if (!existsSync(home))
    return { name: "home", state: "note", text: `${home} is created at the first start` };
  const open = (statSync(home).mode & 0o077) !== 0;
  return open
    ? { name: "home", state: "wrong", text: `other users can read ${home}: run chmod 700 on it` }
    : { name: "home", state: "ok", text: home };
}

function secretFiles(config: Config): readonly Finding[] {
  const { home, signingKeyFile, resultKeyFile, secretKeyFile, anchorFile } = config;
  return [credentialsPath(home), signingKeyFile, resultKeyFile, secretKeyFile, anchorFile]
    .filter((path) => existsSync(path))
    .map((path) => {
      const open = (statSync(path).mode & 0o077) !== 0;
      return {
        name: "secrets",
        state: open ? "wrong" : "ok",
        text: open ? `other users can read ${path}: run chmod 600 on it` : path,
      };
    });
}

async function database({ databaseUrl }: Config): Promise<Finding> {
  const name = "database";
  if (!databaseUrl.startsWith("sqlite:"))
    return { name, state: "note", text: "not a file, so it was not checked" };
  const path = databaseUrl.slice("sqlite:".length);
  if (!existsSync(path)) return { name, state: "note", text: `${path} is created at the first start` };
  try {
    const store = openSqliteCopy(path);
    const events = await store.lastPosition();
    await store.close();
    return { name, state: "ok", text: `${path}, ${events} events` };
  } catch (fault) {
    return { name, state: "wrong", text: (fault as Error).message };
  }
}

function runningServer({ home }: Config): Finding {
  const holder = readHolder(home);
  if (holder === null)
    return { name: "server", state: "note", text: "no server is running in this home folder" };
  return isAlive(holder.pid)
    ? {
        name: "server",
        state: "ok",
        text: `process ${holder.pid} since ${holder.since}, at ${holder.url ?? "an address that is not known yet"}`,
      }
    : {
        name: "server",
        state: "note",
        text: `process ${holder.pid} ended without a clean shutdown; the next start continues with its data`,
      };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}

function port({ host, port: number }: Config): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: number });
    socket.setTimeout(1_000);
    const end = (text: string) => {
      socket.destroy();
      resolve({ name: "port", state: "ok", text });
    };
    socket.once("connect", () => end(`${number} is in use by a server`));
    socket.once("error", () => end(`${number} is free`));
    socket.once("timeout", () => end(`${number} does not answer`));
  });
}

const LEAST_BYTES = 1024 ** 3;

function disk({ home }: Config): Finding {
  const { bavail, bsize } = statfsSync(existsSync(home) ? home : ".");
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return free < LEAST_BYTES
    ? { name: "disk", state: "wrong", text: `${text}: free some space, because the log only grows` }
    : { name: "disk", state: "ok", text };
}

function allowList({ webhookAllow }: Config): Finding {
  const read = readAllowList(webhookAllow);
  if (read.kind === "refused")
    return {
      name: "webhooks",
      state: "wrong",
      text: `HOLDPOINT_WEBHOOK_ALLOW: not a host or a range: ${read.entry}`,
    };
  return {
    name: "webhooks",
    state: "ok",
    text: webhookAllow === "" ? "public targets only" : `private targets allowed: ${webhookAllow}`,
  };
}
