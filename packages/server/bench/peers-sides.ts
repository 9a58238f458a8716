/** Who takes part in `npm run bench -- peers`: each in processes of its own, each with the durability that it has by default. */

import { discard, startChild } from "./child.ts";
import { durabilityOf } from "./durability.ts";
import { type Wire, wireTo } from "./load.ts";
import { ASK, cycle } from "./rates.ts";

export type Store = "SQLite" | "PostgreSQL" | "RocksDB";

export interface Side {
  readonly name: string;
  readonly store: Store;
  readonly isOurs: boolean;
  /** What it syncs to disk before it answers. */
  readonly durable: string;
  /** Ask, wait, answer, go on: until the agent's result is kept. */
  readonly cycle: () => Promise<unknown>;
  /** Ours, with what the agent did afterwards claimed and reported: the fence that makes it run once. */
  readonly reported?: () => Promise<unknown>;
  stop(): Promise<void>;
}

const PEERS = "../../../interop/peers";

export async function startOurs(store: Store, databaseUrl?: string): Promise<Side> {
  const env = databaseUrl === undefined ? {} : { HOLDPOINT_DATABASE_URL: databaseUrl };
  const child = await startChild("holdpoint", undefined, env);
  const wire = wireTo(child);
  return {
    ...{ name: `Holdpoint on ${store}`, store, isOurs: true },
    durable: databaseUrl === undefined ? "SQLite, wal, synchronous=FULL" : await durabilityOf(databaseUrl),
    cycle: () => cycle(wire),
    reported: () => reported(wire),
    async stop() {
      wire.close();
      await child.stop();
      discard(child.folder);
    },
  };
}

/** As the SDK's `runOnce` goes on: the approved hold is claimed, and what came of it reported. */
async function reported(wire: Wire): Promise<void> {
  const { id, digest } = await cycle(wire);
  const claim = JSON.parse(await wire.call("POST", `/v1/holds/${id}/claim`, { digest })) as { id: string };
  await wire.call("POST", `/v1/holds/${id}/claim/${claim.id}/done`, { ok: true });
}

/** A library behind the same three requests; see interop/peers/front.ts. */
export async function startLibrary(
  name: string,
  file: string,
  store: Store,
  databaseUrl?: string,
): Promise<Side> {
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const child = await startChild(`${PEERS}/${file}`, undefined, env);
  const wire = wireTo(child);
  return {
    ...{ name, store, isOurs: false, durable: child.durable ?? "unknown" },
    cycle: () => cycle(wire),
    async stop() {
      wire.close();
      await child.stop();
      discard(child.folder);
    },
  };
}

/** Restate has HTTP of its own: a call to its ingress stays open until the handler has returned. */
export async function startRestate(): Promise<Side> {
  // Otherwise its SDK writes two lines for each run.
  const child = await startChild(`${PEERS}/restate`, undefined, { RESTATE_LOGGING: "ERROR" });
  const wire = wireTo(child);
  const asked = new Map<string, (awakeable: string) => void>();
  child.onMessage((message) => {
    const { key, awakeable } = message as { key: string; awakeable: string };
    asked.get(key)?.(awakeable);
    asked.delete(key);
  });
  let last = 0;
  return {
    ...{ name: "Restate", store: "RocksDB", isOurs: false, durable: child.durable ?? "unknown" },
    async cycle() {
      last += 1;
      const key = String(last);
      const question = new Promise<string>((resolve) => asked.set(key, resolve));
      const result = wire.call("POST", "/refunds/refund", { ...ASK, key });
      // The call may fail before the question is asked.
      const awakeable = await Promise.race([question, result]);
      await wire.call("POST", `/restate/awakeables/${awakeable}/resolve`, { action: "approve" });
      if (!(await result).includes('"decided"')) throw new Error("Restate's handler returned no decision");
    },
    async stop() {
      wire.close();
      await child.order({ kind: "stop" });
      await child.stop();
      discard(child.folder);
    },
  };
}
