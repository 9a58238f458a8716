import { describe, expect, it } from "vitest";
import type { OutboxAttempt } from "../kernel/record.ts";
import { outboxRow, START } from "./rows.fake.ts";
import { settlementOf } from "./settlement.ts";

const times = { startedAt: START + 10, endedAt: START + 250 };
const failedBefore: OutboxAttempt = { at: START, ok: false, error: "timed_out", durationMs: 10_000 };

describe("settling a try", () => {
  it("a try that arrives ends the row as sent", () => {
    const row = outboxRow({ attempts: [failedBefore] });
    expect(settlementOf(row, { kind: "sent", status: 204 }, times, () => 0)).toEqual({
      result: "sent",
      row: {
        ...row,
        state: "sent",
        dueAt: null,
        attempts: [failedBefore, { at: START + 10, ok: true, status: 204, durationMs: 240 }],
      },
    });
  });

  it("a failed try is recorded, and the next delay counts from its end", () => {
    const settled = settlementOf(
      outboxRow(),
      { kind: "failed", error: "http_503", status: 503 },
      times,
      () => 1,
    );
    expect(settled).toMatchObject({
      result: "retry",
      row: {
        state: "waiting",
        dueAt: times.endedAt + 5_000,
        attempts: [{ ok: false, status: 503, error: "http_503", durationMs: 240 }],
      },
    });
  });

  it("the last failed try ends the row as failed", () => {
    const row = outboxRow({
      detail: { schedule: "hitl" },
      attempts: [failedBefore, failedBefore, failedBefore],
    });
    expect(settlementOf(row, { kind: "failed", error: "timed_out" }, times, () => 1)).toMatchObject({
      result: "failed",
      row: { state: "failed", dueAt: null },
    });
  });

  it("a try with nothing to send or without a channel ends the row with that reason", () => {
    expect(settlementOf(outboxRow(), { kind: "withdrawn" }, times, () => 1)).toMatchObject({
      result: "withdrawn",
      row: { state: "failed", dueAt: null, attempts: [{ ok: false, error: "withdrawn" }] },
    });
    expect(settlementOf(outboxRow(), { kind: "no_channel" }, times, () => 1)).toMatchObject({
      result: "no_channel",
      row: { state: "no_channel", dueAt: null, attempts: [{ ok: false, error: "no_channel" }] },
    });
  });

  it("a try's duration is never negative, even if the clock was set back", () => {
    const back = { startedAt: START, endedAt: START - 5_000 };
    expect(settlementOf(outboxRow(), { kind: "sent" }, back, () => 1).row.attempts[0]?.durationMs).toBe(0);
  });
});
