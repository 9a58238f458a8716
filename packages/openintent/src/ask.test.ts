import { describe, expect, test } from "vitest";
import { recordOf } from "./ask.ts";
import { mergeRetryPolicies } from "./retry-policy.ts";

const CHOICES = [{ value: "approve", label: "Approve" }];

describe("a question before it is sent", () => {
  test("OI-051 a question of type choice is refused unless it has choices with value and label", () => {
    expect(() => recordOf("s", { question: "Q" })).toThrow(RangeError);
    expect(() => recordOf("s", { question: "Q", choices: [] })).toThrow(RangeError);
    expect(() => recordOf("s", { question: "Q", choices: [{ value: "", label: "x" }] })).toThrow(RangeError);
    expect(() => recordOf("s", { question: "Q", choices: [{ value: "x", label: "" }] })).toThrow(RangeError);
  });

  test("OI-056 a question has by default the type choice, the fallback fail and an empty context", () => {
    expect(recordOf("s", { question: "Q", choices: CHOICES })).toEqual({
      id: "s",
      question: "Q",
      response_type: "choice",
      choices: CHOICES,
      context: {},
      fallback_policy: "fail",
    });
  });

  test("OI-059 a question's confidence must lie between 0 and 1", () => {
    expect(() => recordOf("s", { question: "Q", choices: CHOICES, confidence: 1.5 })).toThrow(RangeError);
    expect(recordOf("s", { question: "Q", choices: CHOICES, confidence: 0.4 }).confidence_at_suspension).toBe(
      0.4,
    );
  });

  test("OI-122 a confirmation gets the choices yes and no, and its author may only relabel them", () => {
    expect(recordOf("s", { question: "Q", responseType: "confirm" }).choices).toEqual([
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
    ]);
    expect(() => recordOf("s", { question: "Q", responseType: "confirm", choices: CHOICES })).toThrow(
      RangeError,
    );
    const relabelled = [{ value: "yes", label: "Do it" }];
    expect(recordOf("s", { question: "Q", responseType: "confirm", choices: relabelled }).choices).toEqual(
      relabelled,
    );
  });

  test("OI-050 OI-073 a question with an unknown type, an unknown fallback or a blank text is refused", () => {
    expect(() => recordOf("s", { question: "Q", responseType: "poll" as never })).toThrow(RangeError);
    expect(() =>
      recordOf("s", { question: "Q", responseType: "text", fallbackPolicy: "shrug" as never }),
    ).toThrow(RangeError);
    expect(() => recordOf("s", { question: " " })).toThrow(RangeError);
  });

  test("OI-174 a retry interval longer than the question's timeout is refused", () => {
    const ask = { question: "Q", responseType: "text", timeoutSeconds: 5 } as const;
    expect(() => recordOf("s", { ...ask, retryPolicy: { interval_seconds: 10 } })).toThrow(RangeError);
    expect(recordOf("s", { ...ask, retryPolicy: { interval_seconds: 5 } }).retry_policy).toEqual({
      interval_seconds: 5,
    });
  });

  test("OI-160 a retry policy with invalid attempts, strategy or final fallback is refused", () => {
    const ask = { question: "Q", responseType: "text" } as const;
    for (const retryPolicy of [
      { max_attempts: 0 },
      { max_attempts: 1.5 },
      { strategy: "odd" },
      { final_fallback_policy: "odd" },
    ]) {
      expect(() => recordOf("s", { ...ask, retryPolicy: retryPolicy as never })).toThrow(RangeError);
    }
  });
});

describe("a retry policy merged from three levels", () => {
  test("OI-182 the call's retry policy wins over the agent's, and that over the platform's, member by member", () => {
    const merged = mergeRetryPolicies(
      { max_attempts: 1 },
      { max_attempts: 2, interval_seconds: 1800 },
      { max_attempts: 3, interval_seconds: 3600, strategy: "fixed" },
    );
    expect(merged).toEqual({ max_attempts: 1, interval_seconds: 1800, strategy: "fixed" });
  });

  test("OI-182 a member that the call gives wins although it equals a default, and an empty ladder removes the agent's", () => {
    const agent = { max_attempts: 5, escalation_ladder: [{ attempt: 2, notify_to: "lead" }] };
    expect(mergeRetryPolicies({ max_attempts: 3, escalation_ladder: [] }, agent)).toEqual({
      max_attempts: 3,
      escalation_ladder: [],
    });
    expect(mergeRetryPolicies({ max_attempts: undefined as never }, agent)).toEqual(agent);
  });

  test("OI-183 a missing level is skipped, no level gives no retry policy, and null turns retries off", () => {
    expect(mergeRetryPolicies(undefined, undefined, { max_attempts: 3 })).toEqual({ max_attempts: 3 });
    expect(mergeRetryPolicies(undefined, undefined)).toBeUndefined();
    expect(mergeRetryPolicies(null, { max_attempts: 3 })).toBeUndefined();
    expect(
      recordOf("s", { question: "Q", responseType: "text", retryPolicy: null }, { max_attempts: 3 })
        .retry_policy,
    ).toBeNull();
    expect(recordOf("s", { question: "Q", responseType: "text" }, { max_attempts: 3 }).retry_policy).toEqual({
      max_attempts: 3,
    });
    expect("retry_policy" in recordOf("s", { question: "Q", responseType: "text" })).toBe(false);
  });
});
