import { expect, test } from "vitest";
import { answeredText, refusalText } from "./words.ts";

test("an answer is confirmed in the words of its action, and in general words if it has none", () => {
  const answered = (action: string) => answeredText({ kind: "answered", status: "decided", action });
  expect(answered("approve")).toBe("Approved.");
  expect(answered("constructor")).toBe("Your answer was recorded.");
});

test("a refusal is said in the words of its code, and otherwise in the kernel's own", () => {
  expect(refusalText("bot")).toBe("Bots cannot answer.");
  expect(refusalText("constructor", "it is not open")).toBe("It is not open.");
  expect(refusalText("constructor")).toBe("This did not work.");
});
