/** What can be asked, with the types of what can come back. */

import type { Place } from "@holdpoint/protocol/client";
import type { AskType, JsonObject, KnownAskType } from "@holdpoint/protocol/rules";

declare const ANSWERS: unique symbol;

/** A place whose answer's data is known to be `Data`. */
export type Question<Data, Type extends AskType = AskType> = Place & {
  readonly type: Type;
  readonly [ANSWERS]?: Data;
};

interface KnownActions {
  readonly approval: "approve" | "edit" | "reject";
  readonly selection: "select";
  readonly input: "submit";
  readonly confirmation: "confirm" | "cancel";
  readonly escalation: "retry" | "skip" | "abort";
}

/** The actions a person can take on this question; types of others declare theirs. */
export type ActionsOf<Asked extends Place> = Asked["type"] extends KnownAskType
  ? KnownActions[Asked["type"]]
  : string;

export type AnswersOf<Asked> = Asked extends { readonly [ANSWERS]?: infer Data }
  ? unknown extends Data
    ? JsonObject
    : Exclude<Data, undefined>
  : JsonObject;
