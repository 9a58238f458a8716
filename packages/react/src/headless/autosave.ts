/** Keeps a draft a moment after the last change, one save at a time, the newest always last. */

export interface Timer {
  set(work: () => void, afterMs: number): unknown;
  clear(handle: unknown): void;
}

export type SaveState = "clean" | "waiting" | "saving" | "saved" | "failed";

/** How much longer than after a change it waits after a failure. */
const RETRY_DELAYS = 8;

/** Saves drafts: `change` with each one, `flush` before the page goes, `stop` at the end. */
export class Autosave<Draft> {
  readonly #save: (draft: Draft) => Promise<boolean>;
  readonly #timer: Timer;
  readonly #delayMs: number;
  readonly #onState: (state: SaveState) => void;
  #next: Draft | undefined;
  #handle: unknown;
  #isSaving = false;
  #isStopped = false;

  constructor(options: {
    readonly save: (draft: Draft) => Promise<boolean>;
    readonly timer: Timer;
    readonly delayMs: number;
    readonly onState?: (state: SaveState) => void;
  }) {
    this.#save = options.save;
    this.#timer = options.timer;
    this.#delayMs = options.delayMs;
    this.#onState = options.onState ?? (() => undefined);
  }

  change(draft: Draft): void {
    this.#next = draft;
    this.#onState("waiting");
    this.#timer.clear(this.#handle);
    this.#handle = this.#timer.set(() => void this.flush(), this.#delayMs);
  }

  /** Saves now what has not been saved: the page may be about to go. */
  async flush(): Promise<void> {
    this.#timer.clear(this.#handle);
    if (this.#isSaving) return;
    while (this.#next !== undefined) {
      const draft = this.#next;
      this.#next = undefined;
      this.#isSaving = true;
      this.#onState("saving");
      const ok = await this.#save(draft).catch(() => false);
      this.#isSaving = false;
      this.#onState(ok ? "saved" : "failed");
      if (!ok) {
        if (this.#isStopped) return;
        this.#next ??= draft;
        this.#handle = this.#timer.set(() => void this.flush(), RETRY_DELAYS * this.#delayMs);
        return;
      }
    }
  }

  stop(): void {
    this.#timer.clear(this.#handle);
    this.#next = undefined;
    this.#isStopped = true;
  }
}
