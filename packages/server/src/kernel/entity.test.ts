import { expect, test } from "vitest";
import { keyText } from "./entity.ts";

test("keyText keeps keys apart whose parts look the same when they are joined by spaces", () => {
  const one = keyText({ workspace: "a", kind: "hold", id: "b" });
  expect(one).toBe(keyText({ workspace: "a", kind: "hold", id: "b" }));
  expect(one).not.toBe(keyText({ workspace: "a hold", kind: "hold", id: "b" }));
  expect(one).not.toBe(keyText({ workspace: "a", kind: "link", id: "b" }));
});
