import { expect, it } from "vitest";
import { PacedQueue } from "./backpressure.ts";

it("a producer waits until the reader asks for the next value", async () => {
  const queue = new PacedQueue<number>();
  const taken: number[] = [];
  const working = (async () => {
    for (const value of [1, 2]) {
      await queue.push(value);
      taken.push(value);
    }
    queue.close();
  })();
  const reader = queue.values();
  expect((await reader.next()).value).toBe(1);
  expect(taken).toEqual([]);
  expect((await reader.next()).value).toBe(2);
  expect(taken).toEqual([1]);
  expect((await reader.next()).done).toBe(true);
  await working;
});

it("a producer does not wait once the reader has left, whether or not it had read a value", async () => {
  const queue = new PacedQueue<number>();
  const reader = queue.values();
  const taken = queue.push(1);
  await reader.next();
  queue.leave();
  await taken;
  await queue.push(2);
  expect(queue.left.aborted).toBe(true);
  const unread = new PacedQueue<number>();
  const waiting = unread.push(1);
  unread.leave();
  await waiting;
});
