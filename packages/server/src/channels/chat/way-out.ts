/**
 * What leaves the server for a chat is redacted here, once, for every platform: first the values of the ask, then every text of
 * the finished card, because formatting may have joined what the patterns look for.
 */

import type { Card, CardQuestion } from "@holdpoint/protocol/chat";
import { type Ask, isObject, type Json } from "@holdpoint/protocol/rules";
import type { Redact } from "../../system/redact.ts";

/** The ask without what the operator's patterns match, and whether anything was removed. */
export async function redactAsk(
  ask: Ask,
  redact: Redact,
): Promise<{ readonly ask: Ask; readonly isRedacted: boolean }> {
  const clean = (await redactJson(ask as unknown as Json, redact)) as unknown as Ask;
  // Ids are not shown, and must stay what they are: an answer refers to them.
  const options = ask.options?.map(({ id }, at) => ({ ...clean.options?.[at], id }) as never);
  const actions = ask.actions?.map(({ id }, at) => ({ ...clean.actions?.[at], id }));
  const kept: Ask = {
    ...clean,
    type: ask.type,
    ...(options === undefined ? {} : { options }),
    ...(actions === undefined ? {} : { actions }),
    ...(ask.form === undefined ? {} : { form: ask.form }),
  };
  return { ask: kept, isRedacted: JSON.stringify(kept) !== JSON.stringify(ask) };
}

export async function redactCard(card: Card, redact: Redact): Promise<Card> {
  const { buttons, expiresAt, state, ...texts } = card;
  const clean = (await redactJson(texts as unknown as Json, redact)) as unknown as typeof texts;
  const said = state.kind === "open" ? state : { ...state, text: await redact(state.text) };
  return {
    ...clean,
    blocks: restyled(clean, card),
    expiresAt,
    state: said,
    buttons: await labels(buttons, redact),
  };
}

function restyled({ blocks }: Pick<Card, "blocks">, before: Card): Card["blocks"] {
  return blocks.map((block, at) => ({ ...block, style: before.blocks[at]?.style ?? block.style }));
}

async function labels(buttons: Card["buttons"], redact: Redact): Promise<Card["buttons"]> {
  return Promise.all(buttons.map(async (button) => ({ ...button, label: await redact(button.label) })));
}

export async function redactQuestion(question: CardQuestion, redact: Redact): Promise<CardQuestion> {
  const { id, buttons, fields, ...texts } = question;
  const clean = (await redactJson(texts as unknown as Json, redact)) as unknown as typeof texts;
  const shown = await Promise.all(
    fields.map(async (field) => ({ ...field, label: await redact(field.label) })),
  );
  return { ...clean, id, fields: shown, buttons: await labels(buttons, redact) };
}

async function redactJson(value: Json, redact: Redact): Promise<Json> {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redactNumber(value, redact);
  if (Array.isArray(value)) return Promise.all(value.map((item) => redactJson(item, redact)));
  if (!isObject(value)) return value;
  const members = await Promise.all(
    Object.entries(value).map(
      async ([name, each]) => [await redact(name), await redactJson(each, redact)] as const,
    ),
  );
  return Object.fromEntries(members);
}

/** A card number may be a JSON number. */
async function redactNumber(value: number, redact: Redact): Promise<Json> {
  const text = String(value);
  const clean = await redact(text);
  return clean === text ? value : clean;
}
