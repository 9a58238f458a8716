import { expect, test } from "vitest";
import { REDACT_NOTHING, redactor } from "./redact.ts";
import { redactMessage, redactTexts } from "./redact-texts.ts";

const redact = redactor(["secret-\\d+", "\\b4711\\b", "hold_\\w+"]);

test("G9 texts, numbers and names of members are redacted wherever they stand", async () => {
  const value = { "secret-1": [{ a: "my secret-2", b: 4711, c: 4712, d: true, e: null }] };
  const clean = [{ a: "my [redacted]", b: "[redacted]", c: 4712, d: true, e: null }];
  expect(await redactTexts(value, redact)).toEqual({ "[redacted]": clean });
  expect(await redactTexts(value, REDACT_NOTHING)).toBe(value);
});

test("a message keeps what the server made, and nothing of what stands beside it", async () => {
  const hold = { id: "hold_1", prompt: "secret-1 of hold_1", outcome: { kind: "decided", data: "secret-2" } };
  const own = { type: "hold.decided", data: { hold: { id: "hold_1", outcome: { kind: "decided" } } } };
  const clean = { id: "hold_1", prompt: "[redacted] of [redacted]" };
  expect(await redactMessage({ said: { type: "hold.decided", data: { hold } }, own }, redact)).toEqual({
    type: "hold.decided",
    data: { hold: { ...clean, outcome: { kind: "decided", data: "[redacted]" } } },
  });
});
