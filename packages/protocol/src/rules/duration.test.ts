import fc from "fast-check";
import { expect, test } from "vitest";
import { DURATION_MAX_MS, formatDuration, parseDuration } from "./index.ts";

// The same cases in every run.
fc.configureGlobal({ seed: 7 });

test.each([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["2h", 7_200_000],
  ["7d", 604_800_000],
  ["007d", 604_800_000],
  ["P7D", 604_800_000],
  ["P2W", 1_209_600_000],
  ["PT24H", 86_400_000],
  ["PT90S", 90_000],
  ["P1DT2H3M4S", 93_784_000],
  ["PT0.5S", 500],
  ["PT1,25S", 1_250],
  ["3650d", DURATION_MAX_MS],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  "",
  "5",
  "s",
  "0s",
  "P0D",
  "PT0S",
  "-5m",
  "+5m",
  "1.5h",
  "5 m",
  "5M",
  "5w",
  "5ms",
  " 5m",
  "5m\n",
  "P",
  "PT",
  "P1DT",
  "P1",
  "P1H",
  "PT1D",
  "P1Y",
  "P1M",
  "P1W2D",
  "PT1S1M",
  "pt1h",
  "P-1D",
  "PT0.1234S",
  "3651d",
  "P522W",
  "99999999999999999999d",
])("%j is not a valid duration", (text) => {
  expect(parseDuration(text)).toBeNull();
});

test("a very long text is refused as a duration without being parsed", () => {
  expect(parseDuration(`${"0".repeat(1_000_000)}1s`)).toBeNull();
  expect(parseDuration(`PT${"9".repeat(400)}S`)).toBeNull();
});

test.each([
  [1_000, "1s"],
  [90_000, "90s"],
  [5_400_000, "90m"],
  [86_400_000, "1d"],
  [129_600_000, "36h"],
  [1_500, "PT1.5S"],
])("%d ms is written %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("a duration that was written is read back as the same", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: DURATION_MAX_MS }),
      (ms) => parseDuration(formatDuration(ms)) === ms,
    ),
  );
});

test("reading never throws and gives only positive whole milliseconds up to ten years", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^P?T?\d{0,14}[YMWDTHS.smhd]?\d*[HMSsmhd]?$/));
  fc.assert(
    fc.property(texts, (text) => {
      const ms = parseDuration(text);
      return ms === null || (Number.isInteger(ms) && ms > 0 && ms <= DURATION_MAX_MS);
    }),
  );
});
