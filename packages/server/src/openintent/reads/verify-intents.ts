/** Verifies intents: each event against its hash, including content stored beside the log, and each row against its log. */

import { eventHash } from "../../engine/seal.ts";
import type { DomainWalk, Found, HashOf, Head } from "../../engine/verify.ts";
import { type HoldHistories, walk } from "../../engine/verify-rows.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import type { ReadStore } from "../../store/port.ts";
import { isIntentStream, streamOf } from "../rules/intent/served.ts";
import { IntentHistories } from "./intent-histories.ts";
import { readIntentEvents } from "./intent-log.ts";
import { intentEventHash } from "./seal.ts";

interface Erased {
  readonly event: StoredEvent;
  readonly holdId: string | undefined;
}

export class IntentWalk implements DomainWalk {
  readonly #store: ReadStore;
  readonly #breaks: Found[];
  readonly #erased: Erased[] = [];
  readonly #histories = new IntentHistories();

  constructor(store: ReadStore, breaks: Found[]) {
    this.#store = store;
    this.#breaks = breaks;
  }

  /** Returns the expected hash of each event. */
  async hashes(page: readonly StoredEvent[]): Promise<HashOf> {
    const hashes = new Map<number, string | null>();
    const own = page.filter(({ stream, data }) => isIntentStream(stream) && isJson(data));
    for (const { event, data, payload } of await readIntentEvents(this.#store, own)) {
      const { position } = event;
      if (payload.kind === "there") {
        hashes.set(position, intentEventHash(event, data, payload.payload));
        this.#histories.add(`${event.workspace}\u0000${event.stream}`, event.type, data, payload.payload);
      } else {
        hashes.set(position, null);
        if (payload.kind === "erased") this.#erased.push({ event, holdId: payload.holdId });
        else this.#report(event, "its content is missing");
      }
    }
    return (event) => {
      const hash = hashes.get(event.position);
      return hash === undefined ? eventHash(event) : hash;
    };
  }

  /** Erased content is accepted only if the hold's own log records the erasure. */
  async end(heads: ReadonlyMap<string, Head>, histories: HoldHistories): Promise<void> {
    for (const { event, holdId } of this.#erased) {
      if (histories.of(`${event.workspace}\u0000hold:${holdId}`).erased !== true) {
        this.#report(event, "its content is missing, and the log does not say that it was erased");
      }
    }
    const seen = new Set<string>();
    for (const workspace of new Set([...heads.keys()].map((name) => name.slice(0, name.indexOf("\u0000"))))) {
      for await (const { id, seq, head, body } of walk(this.#store, workspace, "intent")) {
        const stream = streamOf(id);
        const name = `${workspace}\u0000${stream}`;
        seen.add(name);
        const last = heads.get(name);
        const at = { workspace, position: last?.position ?? 0, stream, seq };
        if (last !== undefined)
          for (const what of this.#histories.differences(name, body)) this.#breaks.push({ ...at, what });
        if (last?.seq === seq && last.hash === head) continue;
        const what =
          last === undefined ? "its log is missing" : "its log does not end at the event that its row names";
        this.#breaks.push({ ...at, what });
      }
    }
    for (const [name, { position, seq }] of heads) {
      const [workspace = "", stream = ""] = name.split("\u0000");
      if (isIntentStream(stream) && !seen.has(name)) {
        this.#breaks.push({ workspace, position, stream, seq, what: "its row is missing" });
      }
    }
  }

  #report({ workspace, position, stream, seq }: StoredEvent, what: string): void {
    this.#breaks.push({ workspace, position, stream, seq, what });
  }
}

/** Data that is no longer JSON cannot be read, but its hash still shows that it was changed. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
