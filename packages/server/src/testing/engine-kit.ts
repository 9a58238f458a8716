/** An engine over a store whose every call a test can hold up, fail and count, on a clock that the test moves. */

import type { Command } from "../core/decide.ts";
import type { Entity } from "../core/entity.ts";
import type { Hold } from "../core/hold/hold.ts";
import { indexOf } from "../core/indexes.ts";
import type { Principal } from "../core/principal.ts";
import type { StoredEvent, Timer } from "../core/record.ts";
import { Engine, type EngineOptions, type Result } from "../engine/engine.ts";
import { contentDigest } from "../engine/seal.ts";
import type { MemoryData } from "../store/memory/data.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import type { Batch, Changes, EventQuery, Want } from "../store/port.ts";
import { AGENT, OPERATOR, WORKSPACE } from "./core-samples.ts";
import { TEST_PLATFORM, testJudge } from "./core-step.ts";
import type { BareCommand } from "./given.ts";
import { ManualClock } from "./manual-clock.ts";

export type StoreCall = "begin" | "load" | "commit" | "release" | "events" | "dueTimers" | "query";

export class TestStore extends MemoryStore {
  /** What was asked to be committed, batch by batch, whether it succeeded or not. */
  readonly commits: Changes[] = [];
  readonly loads: (readonly Want[])[] = [];
  /** Runs before each call reaches the store: may throw, or wait. */
  before: (call: StoreCall) => void | Promise<void> = () => undefined;

  constructor(data?: MemoryData) {
    super({ indexOf, ...(data === undefined ? {} : { data }) });
  }

  /** Throws at the next call of this name, once. */
  failOnce(name: StoreCall, fault: Error): void {
    this.before = (call) => {
      if (call !== name) return;
      this.before = () => undefined;
      throw fault;
    };
  }

  /** Holds up every call of this name until the function given back is called. */
  block(name: StoreCall): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.before = (call) => (call === name ? promise : undefined);
    return () => {
      this.before = () => undefined;
      resolve();
    };
  }

  override async begin(): Promise<Batch> {
    await this.before("begin");
    const batch = await super.begin();
    return {
      find: (kind, id) => batch.find(kind, id),
      query: (query) => batch.query(query),
      events: (query) => batch.events(query),
      load: async (wants) => {
        this.loads.push(wants);
        await this.before("load");
        return batch.load(wants);
      },
      commit: async (changes) => {
        this.commits.push(changes);
        await this.before("commit");
        return batch.commit(changes);
      },
      release: async () => {
        await this.before("release");
        return batch.release();
      },
    };
  }

  override async events(query: EventQuery): Promise<readonly StoredEvent[]> {
    await this.before("events");
    return super.events(query);
  }

  override async dueTimers(now: number, limit: number): Promise<readonly Timer[]> {
    await this.before("dueTimers");
    return super.dueTimers(now, limit);
  }

  override async query(query: Parameters<MemoryStore["query"]>[0]): Promise<readonly Entity[]> {
    await this.before("query");
    return super.query(query);
  }
}

/** As a store that servers share: its batches find what is due, and what rests is known to it. */
export function share(store: TestStore) {
  const handfuls: number[] = [];
  const restsUntil = new Map<string, number>();
  const begin = store.begin.bind(store);
  const shared = async (): Promise<Batch> => {
    const batch = await begin();
    return {
      ...batch,
      due: async (now, limit) => {
        const all = await store.dueTimers(now, 10_000);
        const due = all.filter(({ key }) => (restsUntil.get(key.id) ?? 0) <= now).slice(0, limit);
        handfuls.push(due.length);
        const found = await batch.load(due.map(({ key }) => key));
        return found.map((entity) => ({
          entity,
          dueAt: due.find(({ key }) => key.id === entity.id)?.dueAt ?? 0,
        }));
      },
      commit: async (changes) => {
        for (const { key, until } of changes.rests ?? []) restsUntil.set(key.id, until);
        return batch.commit(changes);
      },
    };
  };
  const nextTimerAt = async () => {
    const all = await store.dueTimers(Number.MAX_SAFE_INTEGER, 10_000);
    const next = all.map(({ key, dueAt }) => Math.max(dueAt, restsUntil.get(key.id) ?? 0));
    return next.length === 0 ? null : Math.min(...next);
  };
  Object.assign(store, { lookMs: 500, begin: shared, nextTimerAt });
  return { handfuls, restsUntil };
}

export interface Fault {
  readonly fault: unknown;
  readonly command: Command | null;
}

export interface EngineKit {
  readonly engine: Engine;
  readonly store: TestStore;
  readonly clock: ManualClock;
  /** What `onFault` heard. */
  readonly faults: Fault[];
  run(command: BareCommand, by?: Principal): Promise<Result>;
  /** Runs it and gives the hold it was accepted for. */
  hold(command: BareCommand, by?: Principal): Promise<Entity<Hold>>;
  /** The hold as it lies in the store. */
  stored(id: string): Promise<Entity<Hold> | undefined>;
}

export function engineKit(options: Partial<EngineOptions> & { readonly data?: MemoryData } = {}): EngineKit {
  const { data, ...rest } = options;
  const store = new TestStore(data);
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock({ startAt: 1_000 });
  const faults: Fault[] = [];
  const engine = new Engine({
    store,
    clock,
    judge: testJudge,
    digest: contentDigest,
    platform: TEST_PLATFORM,
    onFault: (fault, command) => faults.push({ fault, command }),
    ...rest,
  });
  const run: EngineKit["run"] = (command, by = command.kind === "place_hold" ? AGENT : OPERATOR) =>
    engine.run({ ...command, workspace: WORKSPACE, by } as Command);
  return {
    engine,
    store,
    clock,
    faults,
    run,
    async hold(command, by) {
      const result = await run(command, by);
      if (!result.ok) throw new Error(`refused: ${result.refusal.code}`);
      return result.entity as unknown as Entity<Hold>;
    },
    async stored(id) {
      const [found] = await store.load([{ workspace: WORKSPACE, kind: "hold", id }]);
      return found as unknown as Entity<Hold> | undefined;
    },
  };
}
