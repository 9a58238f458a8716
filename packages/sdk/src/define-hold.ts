/** Kinds of questions with typed answers, declared once and asked many times. */

import { isStandardSchema, type OutputOf, type StandardSchema } from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { ApprovalData, Place, Question } from "./question.ts";
import { jsonSchemaOf, type Parse, parserOf, withParse } from "./reading.ts";

export type TypedType = "approval" | "input" | `x-${string}`;

/** What `data` is: the answer itself, or for an approval the arguments that the person changed, if they did. */
export type DataOf<Type extends TypedType, Answer> = Type extends "approval" ? ApprovalData<Answer> : Answer;

export type AnswerOf<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : JsonObject;

type Rest = Omit<Place, "type" | "prompt" | "responseSchema">;

export interface HoldDefinition<Type extends TypedType, Schema, Prompt extends string | undefined>
  extends Rest {
  /** `input` unless it says otherwise. */
  readonly type?: Type;
  readonly prompt?: Prompt;
  /** A Standard Schema that can say itself as JSON Schema (Zod 4 and others), or JSON Schema 2020-12. */
  readonly answer: Schema;
  /** The same as JSON Schema, for a schema library that cannot say it. */
  readonly responseSchema?: JsonObject;
}

/** What is left to say when asking: a prompt if there is none yet, and anything that is different this time. */
export type Asking<Prompt> = Prompt extends string
  ? [asking?: Rest & { readonly prompt?: string }]
  : [asking: Rest & { readonly prompt: string }];

/**
 * Declares a kind of question. The answer's schema goes to the server, which refuses whatever does not fit, and types `data`
 * when the outcome comes back.
 *
 * @example
 * ```ts
 * import { defineHold, Holdpoint } from "@holdpoint/sdk";
 * import * as z from "zod";
 *
 * const budget = defineHold("budget", {
 *   prompt: "How much may this campaign cost?",
 *   answer: z.object({ amount: z.number().positive(), currency: z.enum(["EUR", "USD"]) }),
 * });
 *
 * const hp = new Holdpoint();
 * const { data } = (await hp.ask(budget({ key: "budget:spring" }))).orThrow();
 * console.error(data.amount, data.currency);
 * ```
 */
export function defineHold<
  Schema extends StandardSchema | JsonObject,
  const Type extends TypedType = "input",
  const Prompt extends string | undefined = undefined,
>(
  name: string,
  definition: HoldDefinition<Type, Schema, Prompt>,
): (...asking: Asking<Prompt>) => Question<DataOf<Type, AnswerOf<Schema>>, Type> {
  const { answer, responseSchema = jsonSchemaOf(name, answer), type = "input" as Type, ...said } = definition;
  const parse: Parse | undefined = isStandardSchema(answer)
    ? parserOf(name, type, responseSchema, answer)
    : undefined;
  return (...[asking]) => {
    const metadata = { definition: name, ...said.metadata, ...asking?.metadata };
    const place = { ...said, ...asking, type, responseSchema, metadata };
    return withParse(place, parse) as Question<never, Type>;
  };
}
