/** Compares the operator's settings with the guarantees, and says what is weaker than it could be. */

import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { LOG_WORKSPACE } from "../engine/checkpointer.ts";
import { openSqliteCopy } from "../store/sqlite/open.ts";
import { anchorFile } from "../system/anchor-file.ts";
import type { Config } from "../system/config.ts";
import type { Finding } from "./doctor.ts";

interface Weakness {
  readonly name: string;
  readonly isWeak: (config: Config) => boolean;
  readonly text: string;
}

const WEAKNESSES: readonly Weakness[] = [
  {
    name: "G7 links",
    isWeak: ({ agentLinks, isLocal }) => agentLinks === "always" && !isLocal,
    text: "agent_links: always hands review links to the agents that ask. Set hitl or never, so that only people get them",
  },
  {
    name: "G7 dev key",
    isWeak: ({ allowDev, isLocal }) => allowDev && !isLocal,
    text: "dev keys are allowed although other machines reach this server, and a dev key answers what it asked. Remove allow_dev_key",
  },
  {
    name: "G7 any agent",
    isWeak: ({ apiKeys, isLocal }) =>
      !isLocal && apiKeys.some(({ role, name }) => role === "agent" && name === "*"),
    text: "a key agent:* acts as every agent. Give each agent a key of its own, so that none reads another's holds",
  },
  {
    name: "intents",
    isWeak: ({ defaultAccess }) => defaultAccess === "open",
    text: "openintent.default_access: open lets every agent read and change every new intent. Remove it, and share intents by name",
  },
  {
    name: "G14 rules",
    isWeak: ({ rules }) => rules?.default === "allow",
    text: "tool calls that no rule names are allowed. Set default: ask or deny in the rules",
  },
  {
    name: "G14 shadow",
    isWeak: ({ rules }) => rules?.mode === "shadow",
    text: "the rules only record their verdicts (mode: shadow). Set mode: enforce when they are right",
  },
  {
    name: "webhooks",
    isWeak: ({ webhookAllow }) => /(^|,)\s*(\*|0\.0\.0\.0\/0|::\/0)/.test(webhookAllow),
    text: "HOLDPOINT_WEBHOOK_ALLOW allows every private address. Name the hosts that receive webhooks",
  },
  {
    name: "proxies",
    isWeak: ({ trustedProxies }) => /(^|,)\s*(0\.0\.0\.0\/0|::\/0)/.test(trustedProxies),
    text: "HOLDPOINT_TRUSTED_PROXIES trusts every address, so callers choose the address that limits count by. Name the proxies",
  },
  {
    name: "G4 anchor",
    isWeak: ({ anchorFile: anchor, databaseUrl, isLocal }) =>
      !isLocal &&
      databaseUrl.startsWith("sqlite:") &&
      isInside(anchor, dirname(databaseUrl.slice("sqlite:".length))),
    text: "the signing key and the last checkpoint lie beside the database, so a person who can rewrite one can rewrite both. Set HOLDPOINT_SIGNING_KEY_FILE to another disk",
  },
];

function isInside(path: string, folder: string): boolean {
  return !relative(folder, path).startsWith("..");
}

export function weaknesses(config: Config): readonly Finding[] {
  const found = WEAKNESSES.filter(({ isWeak }) => isWeak(config)).map(
    ({ name, text }): Finding => ({ name, state: "note", text }),
  );
  return found.length === 0 ? [{ name: "guarantees", state: "ok", text: "no setting weakens them" }] : found;
}

/** What the log says about the clock and about the checkpoint that this server signed last. */
export async function logFindings(
  { databaseUrl, anchorFile: anchor }: Config,
  now: number,
): Promise<readonly Finding[]> {
  const path = databaseUrl.slice("sqlite:".length);
  if (!databaseUrl.startsWith("sqlite:") || !existsSync(path)) return [];
  const findings: Finding[] = [];
  try {
    const store = openSqliteCopy(path);
    const [newest] = await store.events({ after: Math.max(0, (await store.lastPosition()) - 1), limit: 1 });
    if (newest !== undefined && newest.at > now + 1_000)
      findings.push({
        name: "G3 clock",
        state: "wrong",
        text: `the clock is ${Math.round((newest.at - now) / 1000)} s behind the newest event. Correct it; until then the server goes on from that event's time`,
      });
    const signed = anchorFile(anchor).read();
    const id = signed?.id ?? "";
    const [kept] = await store.load([
      { workspace: LOG_WORKSPACE, kind: "checkpoint", id, read: true } as const,
    ]);
    if (signed !== undefined && kept?.body.hash !== signed.hash)
      findings.push({
        name: "G4 log",
        state: "wrong",
        text: `the database lacks the checkpoint ${id} that this server signed: it was rewritten or is an older backup. Run holdpoint verify. After a restore on purpose, move ${anchor} away`,
      });
    await store.close();
  } catch (fault) {
    findings.push({ name: "G4 log", state: "wrong", text: (fault as Error).message });
  }
  return findings;
}
