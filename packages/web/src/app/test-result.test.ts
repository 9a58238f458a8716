import { expect, test } from "vitest";
import { isOnItsWay, resultOf } from "./test-result.ts";

const OPEN = { status: "open" } as const;

test("a test question says whether it was delivered, why not, and that it is tried again", () => {
  expect(resultOf(OPEN, undefined)).toBe("it is being sent");
  expect(resultOf(OPEN, { state: "queued" })).toBe("it is being sent");
  expect(resultOf(OPEN, { state: "queued", reason: "http_503" })).toBe(
    "it was not delivered yet (http 503) and is tried again",
  );
  expect(resultOf(OPEN, { state: "failed", reason: "http_403" })).toBe("it was not delivered: http 403");
  expect(resultOf(OPEN, { state: "no_channel" })).toBe("the channel is not there any more");
  expect(resultOf(OPEN, { state: "sent" })).toBe("it was delivered; nobody has answered it yet");
});

test("a test question that was answered names who answered it; one that ended says that nobody did", () => {
  const outcome = { kind: "decided", by: { name: "Ada" } } as never;
  expect(resultOf({ status: "decided", outcome }, { state: "sent" })).toBe(
    "Ada answered it. The channel works.",
  );
  expect(resultOf({ status: "expired" }, { state: "sent" })).toBe("nobody answered it within ten minutes");
});

test("the page looks again while the delivery is queued, and not after it ended", () => {
  expect(isOnItsWay(undefined)).toBe(true);
  expect(isOnItsWay({ state: "queued" })).toBe(true);
  expect(isOnItsWay({ state: "sent" })).toBe(false);
  expect(isOnItsWay({ state: "failed" })).toBe(false);
});
