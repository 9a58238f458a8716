import { expect, test } from "vitest";
import { framesOf } from "./frames.ts";

const LIMITS = { totalBytes: 20_000_000, frameBytes: 10_000_000 };

async function read(text: string): Promise<number> {
  const chunks = (async function* () {
    yield new TextEncoder().encode(text);
  })();
  let events = 0;
  for await (const _event of framesOf(chunks, LIMITS)) events += 1;
  return events;
}

test("G13: a frame with more values than a conversation may have is refused before it is parsed", async () => {
  const frame = (values: number) => `data: {"type":"CUSTOM","value":[${"{},".repeat(values)}{}]}\n\n`;
  expect(await read(frame(99_000))).toBe(1);
  await expect(read(frame(100_001))).rejects.toThrow("too_long");
});
