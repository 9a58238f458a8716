import { expect, it } from "vitest";
import { Pipe } from "./pipe.ts";

it("is no faster than its reader", async () => {
  const pipe = new Pipe<number>();
  const taken: number[] = [];
  const working = (async () => {
    for (const value of [1, 2]) {
      await pipe.push(value);
      taken.push(value);
    }
    pipe.close();
  })();
  const reader = pipe.values();
  expect((await reader.next()).value).toBe(1);
  expect(taken).toEqual([]);
  expect((await reader.next()).value).toBe(2);
  expect(taken).toEqual([1]);
  expect((await reader.next()).done).toBe(true);
  await working;
});

it("keeps nobody waiting once its reader has left, in the middle of a value or before one", async () => {
  const pipe = new Pipe<number>();
  const reader = pipe.values();
  const taken = pipe.push(1);
  await reader.next();
  pipe.leave();
  await taken;
  await pipe.push(2);
  expect(pipe.left.aborted).toBe(true);
  const unread = new Pipe<number>();
  const waiting = unread.push(1);
  unread.leave();
  await waiting;
});
