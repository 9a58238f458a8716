/** The kit passes an adapter that keeps its promises, and finds each one that is broken. */

import { describe, expect, it } from "vitest";
import { adapterTests } from "./index.ts";
import { type Breaks, plainLoop } from "./plain-loop.fixture.ts";

describe("an adapter of ten lines", () => {
  for (const { title, run } of adapterTests(plainLoop())) it(title, run);
});

/** The cases with such a title that this adapter does not pass. */
async function failures(breaks: Breaks, titles: RegExp): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { title, run } of adapterTests(plainLoop(breaks)).filter((each) => titles.test(each.title))) {
    await run().catch(() => failed.push(title));
  }
  return failed;
}

describe("the kit finds an adapter", () => {
  it.each<[string, Breaks, RegExp]>([
    ["whose tools are not guarded, by a forged approval", { unguarded: true }, /forged approval/],
    ["whose tools are not guarded, by a lost process", { unguarded: true }, /between claim and report/],
    ["whose tools are not guarded, by changed arguments", { unguarded: true }, /changed after the approval/],
    ["that runs what was rejected", { unguarded: true, deaf: true }, /rejected call never runs/],
    ["that runs what nobody decided", { unguarded: true, deaf: true }, /nobody answers in time never runs/],
    ["that ignores what people changed", { stubborn: true }, /changed arguments runs once with them/],
    ["that tells the model nothing", { silent: true }, /hears the person's reason/],
    ["that asks again after a restart", { newIds: true }, /nothing runs before they answer/],
  ])("%s", async (_what, breaks, title) => {
    expect(await failures(breaks, title)).toHaveLength(1);
  });

  it("the guarded tools run nothing unapproved even when the framework is told to run everything", async () => {
    expect(await failures({ deaf: true }, /never runs|runs nothing/)).toEqual([]);
  });
});
