import { describe, expect, test } from "vitest";
import { atAttempt, attemptBy } from "./attempts.ts";
import type { Suspension } from "./types.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const asked = (part: Partial<Suspension> = {}): Suspension => ({
  id: "s1",
  question: "Q",
  response_type: "text",
  context: { order: "o-1" },
  fallback_policy: "fail",
  suspended_at: "2026-01-01T00:00:00.000+00:00",
  channel_hint: "slack",
  ...part,
});

describe("attempts as an agent counts them", () => {
  test("OI-175 an attempt's number follows the schedule, and stops at the last one", () => {
    const retry_policy = { max_attempts: 3, interval_seconds: 10 };
    const at = (ms: number) => attemptBy(asked({ retry_policy }), START + ms);
    expect([-5_000, 0, 9_999, 10_000, 20_000, 90_000].map(at)).toEqual([1, 1, 1, 2, 3, 3]);
  });

  test("OI-175 the attempt's number is 1 without a retry policy or a valid start", () => {
    const retry_policy = { max_attempts: 3, interval_seconds: 10 };
    expect(attemptBy(asked(), START + 90_000)).toBe(1);
    expect(attemptBy(asked({ retry_policy: null }), START + 90_000)).toBe(1);
    expect(attemptBy(asked({ retry_policy, suspended_at: "soon" }), START + 90_000)).toBe(1);
    const { suspended_at: _at, ...unknown } = asked({ retry_policy });
    expect(attemptBy(unknown, START + 90_000)).toBe(1);
    expect(attemptBy(asked({ timeout_seconds: 5, retry_policy: { max_attempts: 2 } }), START + 5_000)).toBe(
      2,
    );
    expect(attemptBy(asked({ retry_policy: { max_attempts: 2 } }), START + 3_599_999)).toBe(1);
  });

  test("OI-175 a copy of the suspension names the attempt in its context and has that attempt's channel", () => {
    const suspension = asked({
      retry_policy: {
        max_attempts: 3,
        escalation_ladder: [{ attempt: 2, channel_hint: "email" }, { attempt: 2 }],
      },
    });
    expect(atAttempt(suspension, 2)).toMatchObject({
      channel_hint: "email",
      context: { order: "o-1", _attempt: 2, _max_attempts: 3 },
    });
    expect(atAttempt(suspension, 3).channel_hint).toBe("slack");
    expect(suspension.context).toEqual({ order: "o-1" });
    const { channel_hint: _none, ...bare } = asked();
    expect(atAttempt(bare, 1)).not.toHaveProperty("channel_hint");
  });
});
