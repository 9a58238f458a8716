import type { Hold, Outcome } from "@holdpoint/protocol/client";
import { describe, expect, it } from "vitest";
import { CancelledError, ExpiredError, isNotDecidedError, PendingError } from "./not-decided.ts";
import { outcomeOf } from "./outcome.ts";

const at = "2026-03-01T09:30:00.000Z";
const by = { kind: "session", id: "s", name: "mara" } as const;

function holdWith(outcome?: Outcome): Hold {
  return {
    id: "hold_1",
    caseId: "review_1",
    status: outcome?.kind ?? "open",
    type: "approval",
    prompt: "Go?",
    actions: [],
    digest: "d",
    createdBy: "agent",
    createdAt: at,
    attempt: 1,
    ladder: [],
    version: 1,
    links: "agent",
    ...(outcome === undefined ? {} : { outcome }),
  };
}

const decided: Outcome = { kind: "decided", action: "reject", data: { note: "no" }, by, door: "page", at };

describe("an outcome", () => {
  it("returns a person's decision, whatever it is", () => {
    const outcome = outcomeOf(holdWith(decided));
    expect(outcome.orThrow()).toMatchObject({ action: "reject", by, holdId: "hold_1" });
  });

  it("has the whole hold, but leaves it out of its JSON", () => {
    const outcome = outcomeOf(holdWith(decided));
    expect(outcome.hold.digest).toBe("d");
    expect(JSON.parse(JSON.stringify(outcome))).toEqual({ ...decided, holdId: "hold_1" });
  });

  it("that nobody decided has no action, not even the default's (G5)", () => {
    const outcome = outcomeOf(holdWith({ kind: "expired", default: { action: "approve" }, at }));
    expect(outcome).not.toHaveProperty("action");
    expect(() => outcome.orThrow()).toThrow(ExpiredError);
    const error = thrown(() => outcome.orThrow());
    expect(error).toMatchObject({ kind: "expired", holdId: "hold_1", default: { action: "approve" } });
  });

  it("that was cancelled says by whom and why", () => {
    const outcome = outcomeOf(holdWith({ kind: "cancelled", cancelledBy: by, reason: "moot", at }));
    expect(() => outcome.orThrow()).toThrow(CancelledError);
    expect(thrown(() => outcome.orThrow())).toMatchObject({
      kind: "cancelled",
      cancelledBy: by,
      reason: "moot",
    });
  });

  it("of an open hold is pending", () => {
    const outcome = outcomeOf(holdWith());
    expect(outcome.kind).toBe("pending");
    expect(() => outcome.orThrow()).toThrow(PendingError);
  });

  it("that is missing throws an error that is recognised by its name", () => {
    expect(isNotDecidedError(thrown(() => outcomeOf(holdWith()).orThrow()))).toBe(true);
    expect(isNotDecidedError(Object.assign(new Error("x"), { name: "ExpiredError" }))).toBe(true);
    expect(isNotDecidedError(new Error("x"))).toBe(false);
  });
});

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
