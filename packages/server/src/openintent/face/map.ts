/** Translates asks, answers and endings into OpenIntent's form and back. The form itself is in `rules/`, because the log uses it. */

import type { Answer, Ask, Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Translation, Unreadable } from "../../kernel/translation.ts";
import { askOf, readValue, sayAnswer, wordsOf } from "../rules/intent/ask-codec.ts";
import { readRecord } from "../rules/intent/record.ts";
import { suspensionIdOf, suspensionOf } from "../rules/intent/suspension.ts";

export const openIntentTranslation: Translation<JsonObject, Json, JsonObject> = {
  face: "openintent",
  readAsk,
  sayAsk: (ask) => wordsOf(ask) as JsonObject,
  readAnswer,
  sayAnswer: (answer, ask) => sayAnswer(answer, ask).value,
  sayEnding: (hold: Hold) => suspensionOf(hold, { id: suspensionIdOf(hold), holdId: hold.id }, true),
};

function readAsk(words: JsonObject): Ask | Unreadable {
  const read = readRecord({ id: "s", ...words }, "strict");
  return "problems" in read ? read : askOf(read.record);
}

function readAnswer(words: Json, ask: Ask): Answer | Unreadable {
  const read = readValue(words, ask);
  if ("answer" in read) return read.answer;
  const message = read.wrong === "choice" ? "must be one of the choices" : "must be a text that is not empty";
  return { problems: [{ key: "/value", rule: read.wrong, message }] };
}
