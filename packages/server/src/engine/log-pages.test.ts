import { expect, test } from "vitest";
import type { StoredEvent } from "../kernel/record.ts";
import { cutPage, mayGoOn, PAGE_LENGTH } from "../store/event-pages.ts";
import { event } from "../store/suite/fixture.ts";
import { windowsBack } from "./log-pages.ts";

const long = { data: "x".repeat(PAGE_LENGTH / 2) };
const stored = (position: number, more: object = {}): StoredEvent => ({
  ...event("hold:a", position, more),
  position,
});

test("windows go back to the first place, and are smaller where events are long (G13)", async () => {
  const log = Array.from({ length: 100 }, (_, at) => stored(at + 1, at > 40 && at < 50 ? long : {}));
  const lengths: number[] = [];
  const read = async ({ after, upTo }: { after: number; upTo: number }) => {
    const page = cutPage(log.slice(after, upTo));
    lengths.push(page.reduce((sum, { data }) => sum + data.length, 0));
    return page;
  };
  const found: number[] = [];
  for await (const { events, after } of windowsBack({ after: 5, upTo: 100 }, 50, read)) {
    expect(events[0]?.position).toBe(after + 1);
    found.push(...events.map(({ position }) => position).toReversed());
  }
  expect(found).toEqual(Array.from({ length: 95 }, (_, at) => 100 - at));
  expect(Math.max(...lengths)).toBeLessThan(2 * PAGE_LENGTH);
});

test("a page of fewer and shorter events than could be is the last one", () => {
  expect(mayGoOn([stored(1)], 2)).toBe(false);
  expect(mayGoOn([stored(1), stored(2)], 2)).toBe(true);
  expect(mayGoOn([], 2)).toBe(false);
  // A store that counts bytes may have ended this page.
  expect(mayGoOn([stored(1, { data: "x".repeat(PAGE_LENGTH / 3) })], 2)).toBe(true);
});
