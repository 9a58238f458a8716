import { expect, test } from "vitest";
import { AGENT, holdIn } from "../testing/core-samples.ts";
import { given } from "../testing/given.ts";
import { evolve } from "./evolve.ts";
import type { World } from "./world.ts";

const nothing: World = { get: () => undefined, version: () => 0 };

test("a release of a group that was never placed is a bug", () => {
  const stated = {
    kind: "group",
    id: "g1",
    fact: { type: "group.released" },
    at: 1,
    actor: "system",
  } as const;
  expect(() => evolve(nothing, stated)).toThrow("a group that was never placed");
});

test("a placing reads nothing: the hold it makes cannot be there yet", () => {
  const { facts } = given().when({ kind: "place_hold", hold: holdIn() }, { by: AGENT }).then("hold.placed");
  const blind: World = {
    get: () => {
      throw new Error("read");
    },
    version: () => 0,
  };
  expect(facts.flatMap((stated) => evolve(blind, stated)).map(({ kind }) => kind)).toEqual(["hold"]);
});
