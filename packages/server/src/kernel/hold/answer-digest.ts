/** The digest of an answer: votes with equal digests add up, and a passkey signs it. */

import type { Ask, JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { withoutRemarks } from "../decision/decision.ts";
import type { GrantTerms } from "./commands.ts";
import type { Hold } from "./hold.ts";

interface Answer {
  readonly data: JsonObject;
  readonly grant?: GrantTerms;
}

export function answerDigest(hold: Hold, answer: Answer, { digest }: Pick<Context, "digest">): string {
  return digest(agreedOn(hold.ask as Ask, answer), hold.salt as string);
}

/** What must be equal for votes to add up. The id and the salt of a grant are new in every ballot. */
function agreedOn(ask: Ask, { data, grant }: Answer): object {
  const agreed = withoutRemarks(ask, data);
  if (grant === undefined) return agreed;
  const { id: _id, salt: _salt, ...terms } = grant;
  return { data: agreed, grant: terms };
}
