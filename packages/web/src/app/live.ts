/**
 * What the server says as it happens. Events arrive one by one; pages hear of them together, at most once a second, so
 * that fifty events a second cause as many requests as one.
 */

import type { EventOut } from "@holdpoint/protocol";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { TOLD } from "./activity/sentence.ts";
import { OTHER_PERSON, SIGNED_OUT } from "./api.ts";
import { useApi } from "./hooks.ts";
import { sharedStream } from "./shared-stream.ts";

export type Connection = "connecting" | "live" | "lost" | "signed out";

/** The first event of a quiet time is shown at once; the ones after it wait for each other. */
const FIRST_MS = 80;
const NEXT_MS = 1_000;
const EVENTS_MAX = 1_000;

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

/** Calls that no person is asked about: many a second, and no page shows them as they happen. */
const QUIET: ReadonlySet<string> = new Set(["check.recorded", "grant.matched", "skip.recorded"]);

/** The browser delivers only events that are named. Exported for its test. */
export const TYPES: readonly string[] = TOLD.filter((type) => !QUIET.has(type));

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
    // A page that is hidden overnight does not keep a night's events: it reads everything again.
    if (this.#events.length > EVENTS_MAX) {
      this.#events = [];
      this.#isGap = true;
    }
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

/** Every event from now on. `onHidden` hears at once of what happens while nobody sees the page, in one tab of the browser only. */
export function useStream(hear: Hear, onHidden: (event: EventOut) => void): Connection {
  const { state } = useApi();
  const [connection, setConnection] = useState<Connection>("connecting");
  const heard = useRef({ hear, onHidden });
  heard.current = { hear, onHidden };
  useEffect(() => {
    const gatherer = new Gatherer(
      (happened) => heard.current.hear(happened),
      (ms, act) => void setTimeout(act, ms),
      () => document.hidden,
    );
    const end = sharedStream(state.name, TYPES, state.position, (what, isOwn) => {
      if ("event" in what) {
        gatherer.add(what.event);
        if (isOwn && document.hidden) heard.current.onHidden(what.event);
        return;
      }
      setConnection(what.isLive ? "live" : "lost");
      // Also when it goes down: a refusal of what is asked then says that somebody was signed out.
      if (what.isGap) gatherer.addGap();
    });
    const onSeen = () => gatherer.flush();
    document.addEventListener("visibilitychange", onSeen);
    return () => {
      document.removeEventListener("visibilitychange", onSeen);
      end();
    };
  }, [state.name, state.position]);
  return useSignedOut() ? "signed out" : connection;
}

function useSignedOut(): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => {
    const onSignedOut = () => setSignedOut(true);
    // Told with every look at the session: there is one again.
    const onSession = () => setSignedOut(false);
    addEventListener(SIGNED_OUT, onSignedOut);
    addEventListener(OTHER_PERSON, onSession);
    return () => {
      removeEventListener(SIGNED_OUT, onSignedOut);
      removeEventListener(OTHER_PERSON, onSession);
    };
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
