/** From a platform's callback to the edited message, in one step. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Access } from "../agent/access.ts";
import type { CaseBook } from "../agent/case-book.ts";
import { type Submitted, submitInline } from "../agent/submit.ts";
import type { Messenger, Settled } from "./messenger.ts";

export type AnsweredTap =
  /** No tap of ours: somebody else's callback. */
  | { readonly kind: "not_ours" }
  /** A button of a case that the book does not know, or no longer. */
  | { readonly kind: "unknown_case" }
  | { readonly kind: "answered"; readonly submitted: Submitted; readonly message: Settled<JsonObject> };

/** Answers the case that a pressed button belongs to, and gives the message that replaces it. */
export async function answerTap(
  messenger: Pick<Messenger, "readTap" | "settle">,
  inbound: unknown,
  options: { readonly book: CaseBook; readonly access?: Access },
): Promise<AnsweredTap> {
  const read = messenger.readTap(inbound);
  if (read === undefined) return { kind: "not_ours" };
  const listed = await options.book.find(read.reference);
  if (listed === undefined) return { kind: "unknown_case" };
  const { access } = options;
  const submitted = await submitInline(listed.review, read.tap, access === undefined ? {} : { access });
  return { kind: "answered", submitted, message: messenger.settle(listed, read.tap, submitted) };
}
