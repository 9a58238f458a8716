import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { attemptsOf, effectivePolicy, intervalProblems, policyProblems, windowMsOf } from "./human-retry.ts";

const keys = (policy: Json | undefined) => policyProblems(policy).map(({ key }) => key);
const ladder = (...steps: readonly Json[]) => keys({ escalation_ladder: steps });
const AT = "/_suspension/retry_policy";

describe("human retry policies", () => {
  test("OI-160 a retry policy accepts all members, none, or null for any of them", () => {
    const nothing = {
      max_attempts: null,
      interval_seconds: null,
      strategy: null,
      escalation_ladder: null,
      final_fallback_policy: null,
    };
    const whole = {
      max_attempts: 3,
      interval_seconds: 0.5,
      strategy: "exponential",
      escalation_ladder: [{ attempt: 2, channel_hint: "email", notify_to: null }],
      final_fallback_policy: "complete_with_fallback",
      more: "whatever",
    };
    for (const policy of [undefined, null, {}, nothing, whole]) expect(keys(policy)).toEqual([]);
  });

  test.each<[string, Json, readonly string[]]>([
    ["a value that is not an object", [], [AT]],
    ["zero attempts", { max_attempts: 0 }, [`${AT}/max_attempts`]],
    ["a fractional number of attempts", { max_attempts: 1.5 }, [`${AT}/max_attempts`]],
    ["a string instead of a number", { max_attempts: "3" }, [`${AT}/max_attempts`]],
    ["more than 500 attempts", { max_attempts: 501 }, [`${AT}/max_attempts`]],
    ["a negative interval", { interval_seconds: -1 }, [`${AT}/interval_seconds`]],
    ["an interval beyond ten years", { interval_seconds: 1e12 }, [`${AT}/interval_seconds`]],
    ["an unknown strategy", { strategy: "random" }, [`${AT}/strategy`]],
    ["an unknown final fallback policy", { final_fallback_policy: "shrug" }, [`${AT}/final_fallback_policy`]],
    ["a ladder that is not a list", { escalation_ladder: {} }, [`${AT}/escalation_ladder`]],
    ["two invalid members", { max_attempts: -1, strategy: 7 }, [`${AT}/max_attempts`, `${AT}/strategy`]],
  ])("OI-160 a retry policy with %s is refused", (_name, policy, wrong) => {
    expect(keys(policy)).toEqual(wrong);
  });

  test("OI-161 ladder entries are read under the current and the draft member names, and other entries are refused", () => {
    expect(
      ladder(
        { attempt: 2, channel_hint: "email", notify_to: "lead" },
        { after_attempt: 3, channel: "", notify: null },
      ),
    ).toEqual([]);
    const at = `${AT}/escalation_ladder`;
    expect(ladder("x", { attempt: 0 }, { channel_hint: "email" })).toEqual([`${at}/0`, `${at}/1`, `${at}/2`]);
    expect(ladder({ attempt: 1, channel_hint: 7 }, { attempt: 1, notify_to: "a\nb" })).toEqual([
      `${at}/0`,
      `${at}/1`,
    ]);
    expect(ladder({ attempt: 1, channel_hint: "c".repeat(201), notify_to: "\ud800" })).toEqual([
      `${at}/0`,
      `${at}/0`,
    ]);
    expect(ladder(...Array.from({ length: 101 }, () => ({ attempt: 1 })))).toEqual([at]);
  });

  test("OI-174 an interval longer than the timeout is refused if one call sets both", () => {
    const record = (interval_seconds: Json, timeout_seconds: Json): JsonObject => ({
      timeout_seconds,
      retry_policy: { interval_seconds },
    });
    expect(intervalProblems(record(10, 5)).map(({ key }) => key)).toEqual([`${AT}/interval_seconds`]);
    expect(intervalProblems(record(5, 5))).toEqual([]);
    expect(intervalProblems(record(null, 5))).toEqual([]);
    expect(intervalProblems({ timeout_seconds: 5, retry_policy: null })).toEqual([]);
    expect(intervalProblems({ retry_policy: { interval_seconds: 5 } })).toEqual([]);
    expect(intervalProblems({})).toEqual([]);
  });
});

