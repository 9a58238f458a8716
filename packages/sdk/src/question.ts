/** What can be asked, with the types of what can come back: inferred from options, actions, form fields and schemas. */

import type { OpenIn, OutputOf, StandardSchema, Place as WirePlace } from "@holdpoint/protocol/client";
import type { AskType, FileRef, Form, Json, JsonObject, KnownAskType } from "@holdpoint/protocol/rules";

/**
 * What an agent asks, and how long and of whom.
 *
 * @example
 * ```ts
 * import { Holdpoint, type Place } from "@holdpoint/sdk";
 *
 * const place: Place = {
 *   key: "refund:1042",
 *   type: "approval",
 *   prompt: "Refund 80 EUR?",
 *   timeout: "2h",
 *   ladder: [{ after: "30m", channel: "email", to: "lead@example.com" }],
 * };
 * await new Holdpoint().ask(place);
 * ```
 */
export interface Place extends Omit<WirePlace, "responseSchema"> {
  /**
   * Of `data` for input and `x-*`, of `data.editedArgs` for approval. A schema of Zod or any other Standard Schema that can be
   * written as JSON Schema, which then also types and parses the answer; or JSON Schema 2020-12.
   */
  readonly responseSchema?: OpenIn | StandardSchema;
}

declare const ANSWERS: unique symbol;

/**
 * A place whose answer's data is known to be `Data`; `defineHold` makes them.
 *
 * @example
 * ```ts
 * import { defineHold, Holdpoint, type Question } from "@holdpoint/sdk";
 * import * as z from "zod";
 *
 * const budget = defineHold("budget", { prompt: "How much?", answer: z.object({ amount: z.number() }) });
 * const question: Question<{ amount: number }> = budget({ key: "spring" });
 * console.error((await new Holdpoint().ask(question)).kind);
 * ```
 */
export type Question<Data, Type extends AskType = AskType> = Place & {
  readonly type: Type;
  readonly [ANSWERS]?: Data;
};

/** Refuses members that no question has: a mistyped `timout` must not compile, also where the question's type is inferred. */
export type NoOthers<Asked> = {
  readonly [Name in Exclude<keyof Asked, keyof Place | typeof ANSWERS>]: never;
};

interface KnownActions {
  readonly approval: "approve" | "edit" | "reject";
  readonly selection: "select";
  readonly input: "submit";
  readonly confirmation: "confirm" | "cancel";
  readonly escalation: "retry" | "skip" | "abort";
}

/** The actions a person can take: those that the question lists, or those of its type. */
export type ActionsOf<Asked extends Place> = Asked extends {
  readonly actions: readonly { readonly id: infer Id extends string }[];
}
  ? Id
  : Asked["type"] extends KnownAskType
    ? KnownActions[Asked["type"]]
    : string;

/** What `data` is when a person has answered. */
export type AnswersOf<Asked> = Asked extends { readonly [ANSWERS]?: infer Data }
  ? unknown extends Data
    ? InferredData<Asked>
    : Exclude<Data, undefined>
  : InferredData<Asked>;

type InferredData<Asked> = Asked extends { readonly type: "approval" }
  ? ApprovalData<SchemaOutput<Asked>>
  : Asked extends { readonly type: "selection" }
    ? { readonly selected: readonly OptionIds<Asked>[]; readonly note?: string }
    : Asked extends { readonly type: "confirmation" }
      ? { readonly confirmedItems?: readonly string[]; readonly note?: string }
      : Asked extends { readonly type: "escalation" }
        ? { readonly modifiedParams?: JsonObject; readonly reason?: string; readonly note?: string }
        : Asked extends { readonly form: infer Given extends Form }
          ? FormData<Given>
          : SchemaOutput<Asked>;

/**
 * The answer to an approval: `editedArgs` are there if the person approved with other arguments than were proposed.
 *
 * @example
 * ```ts
 * import type { ApprovalData } from "@holdpoint/sdk";
 *
 * export function amountOf(proposed: number, data: ApprovalData<{ readonly cents: number }>): number {
 *   return data.editedArgs?.cents ?? proposed;
 * }
 * ```
 */
export type ApprovalData<Args = JsonObject> = {
  // A type and no interface: only then are its outcomes and handles also plain ones, which functions for any hold take.
  readonly editedArgs?: Args;
  readonly feedback?: string;
  readonly note?: string;
};

type SchemaOutput<Asked> = Asked extends { readonly responseSchema: infer Schema extends StandardSchema }
  ? OutputOf<Schema>
  : JsonObject;

type OptionIds<Asked> = Asked extends {
  readonly options: readonly { readonly id: infer Id extends string }[];
}
  ? Id
  : string;

type FieldsOf<Given> = Given extends { readonly fields: readonly (infer Field)[] }
  ? Field
  : Given extends { readonly steps: readonly { readonly fields: readonly (infer Field)[] }[] }
    ? Field
    : never;

type KeyOf<Field> = Field extends { readonly key: infer Key extends string } ? Key : never;

/** A field that shows only under a condition may be missing although it is required. */
type AlwaysGiven<Field> = Field extends { readonly required: true }
  ? Field extends { readonly conditional: object }
    ? never
    : Field
  : never;

type FormData<Given> =
  string extends KeyOf<FieldsOf<Given>>
    ? JsonObject
    : Flat<
        {
          readonly [Key in KeyOf<AlwaysGiven<FieldsOf<Given>>>]: ValueOf<
            Extract<FieldsOf<Given>, { readonly key: Key }>
          >;
        } & {
          readonly [Key in Exclude<KeyOf<FieldsOf<Given>>, KeyOf<AlwaysGiven<FieldsOf<Given>>>>]?: ValueOf<
            Extract<FieldsOf<Given>, { readonly key: Key }>
          >;
        }
      >;

type Flat<Type> = { [Key in keyof Type]: Type[Key] };

type ValueOf<Field> = Field extends { readonly type: "number" | "range" }
  ? number
  : Field extends { readonly type: "boolean" }
    ? boolean
    : Field extends { readonly type: "select" }
      ? OptionValues<Field>
      : Field extends { readonly type: "multiselect" }
        ? readonly OptionValues<Field>[]
        : Field extends { readonly type: "x-file-upload" }
          ? FileRef
          : Field extends { readonly type: "text" | "textarea" | "date" | "email" | "url" }
            ? string
            : Json;

type OptionValues<Field> = Field extends {
  readonly options: readonly { readonly value: infer Value extends string }[];
}
  ? Value
  : string;
