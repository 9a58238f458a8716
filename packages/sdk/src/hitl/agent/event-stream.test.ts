import { expect, test } from "vitest";
import { type Frame, frameCutter, framesOf } from "./event-stream.ts";

const TEXT =
  ': hello\r\n\r\nid: 7\nevent: review.opened\ndata: {"a":\ndata: 1}\n\nevent:x\rdata\r\rretry: 5\n\nid: a\0b\ndata:  two\n\n';
const FRAMES: readonly Frame[] = [
  { id: "7", event: "review.opened", data: '{"a":\n1}' },
  { event: "x", data: "" },
  { event: "message", data: " two" },
];

test("frames are the same wherever the stream is cut", () => {
  for (let cut = 0; cut <= TEXT.length; cut += 1) {
    const cutter = frameCutter();
    const frames = [...cutter.push(TEXT.slice(0, cut)), ...cutter.push(TEXT.slice(cut))];
    expect(frames, `cut at ${cut}`).toEqual(FRAMES);
  }
  const slow = frameCutter();
  expect([...TEXT].flatMap((character) => slow.push(character))).toEqual(FRAMES);
});

test("characters that arrive in two pieces stay whole", async () => {
  const bytes = new TextEncoder().encode("data: é😀\n\n");
  let heard = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const frames: Frame[] = [];
  for await (const frame of framesOf(body, () => {
    heard += 1;
  }))
    frames.push(frame);
  expect(frames).toEqual([{ event: "message", data: "é😀" }]);
  expect(heard).toBe(bytes.length);
});

test("a frame without end is refused before it fills the memory", () => {
  const cutter = frameCutter();
  const piece = "x".repeat(300_000);
  expect(() => {
    for (let round = 0; round < 5; round += 1) cutter.push(piece);
  }).toThrow("too long");
  const lines = frameCutter();
  expect(() => {
    for (let round = 0; round < 5; round += 1) lines.push(`data: ${piece}\n`);
  }).toThrow("too long");
});
