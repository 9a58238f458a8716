/** A case's event stream as an agent hears it, frame by frame, until it ends. */

import { useEffect, useState } from "react";
import type { Agent } from "./faces.ts";

export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export function useStream(path: string | undefined, agent: Agent): readonly Frame[] {
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    setFrames([]);
    void listen(agent.open(path, abort.signal), (frame) => setFrames((before) => [...before, frame])).catch(
      () => undefined,
    );
    return () => abort.abort();
  }, [path, agent]);
  return frames;
}

async function listen(opening: Promise<Response>, onFrame: (frame: Frame) => void): Promise<void> {
  const { body } = await opening;
  if (body === null) return;
  let waiting = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    waiting += value;
    const parts = waiting.split("\n\n");
    waiting = parts.pop() ?? "";
    for (const frame of parts.flatMap(readFrame)) onFrame(frame);
  }
}

/** Comments only keep the line open. */
function readFrame(text: string): readonly Frame[] {
  const member = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? "";
  const event = member("event");
  return event === "" ? [] : [{ id: member("id"), event, data: member("data") }];
}
