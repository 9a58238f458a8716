/**
 * Where the state of a run is kept while people decide: one document for each run, replaced as a whole.
 *
 * S1  Of two writers that read the same version, one writes; the other gets `StateChanged` and must read again.
 */

import {
  type ClientSource,
  holdClientOf,
  isRefusal,
  type OpenIn,
  type ThreadClient,
} from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { threadIdFor } from "./thread-id.ts";

export interface SavedState {
  readonly state: JsonObject;
  readonly version: number;
}

export interface RunStore {
  /** Null when nothing was saved under this key. */
  load(key: string): Promise<SavedState | null>;
  /** Gives the new version. Throws `StateChanged` unless the stored version is `ifVersion`; 0: unless there is none. */
  save(key: string, state: JsonObject, ifVersion: number): Promise<number>;
}

/** Another process has moved the run on since its state was read. */
export class StateChanged extends Error {
  override readonly name = "StateChanged";
  readonly key: string;

  constructor(key: string) {
    super(`The state of the run ${key} was changed by another process. Read it again with advanceRun.`);
    this.key = key;
  }
}

/**
 * Keeps states on the Holdpoint server, so that an agent brings no database: one thread for each run, at most 10 MiB. An operator of
 * the server can read them, so put no secrets into an agent's messages or context.
 */
export function serverStore(holdpoint: ClientSource<ThreadClient>): RunStore {
  const client = holdClientOf(holdpoint);
  const idOf = (key: string) => threadIdFor("state", key);
  return {
    async load(key) {
      const thread = await client.getThread(await idOf(key));
      return thread === null ? null : { state: thread.data, version: thread.version };
    },
    async save(key, state, ifVersion) {
      try {
        const { version } = await client.keepThread(await idOf(key), { data: state as OpenIn, ifVersion });
        return version;
      } catch (error) {
        if (isRefusal(error, "precondition_failed")) throw new StateChanged(key);
        throw error;
      }
    },
  };
}

/** Keeps states in this process. They end with it: for tests, and for agents whose framework keeps the state itself. */
export function memoryStore(): RunStore {
  const kept = new Map<string, SavedState>();
  return {
    load: async (key) => structuredClone(kept.get(key) ?? null),
    async save(key, state, ifVersion) {
      if ((kept.get(key)?.version ?? 0) !== ifVersion) throw new StateChanged(key);
      kept.set(key, structuredClone({ state, version: ifVersion + 1 }));
      return ifVersion + 1;
    },
  };
}
