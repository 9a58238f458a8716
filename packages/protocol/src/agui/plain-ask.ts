/** A framework's own `interrupt(value)` as a question: what LangGraph calls with any value, and AG-UI tells as `on_interrupt`. */

import { isObject, type Json, type JsonObject, member, PROMPT_LENGTH_MAX } from "../rules/index.ts";
import type { InterruptAsk } from "./interrupt-ask.ts";
import { PLAIN_REASON } from "./reason.ts";

/** Members in which authors put the question. */
const QUESTIONS = ["message", "question", "prompt", "description"];
/** Members in which they put the schema of the answer; Mastra's bridge sends it as a text. */
const SCHEMAS = ["responseSchema", "response_schema", "resumeSchema"];

/**
 * Without a schema inside the value the question is yes or no, and its answer a bare value. A schema is the author's
 * choice of something richer: the answer is then whatever fits it.
 */
export function plainAsk(value: Json): InterruptAsk {
  const inside = isObject(value) ? value : {};
  const texts = [value, ...QUESTIONS.map((name) => member(inside, name))];
  const message = texts.find((text) => typeof text === "string" && text.trim() !== "");
  const schema = SCHEMAS.map((name) => schemaIn(member(inside, name))).find((found) => found !== undefined);
  const expiresAt = member(inside, "expiresAt");
  const hasEnd = typeof expiresAt === "string" && !Number.isNaN(Date.parse(expiresAt));
  return {
    reason: PLAIN_REASON,
    payload: payloadOf(value),
    ...(typeof message === "string" ? { message: message.slice(0, PROMPT_LENGTH_MAX) } : {}),
    ...(hasEnd ? { until: expiresAt } : {}),
    ...(schema === undefined ? { bare: true } : { responseSchema: schema }),
  };
}

function schemaIn(value: Json | undefined): JsonObject | undefined {
  if (typeof value !== "string") return isObject(value) ? value : undefined;
  try {
    const read = JSON.parse(value) as Json;
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function payloadOf(value: Json): JsonObject {
  return isObject(value) ? value : { value };
}
