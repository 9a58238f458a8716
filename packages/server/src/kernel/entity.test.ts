import { expect, test } from "vitest";
import { keyText } from "./entity.ts";

test("a key's text tells apart what merely looks alike when written together", () => {
  const one = keyText({ workspace: "a", kind: "hold", id: "b" });
  expect(one).toBe(keyText({ workspace: "a", kind: "hold", id: "b" }));
  expect(one).not.toBe(keyText({ workspace: "a hold", kind: "hold", id: "b" }));
  expect(one).not.toBe(keyText({ workspace: "a", kind: "link", id: "b" }));
});
