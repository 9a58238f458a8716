import { expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import { AGENT, holdIn } from "../testing/core-samples.ts";
import { given } from "../testing/given.ts";
import { worldWith } from "../testing/tables.ts";
import type { AnyWorld } from "./table.ts";

test("evolve throws when a group is released that was never placed", () => {
  const stated = {
    kind: "group",
    id: "g1",
    fact: { type: "group.released" },
    at: 1,
    actor: "system",
  } as const;
  expect(() => TABLE.evolve(worldWith(), stated)).toThrow(
    "Invariant: group g1 is released but was never placed",
  );
});

test("evolving hold.placed reads no entity, because the hold it creates cannot exist yet", () => {
  const { facts } = given().when({ kind: "place_hold", hold: holdIn() }, { by: AGENT }).then("hold.placed");
  const blind: AnyWorld = {
    attachments: TABLE.attachments,
    get: () => {
      throw new Error("read");
    },
    version: () => 0,
  };
  expect(facts.flatMap((stated) => TABLE.evolve(blind, stated)).map(({ kind }) => kind)).toEqual(["hold"]);
});
