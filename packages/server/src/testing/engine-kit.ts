/** An engine over a store whose every call a test can hold up, fail and count, on a clock that the test moves. */

import { type Command, type EntityOf, SEALS, TABLE } from "../domains.ts";
import { Engine, type EngineOptions, type Result } from "../engine/engine.ts";
import { contentDigest } from "../engine/seal.ts";
import type { AnyCommand } from "../kernel/domain.ts";
import type { Entity } from "../kernel/entity.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { Principal } from "../kernel/principal.ts";
import type { StoredEvent, Timer } from "../kernel/record.ts";
import type { MemoryData } from "../store/memory/data.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { type Batch, type Changes, type EventQuery, type Query, SOLE, type Want } from "../store/port.ts";
import { AGENT, OPERATOR, WORKSPACE } from "./core-samples.ts";
import { TEST_PLATFORM, testJudge } from "./core-step.ts";
import type { BareCommand } from "./given.ts";
import { ManualClock } from "./manual-clock.ts";

export type StoreCall = "begin" | "load" | "commit" | "release" | "events" | "due" | "dueTimers" | "query";

export class TestStore extends MemoryStore {
  /** What was asked to be committed, batch by batch, whether it succeeded or not. */
  readonly commits: Changes[] = [];
  readonly loads: (readonly Want[])[] = [];
  /** Runs before each call reaches the store: may throw, or wait. */
  before: (call: StoreCall) => void | Promise<void> = () => undefined;

  constructor(data?: MemoryData) {
    super({ indexes: TABLE, ...(data === undefined ? {} : { data }) });
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
      now: (serverNow) => batch.now(serverNow),
      due: async (now, limit, room) => {
        await this.before("due");
        return batch.due(now, limit, room);
      },
      load: async (wants, room) => {
        this.loads.push(wants);
        await this.before("load");
        return batch.load(wants, room);
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

  override async query<K extends string>(query: Query<K>): Promise<readonly EntityOf<K>[]> {
    await this.before("query");
    return super.query(query);
  }
}

/** As a store that servers share. Tells how many timers each batch found. */
export function share(store: TestStore) {
  const batches: number[] = [];
  const begin = store.begin.bind(store);
  const counted = async (): Promise<Batch> => {
    const batch = await begin();
    return {
      ...batch,
      due: async (now, limit, room) => {
        const due = await batch.due(now, limit, room);
        batches.push(due.length);
        return due;
      },
    };
  };
  Object.assign(store, { shared: { ...SOLE, hasOthers: true, lookMs: 500 }, begin: counted });
  return { batches };
}

export interface Fault {
  readonly fault: unknown;
  readonly command: AnyCommand | null;
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
    table: TABLE,
    seals: SEALS,
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
      if (!result.ok) throw new Error(`refused: ${result.failure.code}`);
      return result.entity as Entity<Hold>;
    },
    async stored(id) {
      const [found] = await store.load([{ workspace: WORKSPACE, kind: "hold", id }]);
      return found;
    },
  };
}
