/** The body of a callback about a case. It is made when it is sent, so that results are stored in the hold's row only (G9). */

import { pollBody } from "@holdpoint/protocol/hitl/case";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { OutboxRow } from "../../kernel/record.ts";
import type { Store } from "../../store/port.ts";
import { caseOf, creatorOf } from "./map.ts";
import type { SignResult } from "./signature.ts";

export interface CaseCallback {
  readonly url: string;
  readonly body: string;
  readonly secret: string;
}

export interface CallbackParts {
  readonly store: Store;
  readonly secretOf: (keyId: string) => Promise<string | undefined>;
  readonly signResult?: SignResult;
}

/** `null` if there is nothing left to send, or no secret to sign it with. */
export async function caseCallback(
  { workspace, holdId }: OutboxRow,
  { store, secretOf, signResult = (body) => body }: CallbackParts,
): Promise<CaseCallback | null> {
  if (holdId === null) return null;
  const [found] = await store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  const hold = found;
  const url = hold?.body.callbackUrl;
  if (hold === undefined || url === undefined) return null;
  const secret = await secretOf(hold.body.creatorKey);
  if (secret === undefined) return null;
  const body = bodyOf(signResult(pollBody(caseOf(hold, creatorOf(hold.body)))));
  return { url, secret, body: JSON.stringify(body) };
}

const ENDING = [
  "completed_at",
  "expired_at",
  "cancelled_at",
  "result",
  "default_action",
  "reason",
  "responded_by",
];

/** The body is the same at every try: `timestamp` is the time of the event, not of the request. */
function bodyOf(poll: JsonObject): JsonObject {
  const { status, case_id } = poll;
  const told = Object.fromEntries(
    ENDING.flatMap((name) => (poll[name] === undefined ? [] : [[name, poll[name]]])),
  );
  const timestamp = told["completed_at"] ?? told["expired_at"] ?? told["cancelled_at"];
  return { event: `review.${status}`, case_id, timestamp, ...told } as JsonObject;
}
