/** Agents and people who do not give up: every request is repeated, on any server, until one acknowledges it. */

import { setTimeout as sleep } from "node:timers/promises";
import { AGENT, type ChaosServer, OPERATOR } from "./servers.ts";

const REQUEST_MS = 3_000;

/** What was acknowledged, and so must be found in the end. */
export interface Promised {
  readonly id: string;
  readonly key: string;
  /** `null`: nobody answers, so it must expire. */
  action: string | null;
}

export interface Tally {
  readonly promised: Promised[];
  acknowledged: number;
  failed: number;
  /** Waits on one server that heard an answer given on another. */
  heard: number;
  readonly surprises: string[];
}

export interface LoadOptions {
  readonly servers: readonly ChaosServer[];
  readonly callbackUrl: string;
  readonly random: () => number;
  readonly isOver: () => boolean;
}

type Wire = Readonly<Record<string, unknown>>;

export function newTally(): Tally {
  return { promised: [], acknowledged: 0, failed: 0, heard: 0, surprises: [] };
}

export async function load(options: LoadOptions, workers: number, tally: Tally): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_, at) => work(at, options, tally)));
}

async function work(worker: number, options: LoadOptions, tally: Tally): Promise<void> {
  for (let turn = 0; !options.isOver(); turn += 1) {
    const key = `w${worker}:${turn}`;
    const isLeft = options.random() < 0.1;
    const placed = await insist(options, tally, "/v1/holds", AGENT, {
      ...{ type: "approval", prompt: `Turn ${turn} of ${worker}?`, key },
      ...(isLeft ? { timeout: "2s" } : {}),
      callback_url: options.callbackUrl,
    });
    const promised: Promised = { id: String(placed.body["id"]), key, action: null };
    tally.promised.push(promised);
    if (isLeft) continue;
    promised.action = options.random() < 0.5 ? "approve" : "reject";
    const waiting = options.random() < 0.3 ? waitFor(options, promised.id) : Promise.resolve(null);
    const path = `/v1/holds/${promised.id}/answer`;
    const answered = await insist(options, tally, path, OPERATOR, { action: promised.action });
    const outcome = (answered.body["outcome"] ?? {}) as Wire;
    if (outcome["action"] !== promised.action) {
      tally.surprises.push(
        `${promised.id}: answered ${promised.action}, was told ${JSON.stringify(answered)}`,
      );
    }
    if ((await waiting) === "decided") tally.heard += 1;
  }
}

/** 2xx, or 409 for what an earlier try of ours has already done. */
export async function insist(
  options: LoadOptions,
  tally: Tally,
  path: string,
  key: string,
  body: Wire,
): Promise<{ readonly status: number; readonly body: Wire }> {
  for (;;) {
    try {
      const reply = await call(pick(options), path, key, { method: "POST", body: JSON.stringify(body) });
      if (reply.status < 300 || reply.status === 409) {
        tally.acknowledged += 1;
        return reply;
      }
      if (reply.status < 500 && reply.status !== 429)
        tally.surprises.push(`${path}: ${JSON.stringify(reply)}`);
    } catch {}
    tally.failed += 1;
    await sleep(50);
  }
}

async function waitFor(options: LoadOptions, id: string): Promise<unknown> {
  try {
    return (await call(pick(options), `/v1/holds/${id}?wait=2`, AGENT, {})).body["status"];
  } catch {
    return null;
  }
}

function pick({ servers, random }: LoadOptions): string {
  return servers[Math.floor(random() * servers.length)]?.url() ?? "";
}

export async function call(url: string, path: string, key: string, init: RequestInit) {
  const reply = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  return { status: reply.status, body: (await reply.json()) as Wire };
}
