/**
 * One stream of events for all tabs of a person in this browser. A browser opens six connections to a server, and a stream
 * keeps one for itself: with a stream in each tab, the seventh tab would load nothing. The tab that has a lock has the
 * stream and passes on what it hears; when it is closed, the next one in the line gets the lock.
 */

import type { EventOut } from "@holdpoint/protocol";

const AGAIN_MS = 3_000;

type Heard =
  | { readonly event: EventOut }
  /** `isGap`: events may have been missed before. */
  | { readonly isLive: boolean; readonly isGap: boolean };
type Message = Heard | "how is it?";

/** `isOwn`: this tab has the stream. */
export type Hear = (heard: Heard, isOwn: boolean) => void;

/**
 * Hears every event of these types after `position`, the log's end when the page was made; without it, from now on. What it
 * returns ends it.
 */
export function sharedStream(
  who: string,
  types: readonly string[],
  position: number | undefined,
  hear: Hear,
): () => void {
  // Without encryption browsers give pages no locks; then each tab has a stream of its own.
  if (!("locks" in navigator)) return stream(types, position, (heard) => hear(heard, true));
  const name = `holdpoint.stream.${who}`;
  const ended = new AbortController();
  const channel = new BroadcastChannel(name);
  let isLive: boolean | undefined;
  let close: (() => void) | undefined;
  const lead = () =>
    new Promise<void>((resolve) => {
      // What happened while another tab had the stream was heard from there, or is read again.
      close = stream(types, isLive === undefined ? position : undefined, (heard) => {
        if ("isLive" in heard) isLive = heard.isLive;
        channel.postMessage(heard);
        hear(heard, true);
      });
      ended.signal.addEventListener("abort", () => resolve());
    });
  const follow = () => {
    close?.();
    close = undefined;
    if (!ended.signal.aborted)
      void navigator.locks.request(name, { signal: ended.signal }, lead).catch(follow);
  };
  /** A hidden tab may sleep too long before it connects again: one that somebody sees takes the stream over. */
  const takeOver = () => {
    if (isLive !== false || close !== undefined || document.hidden || ended.signal.aborted) return;
    void navigator.locks.request(name, { steal: true }, lead).catch(follow);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data === "how is it?") {
      if (close !== undefined && isLive !== undefined) channel.postMessage({ isLive, isGap: false });
      return;
    }
    if ("isLive" in data) isLive = data.isLive;
    if (isLive === false) setTimeout(takeOver, 2 * AGAIN_MS);
    hear(data, false);
  };
  document.addEventListener("visibilitychange", takeOver);
  channel.postMessage("how is it?");
  follow();
  return () => {
    ended.abort();
    close?.();
    channel.close();
    document.removeEventListener("visibilitychange", takeOver);
  };
}

/** The browser reconnects by itself and names the last event it has; missed ones are replayed. */
function stream(
  types: readonly string[],
  position: number | undefined,
  hear: (heard: Heard) => void,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (after?: number) => {
    let isGap = after === undefined;
    source = new EventSource(after === undefined ? "/v1/events" : `/v1/events?after=${after}`);
    source.onopen = () => {
      hear({ isLive: true, isGap });
      isGap = true;
    };
    source.onerror = () => {
      hear({ isLive: false, isGap: true });
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(connect, AGAIN_MS);
    };
    for (const type of types)
      source.addEventListener(type, (frame) => hear({ event: JSON.parse(frame.data) as EventOut }));
  };
  connect(position);
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
