import { expect, test } from "vitest";
import { framesOf } from "./event-stream.ts";

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function read(pieces: readonly Uint8Array[], heard: () => void = () => undefined) {
  const frames: unknown[] = [];
  for await (const frame of framesOf(streamOf(pieces), heard)) frames.push(frame);
  return frames;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("characters that arrive in two chunks stay whole, and every chunk counts as a sign of life", async () => {
  let heard = 0;
  const pieces = Array.from(bytes("id: 7\ndata: é😀\n\n"), (byte) => Uint8Array.of(byte));
  const frames = await read(pieces, () => {
    heard += 1;
  });
  expect(frames).toEqual([{ id: "7", event: "message", data: "é😀" }]);
  expect(heard).toBe(pieces.length);
});

test("a frame without an end is refused before it fills the memory", async () => {
  const piece = bytes("x".repeat(300_000));
  await expect(read([bytes("data: "), ...Array(5).fill(piece)])).rejects.toThrow("too long");
  const line = bytes(`data: ${"x".repeat(300_000)}\n`);
  await expect(read(Array(5).fill(line))).rejects.toThrow("too long");
});

test("many short frames and comments do not count as one long frame", async () => {
  const beat = bytes(`: ${"beat ".repeat(40_000)}\n\n`);
  const frame = bytes(`data: ${"x".repeat(300_000)}\n\n`);
  expect(await read([...Array(10).fill(beat), ...Array(10).fill(frame)])).toHaveLength(10);
});
