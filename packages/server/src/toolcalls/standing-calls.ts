/**
 * Calls that run without a check of their own, because the server said that the rules allow every call of their tool for now.
 *
 * P1  A permission counts from the moment its request was sent, so it never lasts longer than the server meant. It is renewed by
 *     every reply to a record, and ends at once when a reply does not renew it or when the server cannot be reached.
 * P2  Every such call is recorded within moments. At most `UNRECORDED_MAX` calls are waiting for that; beyond it, calls are checked.
 * P3  A record that the server could not take is kept and sent again.
 */

import {
  type Check,
  type CheckGiven,
  defined,
  isRetryableError,
  type StandingClient,
} from "@holdpoint/protocol/client";
import { STANDING_CALLS_MAX } from "@holdpoint/protocol/gating";
import type { Clock } from "../system/clock.ts";
import type { LocalVerdict } from "./local-rules.ts";
import { recordableSize } from "./recordable.ts";

export interface StandingOptions {
  readonly client: StandingClient;
  /** Must never run backwards. */
  readonly clock: Clock;
  readonly session: string;
  onTrouble(error: Error): void;
}

type Call = Pick<CheckGiven, "tool" | "args" | "annotations">;

interface Permission {
  readonly version: number;
  readonly until: number;
}

/** Calls of one tool that one record can contain. */
interface Batch extends Pick<Call, "tool" | "annotations"> {
  readonly version: number;
  readonly localDigest: string | undefined;
  readonly calls: Call["args"][];
  size: number;
}

const UNRECORDED_MAX = 1_000;
/** How long calls may wait for others to be recorded together with them. */
const GATHER_MS = 20;
const RETRY_MS = 1_000;
/** Characters in one record: far below the size of a request that the server takes, however they are escaped. */
const RECORD_SIZE_MAX = 150_000;
/** How long a program that ends waits for its last records. */
const CLOSE_MS = 5_000;

/** No server gives longer ones. */
const STANDING_MAX_MS = 10_000;

function isDuration(ms: unknown): ms is number {
  return typeof ms === "number" && ms > 0 && ms <= STANDING_MAX_MS;
}

export class StandingCalls {
  readonly #options: StandingOptions;
  readonly #permissions = new Map<string, Permission>();
  #version = -1;
  #open: Batch[] = [];
  #unrecorded = 0;
  #sending: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** Reads the permission for a tool in the reply to a request that was sent at `sentAt`. */
  learn(tool: string, { verdict, hold, rulesVersion, standingMs }: Check, sentAt: number): void {
    if (!Number.isInteger(rulesVersion) || rulesVersion < this.#version) return;
    if (rulesVersion > this.#version) this.#permissions.clear();
    this.#version = rulesVersion;
    const isGiven = verdict === "allow" && hold === undefined && isDuration(standingMs);
    if (isGiven) this.#permissions.set(tool, { version: rulesVersion, until: sentAt + standingMs });
    else this.#permissions.delete(tool);
  }

  /** Whether the call may run now. If so, it will be recorded. */
  takes(call: Call, local: LocalVerdict | undefined): boolean {
    const permission = this.#permissions.get(call.tool);
    if (permission === undefined || this.#options.clock.now() >= permission.until) return false;
    if (local !== undefined && local.verdict !== "allow") return false;
    if (this.#unrecorded >= UNRECORDED_MAX) return false;
    const size = recordableSize(call.args);
    if (size === null) return false;
    this.#add(call, size, permission.version, local?.digest);
    return true;
  }

  /** Records what is not recorded yet. */
  async close(): Promise<void> {
    this.#stopTimer();
    const { clock } = this.#options;
    const late = Promise.withResolvers<void>();
    const cancel = clock.at(clock.now() + CLOSE_MS, late.resolve);
    await Promise.race([this.#sendAll(), late.promise]);
    cancel();
    this.#stopTimer();
    if (this.#unrecorded > 0)
      this.#options.onTrouble(new Error(`${this.#unrecorded} allowed calls could not be recorded`));
  }

  #add({ tool, args, annotations }: Call, size: number, version: number, localDigest: string | undefined) {
    this.#unrecorded += 1;
    const batch = this.#open.find(
      (each) =>
        each.tool === tool &&
        each.annotations === annotations &&
        each.version === version &&
        each.calls.length < STANDING_CALLS_MAX &&
        each.size + size <= RECORD_SIZE_MAX,
    );
    if (batch === undefined)
      this.#open.push({
        ...{ tool, version, localDigest, calls: [args], size },
        ...defined({ annotations }),
      });
    else {
      batch.calls.push(args);
      batch.size += size;
    }
    this.#sendIn(GATHER_MS);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #sendIn(ms: number): void {
    if (this.#cancelTimer !== undefined || this.#sending !== undefined) return;
    const { clock } = this.#options;
    this.#cancelTimer = clock.at(clock.now() + ms, () => {
      this.#cancelTimer = undefined;
      return this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    const batches = this.#open;
    if (batches.length === 0) return;
    this.#open = [];
    this.#sending = Promise.all(batches.map((batch) => this.#send(batch))).then(() => undefined);
    await this.#sending;
    this.#sending = undefined;
    if (this.#open.length > 0) this.#sendIn(this.#permissions.size === 0 ? RETRY_MS : GATHER_MS);
  }

  async #send(batch: Batch): Promise<void> {
    const { tool, annotations, version: rulesVersion, calls, localDigest } = batch;
    const { client, session, clock } = this.#options;
    const sentAt = clock.now();
    const localRules = localDigest === undefined ? undefined : { digest: localDigest };
    try {
      const given = { tool, rulesVersion, calls, session, ...defined({ annotations, localRules }) };
      this.learn(tool, await client.recordStandingCalls(given), sentAt);
      this.#unrecorded -= calls.length;
    } catch (error) {
      this.#permissions.clear();
      if (isRetryableError(error)) {
        this.#open.push(batch);
        return;
      }
      this.#unrecorded -= calls.length;
      const why = error instanceof Error ? error.message : String(error);
      this.#options.onTrouble(
        new Error(`${calls.length} allowed calls of ${tool} were not recorded: ${why}`),
      );
    }
  }
}
