import { expect, test } from "vitest";
import { deciderWords } from "./decider.ts";

test("an answer through a link that was given to the asking agent is never shown under a person's name", () => {
  const words = "a link that was given to the asking agent";
  expect(deciderWords({ kind: "link", givenTo: "asker" })).toBe(words);
  expect(deciderWords({ kind: "link", name: "ada", givenTo: "asker" })).toBe(words);
});

test("a decider is shown by name, or by the kind of credential where there is no name", () => {
  expect(deciderWords({ kind: "session", name: "ada" })).toBe("ada");
  expect(deciderWords({ kind: "link", name: "" })).toBe("link");
  expect(deciderWords({ kind: "link" })).toBe("link");
});
