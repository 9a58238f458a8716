/**
 * One hold in an author's hands: placed just now, or found again by id or key in another process next week. It carries the types
 * and the schema of its question, so that its answer is read the same way wherever that happens.
 */

import {
  type CallOptions,
  type CancelGiven,
  type Claim,
  type Hold,
  type HoldClient,
  type RunOnceOptions,
  runOnce,
  type WaitOptions,
} from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { type AskOutcome, type DecidedOutcome, readOutcome, type SettledOutcome } from "./outcome.ts";
import type { Parse } from "./reading.ts";

/**
 * What is left of a handle in a database or a message; `hp.hold(saved)` makes a handle of it again.
 *
 * @example
 * ```ts
 * import { Holdpoint, type SavedHold } from "@holdpoint/sdk";
 *
 * const saved = JSON.parse('{"holdId":"hold_1"}') as SavedHold; // from a database
 * const outcome = await new Holdpoint().hold(saved).outcome();
 * console.error(outcome.kind);
 * ```
 */
export interface SavedHold {
  readonly holdId: string;
  readonly key?: string;
}

/**
 * A hold to wait for, act on, or withdraw. `JSON.stringify` makes a `SavedHold` of it.
 *
 * @example
 * ```ts
 * import { type HoldHandle, Holdpoint } from "@holdpoint/sdk";
 *
 * const handle: HoldHandle = new Holdpoint().hold("hold_1");
 * const outcome = await handle.wait();
 * if (outcome.kind === "decided" && outcome.action === "approve") await handle.runOnce(() => "deployed");
 * ```
 */
export interface HoldHandle<Data = JsonObject, ActionId extends string = string> {
  readonly id: string;
  readonly key?: string;
  /** How it stands: at once, or as soon as it has an outcome within `waitMs`. */
  outcome(options?: WaitOptions): Promise<AskOutcome<Data, ActionId>>;
  /** Waits for its outcome: minutes or weeks, across lost connections. With `waitMs` at most that long. */
  wait(options: WaitOptions & { readonly waitMs: number }): Promise<AskOutcome<Data, ActionId>>;
  wait(options?: CallOptions): Promise<SettledOutcome<Data, ActionId>>;
  /**
   * Runs what was approved at most once, and gives the result; whoever repeats it gets the recorded result. Throws a
   * `NotDecidedError` when nobody has decided. Where a person changed what was asked (other arguments or
   * parameters, a part of the items), `work` must take that from the decision: a function without a parameter is not run then.
   */
  runOnce<Result>(
    work: (decision: DecidedOutcome<Data, ActionId>, claim: Claim) => Promise<Result> | Result,
    options?: RunOnceOptions<Result>,
  ): Promise<Result>;
  /** Withdraws the question. If somebody was faster, a `TerminalError` with the code `already_settled` says so. */
  cancel(cancel?: CancelGiven, options?: CallOptions): Promise<SettledOutcome<Data, ActionId>>;
  toJSON(): SavedHold;
}

/**
 * A handle on a hold that was placed or found just now, with the hold as it was at that moment.
 *
 * @example
 * ```ts
 * import { Holdpoint, type PlacedHold } from "@holdpoint/sdk";
 *
 * const placed: PlacedHold = await new Holdpoint().place({ type: "x-tone", prompt: "Fit to be sent?" });
 * console.error(placed.reviewUrl, placed.expiresAt, JSON.stringify(placed));
 * ```
 */
export type PlacedHold<Data = JsonObject, ActionId extends string = string> = HoldHandle<Data, ActionId> &
  Omit<Hold, "outcome" | "id" | "key">;

export interface HandleSetup {
  readonly client: HoldClient;
  readonly id: string;
  readonly key?: string | undefined;
  readonly parse: Parse | undefined;
  /** The hold as it was read last, if it was. */
  readonly hold?: Hold;
}

export class Handle implements HoldHandle {
  readonly id: string;
  readonly key?: string;
  readonly #setup: HandleSetup;
  /** Once it has an outcome that stays, so that nobody has to ask again. */
  #settled: Hold | undefined;

  constructor(setup: HandleSetup) {
    const { id, key, hold } = setup;
    const { outcome: _outcome, ...placed } = hold ?? {};
    Object.assign(this, placed);
    this.id = id;
    if (key !== undefined) this.key = key;
    this.#setup = setup;
    this.#keep(hold);
  }

  /** How its answer is read. */
  get parse(): Parse | undefined {
    return this.#setup.parse;
  }

  outcome(options: WaitOptions = {}): Promise<AskOutcome> {
    return this.#read({ waitMs: 0, ...options });
  }

  wait(options: WaitOptions & { readonly waitMs: number }): Promise<AskOutcome>;
  wait(options?: CallOptions): Promise<SettledOutcome>;
  wait(options: WaitOptions = {}): Promise<AskOutcome> {
    return this.#read(options);
  }

  async runOnce<Result>(
    work: (decision: DecidedOutcome, claim: Claim) => Promise<Result> | Result,
    options: RunOnceOptions<Result> = {},
  ): Promise<Result> {
    const { signal } = options;
    const outcome = await this.outcome(signal === undefined ? {} : { signal });
    // What was not decided throws here.
    outcome.orThrow();
    const decision = outcome as DecidedOutcome;
    return runOnce(
      this.#setup.client,
      decision.hold,
      (claim) => work(decision, claim),
      takingEdits(work, options),
    );
  }

  async cancel(cancel?: CancelGiven, options?: CallOptions): Promise<SettledOutcome> {
    const hold = this.#keep(await this.#setup.client.cancel(this.id, cancel, options));
    return readOutcome(hold, this.parse) as Promise<SettledOutcome>;
  }

  toJSON(): SavedHold {
    return { holdId: this.id, ...(this.key === undefined ? {} : { key: this.key }) };
  }

  async #read(options: WaitOptions): Promise<AskOutcome> {
    const hold = this.#settled ?? this.#keep(await this.#setup.client.wait(this.id, options));
    return readOutcome(hold, this.parse);
  }

  #keep<Read extends Hold | undefined>(hold: Read): Read {
    if (hold !== undefined && hold.status !== "open") this.#settled = hold;
    return hold;
  }
}

/** From an id, from what a handle becomes as JSON, or from that text itself; no id begins with a brace. */
export function savedHoldOf(saved: string | SavedHold): SavedHold {
  if (typeof saved === "string") return savedHoldOf(saved[0] === "{" ? JSON.parse(saved) : { holdId: saved });
  if (saved?.holdId) return saved;
  throw new TypeError("This names no hold: give the id of a hold, or its handle as JSON.");
}

/**
 * Work with a parameter takes what a person changed; other work is not run then (G14). Nothing says how `edits` belong to the arguments:
 * who takes them says so by `takesEdits`.
 */
export function takingEdits<Result>(
  work: { readonly length: number },
  options?: RunOnceOptions<Result>,
): RunOnceOptions<Result> {
  return {
    takesEdits: work.length > 0 && ["edited_args", "modified_params", "confirmed_items"],
    ...options,
  };
}
