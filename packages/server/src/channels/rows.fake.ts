/** Outbox rows for tests. */

import type { OutboxRow } from "../core/record.ts";

export const START = Date.UTC(2026, 0, 1);

export function outboxRow(changes: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id: "msg_1",
    workspace: "default",
    kind: "webhook",
    endpoint: "hook",
    holdId: "hold_1",
    event: { stream: "hold:hold_1", seq: 3, type: "hold.decided" },
    detail: {},
    state: "waiting",
    attempts: [],
    createdAt: START,
    dueAt: START,
    claim: 0,
    ...changes,
  };
}
