import { expect, test } from "vitest";
import { whyTooOld } from "./node-version.ts";

test("a Node below 24 is told in one sentence which Node is needed", () => {
  expect(whyTooOld("20.20.2")).toMatch(/^Holdpoint needs Node 24 or newer; you have 20\.20\./);
  expect(whyTooOld("23.11.1")).toContain("you have 23.11");
});

test("Node 24 and newer are taken", () => {
  expect(["24.0.0", "26.10.0", "100.1.0"].map(whyTooOld)).toEqual([undefined, undefined, undefined]);
});
