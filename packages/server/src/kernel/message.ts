/**
 * Builds one outgoing message about an event. Its id derives from the event, so a retried decision produces the same
 * message.
 */

import type { OutboxRow, SealedEvent } from "./record.ts";

export function messageAbout(
  event: SealedEvent,
  about: string,
  kind: OutboxRow["kind"],
  endpoint: string,
  lane: string,
  detail: OutboxRow["detail"],
): OutboxRow {
  const { stream, seq, type, at, workspace } = event;
  return {
    id: `msg_${about}-${seq}-${endpoint}`,
    workspace,
    kind,
    endpoint,
    lane,
    holdId: about,
    event: { stream, seq, type },
    detail,
    state: "waiting",
    attempts: [],
    createdAt: at,
    dueAt: at,
    claim: 0,
  };
}
