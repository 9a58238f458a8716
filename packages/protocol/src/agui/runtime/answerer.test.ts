import { expect, test } from "vitest";
import { ASKERS_LINK, type Decider } from "../../client/index.ts";
import { answererName } from "./answerer.ts";

const CASES: readonly (readonly [string, Decider, string])[] = [
  ["the person that an app relays", { kind: "app", id: "k", name: "shop", claimed: { name: "Ada" } }, "Ada"],
  ["the app where it claims nobody", { kind: "app", id: "k", name: "shop" }, "shop"],
  [
    "no name that came with the asking agent's own link (G7)",
    { kind: "link", id: "l", name: "Ada", givenTo: "asker", claimed: { name: "Ada" } },
    ASKERS_LINK,
  ],
  ["nobody where a grant decided (G5)", { kind: "grant", id: "g", name: "Ada" }, "a grant for similar calls"],
];

test.each(CASES)("AG-UI names %s", (_what, by, words) => {
  expect(answererName(by)).toBe(words);
});
