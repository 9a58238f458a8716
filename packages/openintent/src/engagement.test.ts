import { describe, expect, test } from "vitest";
import { engagementFor } from "./engagement.ts";

const mode = (confidence: number, risk: number, reversibility: number) =>
  engagementFor({ confidence, risk, reversibility }).mode;

describe("the engagement table", () => {
  test("OI-080 OI-081 a call without signals counts as sure, harmless and reversible, and is autonomous", () => {
    expect(engagementFor()).toMatchObject({
      mode: "autonomous",
      should_ask: false,
      signals: { confidence: 1, risk: 0, reversibility: 1, context: {} },
    });
  });

  test("OI-080 signals are given as numbers or as one object, and the object then replaces the numbers", () => {
    const context = { order: "1042" };
    const signals = { confidence: 0.3, risk: 0.4, reversibility: 0.6, context };
    expect(engagementFor({ signals })).toEqual(engagementFor(signals));
    const both = engagementFor({ signals: { confidence: 0.3 }, confidence: 1, risk: 0.9, context });
    expect(both).toMatchObject({ mode: "require_input", signals: { confidence: 0.3, risk: 0, context: {} } });
  });

  test.each([
    [0.85, 0.2, 0.5],
    [1, 0, 1],
  ])("OI-082 signals of (%f, %f, %f) are autonomous and do not ask", (...signals) => {
    expect(
      engagementFor({ confidence: signals[0], risk: signals[1], reversibility: signals[2] }),
    ).toMatchObject({
      mode: "autonomous",
      should_ask: false,
    });
  });

  test.each([
    [0.9, 0.8, 0.5],
    [0.9, 0.5, 0.1],
    [0.1, 0.9, 0.05],
  ])("OI-083 signals of (%f, %f, %f) defer, even where they would also require input", (...signals) => {
    expect(mode(...signals)).toBe("defer");
    expect(engagementFor({ risk: 0.8 }).should_ask).toBe(false);
  });

  test.each([
    [0.49, 0.3, 0.9],
    [0.9, 0.51, 0.9],
    [0.3, 0.4, 0.6],
  ])("OI-084 signals of (%f, %f, %f) require input", (...signals) => {
    expect(mode(...signals)).toBe("require_input");
    expect(engagementFor({ confidence: 0.3 }).should_ask).toBe(true);
  });

  test.each([
    [0.5, 0.5, 0.5],
    [0.7, 0.3, 0.7],
    [0.95, 0.05, 0.3],
  ])("OI-085 signals of (%f, %f, %f) request input", (...signals) => {
    expect(mode(...signals)).toBe("request_input");
  });

  test.each([{ confidence: 1.01 }, { risk: -0.1 }, { reversibility: Number.NaN }])(
    "OI-085 a signal out of range throws a RangeError: %j",
    (signals) => {
      expect(() => engagementFor(signals)).toThrow(RangeError);
    },
  );
});
