/** Kinds of questions with typed answers, declared once and asked many times. */

import {
  isStandardSchema,
  issuePointer,
  type OutputOf,
  type Place,
  type StandardSchema,
  TerminalError,
} from "@holdpoint/protocol/client";
import { asksForValue, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import type { Question } from "./question.ts";

export type TypedType = "approval" | "input" | `x-${string}`;

/** What `data` is: the answer itself, or for an approval the arguments that the person changed, if they did. */
export type DataOf<Type extends TypedType, Answer> = Type extends "approval"
  ? { readonly edited_args?: Answer; readonly feedback?: string; readonly note?: string }
  : Answer;

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
    ? (data) => parsed(name, type, responseSchema, answer, data)
    : undefined;
  return (...[asking]) => {
    const metadata = { definition: name, ...said.metadata, ...asking?.metadata };
    const place = { ...said, ...asking, type, responseSchema, metadata };
    return { ...place, ...(parse === undefined ? {} : { [PARSE]: parse }) } as Question<never, Type>;
  };
}

/** Where a question keeps how to read its answer. A symbol, because it is nobody's business on the wire. */
const PARSE = Symbol.for("@holdpoint/sdk/parse");

export type Parse = (data: JsonObject) => Promise<unknown>;

function jsonSchemaOf(name: string, answer: StandardSchema | JsonObject): JsonObject {
  if (!isStandardSchema(answer)) return answer;
  const { jsonSchema, vendor } = answer["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${name}: ${vendor} cannot say this schema as JSON Schema; give it as \`responseSchema\` too`,
    );
  }
  const { $schema: _dialect, ...schema } = jsonSchema.input({ target: "draft-2020-12" }) as JsonObject;
  return schema;
}

/** What the schema makes of the answer: defaults filled in, types turned. */
async function parsed(
  name: string,
  type: TypedType,
  schema: JsonObject,
  answer: StandardSchema,
  data: JsonObject,
): Promise<unknown> {
  if (type !== "approval") return validated(name, answer, asksForValue(schema) ? data["value"] : data);
  const edited = data["edited_args"];
  return edited === undefined ? data : { ...data, edited_args: await validated(name, answer, edited) };
}

async function validated(name: string, answer: StandardSchema, value: Json | undefined): Promise<unknown> {
  const result = await answer["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const fields = result.issues.map((issue) => ({
    key: issuePointer(issue),
    rule: "schema",
    message: issue.message,
  }));
  const message = `the answer to ${name} fits its JSON Schema but not the schema it was made from`;
  throw new TerminalError({ code: "invalid_answer", status: 0, message, fields });
}

/** How to read the answer to this question; `undefined`: as it comes. */
export function parseOf(place: object): Parse | undefined {
  return (place as { readonly [PARSE]?: Parse })[PARSE];
}