describe("the effective retry policy", () => {
  const platform = { max_attempts: 3, interval_seconds: 3600, final_fallback_policy: "fail" };

  test("OI-182 the call's retry policy overrides the platform's member by member, and null inherits", () => {
    expect(effectivePolicy({ retry_policy: { max_attempts: 1, interval_seconds: 1800 } }, platform)).toEqual({
      max_attempts: 1,
      interval_seconds: 1800,
      final_fallback_policy: "fail",
    });
    const same = { retry_policy: { max_attempts: 3, interval_seconds: null } };
    expect(effectivePolicy(same, { max_attempts: 5, interval_seconds: 60 })).toEqual({
      max_attempts: 3,
      interval_seconds: 60,
    });
  });

  test("OI-183 a call without a retry policy gets the platform's, or none if there is none", () => {
    expect(effectivePolicy({}, platform)).toEqual(platform);
    expect(effectivePolicy({}, null)).toBeUndefined();
    expect(effectivePolicy({ retry_policy: {} }, null)).toEqual({});
  });

  test("OI-184 a call that opts out with null has no retry policy", () => {
    expect(effectivePolicy({ retry_policy: null }, platform)).toBeNull();
  });

  test("OI-182 the effective ladder comes whole from one level under the current names, and an empty ladder clears it", () => {
    const under = { escalation_ladder: [{ after_attempt: 2, channel: "email", notify: "" }] };
    expect(effectivePolicy({}, under)).toEqual({
      escalation_ladder: [{ attempt: 2, channel_hint: "email", notify_to: null }],
    });
    expect(effectivePolicy({ retry_policy: { escalation_ladder: [] } }, under)).toEqual({
      escalation_ladder: [],
    });
  });

  test("OI-174 an inherited interval is cut to the call's timeout", () => {
    expect(effectivePolicy({ timeout_seconds: 60 }, platform)).toMatchObject({ interval_seconds: 60 });
    expect(effectivePolicy({ timeout_seconds: 7200 }, platform)).toMatchObject({ interval_seconds: 3600 });
  });
});

describe("notification attempts", () => {
  const brief = (record: JsonObject) =>
    attemptsOf(record, 1000).map(({ at, n, channel, to }) => [n, at, channel, to]);

  test("OI-163 attempts follow at fixed intervals from the suspension under every strategy", () => {
    for (const strategy of ["fixed", "linear", "exponential"]) {
      const record = { retry_policy: { max_attempts: 3, interval_seconds: 2, strategy } };
      expect(brief(record).map(([, at]) => at)).toEqual([1000, 3000, 5000]);
      expect(windowMsOf(record)).toBe(6000);
    }
  });

  test("OI-173 without a retry policy there is one attempt", () => {
    expect(brief({ channel_hint: "slack", timeout_seconds: 9 })).toEqual([[1, 1000, "slack", undefined]]);
    expect(brief({ retry_policy: null })).toEqual([[1, 1000, undefined, undefined]]);
    expect(windowMsOf({})).toBeNull();
    expect(windowMsOf({ retry_policy: { interval_seconds: 0 } })).toBeNull();
    expect(windowMsOf({ timeout_seconds: 9, retry_policy: { max_attempts: 2 } })).toBe(18_000);
    expect(windowMsOf({ retry_policy: { max_attempts: 2 } })).toBe(7_200_000);
  });

  test("OI-165 each attempt uses the channel and recipient of the last matching ladder entry", () => {
    const retry_policy = {
      max_attempts: 4,
      interval_seconds: 1,
      escalation_ladder: [
        { attempt: 2, channel_hint: "email", notify_to: "lead" },
        { attempt: 2, channel_hint: "pager", notify_to: "" },
        { attempt: 3, notify_to: "boss" },
        { attempt: 9, channel_hint: "moon" },
      ],
    };
    expect(brief({ channel_hint: "slack", retry_policy })).toEqual([
      [1, 1000, "slack", undefined],
      [2, 2000, "pager", "lead"],
      [3, 3000, "slack", "boss"],
      [4, 4000, "slack", undefined],
    ]);
  });
});
