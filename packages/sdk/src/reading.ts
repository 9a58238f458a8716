/** Between what an author asks and what goes over the wire, and back: schemas become JSON Schema, answers are parsed. */

import {
  isStandardSchema,
  issuePointer,
  type OpenIn,
  type StandardSchema,
  TerminalError,
  type Place as WirePlace,
} from "@holdpoint/protocol/client";
import {
  type AskType,
  asksForValue,
  isGranting,
  type Json,
  type JsonObject,
} from "@holdpoint/protocol/rules";
import type { Place } from "./question.ts";

/** Reads the data of a decision; `undefined` for a question without a schema library's schema. */
export type Parse = (action: string, data: JsonObject) => Promise<unknown>;

export interface Prepared {
  readonly place: WirePlace;
  readonly parse: Parse | undefined;
}

/** Where a question keeps how to read its answer. A symbol, because it is nobody's business on the wire. */
const PARSE = Symbol.for("@holdpoint/sdk/parse");

export function prepare(asked: Place): Prepared {
  const { responseSchema, ...rest } = asked;
  const kept = (asked as { readonly [PARSE]?: Parse })[PARSE];
  if (!isStandardSchema(responseSchema)) return { place: asked as WirePlace, parse: kept };
  const name = asked.key ?? asked.type;
  const schema = jsonSchemaOf(name, responseSchema);
  const place = { ...rest, responseSchema: schema };
  return { place, parse: kept ?? parserOf(name, asked.type, schema, responseSchema) };
}

export function withParse<Asked extends object>(asked: Asked, parse: Parse | undefined): Asked {
  return parse === undefined ? asked : { ...asked, [PARSE]: parse };
}

export function jsonSchemaOf(name: string, schema: StandardSchema | OpenIn): JsonObject {
  if (!isStandardSchema(schema)) return schema as JsonObject;
  const { jsonSchema, vendor } = schema["~standard"];
  try {
    if (jsonSchema === undefined) throw new TypeError("it has no `jsonSchema`");
    const { $schema: _dialect, ...plain } = jsonSchema.input({ target: "draft-2020-12" }) as JsonObject;
    return plain;
  } catch (cause) {
    throw new TypeError(
      `${name}: ${vendor} cannot convert this schema to JSON Schema (${cause}). Use defineHold and give it as \`responseSchema\` too.`,
      { cause },
    );
  }
}

export function parserOf(name: string, type: AskType, schema: JsonObject, answer: StandardSchema): Parse {
  return async (action, data) => {
    if (type === "approval") {
      const { editedArgs } = data;
      if (editedArgs === undefined) return data;
      return { ...data, editedArgs: await validated(name, answer, editedArgs) };
    }
    // Somebody who declines need not have filled anything in.
    if (!isGranting({ type }, action) && Object.keys(data).length === 0) return data;
    return validated(name, answer, asksForValue(schema) ? data["value"] : data);
  };
}

/** What the schema makes of the answer: defaults filled in, types turned. */
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

/** The member of an answer that its type declares, by its name on the wire and here. Everything else in `data` is the author's. */
const DECLARED: Readonly<Record<string, readonly [wire: string, here: string]>> = {
  approval: ["edited_args", "editedArgs"],
  confirmation: ["confirmed_items", "confirmedItems"],
  escalation: ["modified_params", "modifiedParams"],
};

/** What an answer has under the name of that member was never checked, so it is left out. */
export function camelAnswer(type: AskType, data: JsonObject): JsonObject {
  const declared = DECLARED[type];
  if (declared === undefined) return data;
  const { [declared[0]]: value, [declared[1]]: _unchecked, ...rest } = data;
  return value === undefined ? rest : { ...rest, [declared[1]]: value };
}
