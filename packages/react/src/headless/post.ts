/** An answer as a plain HTML form would send it, so that a page with script and one without go the same way. */

import { ACTION_INPUT, type Answer, type Ask, isObject, type Json } from "@holdpoint/protocol/rules";

/** The answer as the body of a form; `shown` is the digest of what was shown. */
export function answerPost(ask: Ask, answer: Answer, shown: string): URLSearchParams {
  const post = new URLSearchParams([
    [ACTION_INPUT, answer.action],
    ["_shown", shown],
  ]);
  const isOpen = ask.form === undefined && !KNOWN.has(ask.type);
  if (isOpen) {
    if (Object.keys(answer.data).length > 0) post.set("data", JSON.stringify(answer.data));
    return post;
  }
  for (const [name, value] of Object.entries(answer.data))
    for (const text of textsOf(value)) post.append(name, text);
  return post;
}

const KNOWN = new Set(["approval", "selection", "confirmation", "escalation"]);

function textsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map((item: Json) => String(item));
  return [isObject(value) ? JSON.stringify(value) : String(value)];
}
