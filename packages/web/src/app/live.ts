/**
 * What the server says as it happens. Events arrive one by one; pages hear of them together, at most once a second, so
 * that fifty events a second cause as many requests as one.
 */

import type { EventOut } from "@holdpoint/protocol";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { CHANGES } from "./activity/change-types.ts";
import { SIGNED_OUT } from "./api.ts";

export type Connection = "connecting" | "live" | "lost" | "signed out";

/** The first event of a quiet time is shown at once; the ones after it wait for each other. */
const FIRST_MS = 80;
const NEXT_MS = 1_000;

export interface Happened {
  readonly events: readonly EventOut[];
  /** Holds that something happened to. */
  readonly holdIds: ReadonlySet<string>;
  /** Holds that ended. */
  readonly ended: ReadonlySet<string>;
  /** The stream was lost in between: anything may have happened. */
  readonly isGap: boolean;
}

const ENDINGS: ReadonlySet<string> = new Set(["hold.decided", "hold.expired", "hold.cancelled"]);

const HOLD_TYPES = [
  ...["placed", "opened", "progressed", "reminded", "notified", "escalated", "voted", "vote_withdrawn"],
  ...["decided", "expired", "cancelled", "claimed", "claim_done", "claim_failed", "claim_unknown"],
  ...["claim_released", "revoked", "followed", "link_made", "link_revoked", "erased", "assigned"],
  ...["commented", "extended", "snoozed", "decision_checked", "deadline_set", "file_added"],
].map((name) => `hold.${name}`);

/** The browser delivers only events that are named. */
const TYPES: readonly string[] = [...HOLD_TYPES, ...Object.values(CHANGES).flat()];

type Hear = (happened: Happened) => void;

/** Gathers events and passes them on together. Time is given from outside, for tests. */
export class Gatherer {
  readonly #hear: Hear;
  readonly #after: (ms: number, act: () => void) => void;
  readonly #isHidden: () => boolean;
  #events: EventOut[] = [];
  #isGap = false;
  #isWaiting = false;
  #isQuiet = true;

  constructor(
    hear: Hear,
    after: (ms: number, act: () => void) => void,
    isHidden: () => boolean = () => false,
  ) {
    this.#hear = hear;
    this.#after = after;
    this.#isHidden = isHidden;
  }

  add(event: EventOut): void {
    this.#events.push(event);
    this.#wait();
  }

  addGap(): void {
    this.#isGap = true;
    this.#wait();
  }

  /** A page that nobody sees asks for nothing; it catches up when it is looked at. */
  flush(): void {
    this.#isWaiting = false;
    if (this.#isHidden()) return;
    if (this.#events.length === 0 && !this.#isGap) {
      this.#isQuiet = true;
      return;
    }
    const events = this.#events;
    const isGap = this.#isGap;
    this.#events = [];
    this.#isGap = false;
    this.#isQuiet = false;
    const ids = (of: readonly EventOut[]) => new Set(of.flatMap(({ hold_id: id }) => id ?? []));
    const ended = ids(events.filter(({ type }) => ENDINGS.has(type)));
    this.#hear({ events, holdIds: ids(events), ended, isGap });
    this.#wait();
  }

  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#after(this.#isQuiet ? FIRST_MS : NEXT_MS, () => this.flush());
  }
}

/** Every event from now on. The browser reconnects by itself and names the last one it has; missed ones are replayed. */
export function useStream(hear: Hear): Connection {
  const [connection, setConnection] = useState<Connection>("connecting");
  const heard = useRef(hear);
  heard.current = hear;
  useEffect(() => {
    const gatherer = new Gatherer(
      (happened) => heard.current(happened),
      (ms, act) => void setTimeout(act, ms),
      () => document.hidden,
    );
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasOpen = false;
    const connect = () => {
      source = new EventSource("/v1/events");
      source.onopen = () => {
        setConnection("live");
        if (wasOpen) gatherer.addGap();
        wasOpen = true;
      };
      source.onerror = () => {
        setConnection("lost");
        // Why it went down is asked: a refusal says that somebody was signed out.
        gatherer.addGap();
        if (source?.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(connect, 3_000);
      };
      for (const type of TYPES)
        source.addEventListener(type, (frame) => gatherer.add(JSON.parse(frame.data) as EventOut));
    };
    const onSeen = () => gatherer.flush();
    connect();
    document.addEventListener("visibilitychange", onSeen);
    return () => {
      document.removeEventListener("visibilitychange", onSeen);
      clearTimeout(timer);
      source?.close();
    };
  }, []);
  return useSignedOut() ? "signed out" : connection;
}

function useSignedOut(): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => {
    const onSignedOut = () => setSignedOut(true);
    addEventListener(SIGNED_OUT, onSignedOut);
    return () => removeEventListener(SIGNED_OUT, onSignedOut);
  }, []);
  return isSignedOut;
}

/** One clock for everything that counts down, however many rows there are. */
let second = 0;
const waiting = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function onTick(heard: () => void): () => void {
  waiting.add(heard);
  ticking ??= setInterval(() => {
    second += 1;
    for (const each of waiting) each();
  }, 1_000);
  return () => {
    waiting.delete(heard);
    if (waiting.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** Renders again each second. */
export function useSecond(): number {
  return useSyncExternalStore(onTick, () => second);
}
