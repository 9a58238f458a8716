/** A case's event stream as an agent hears it, frame by frame, until it ends. */

import { type Frame, sseParser } from "@holdpoint/protocol/http";
import { useEffect, useState } from "react";
import type { Agent } from "./faces.ts";

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
  const parser = sseParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    for (const frame of parser.push(value)) onFrame(frame);
  }
}
