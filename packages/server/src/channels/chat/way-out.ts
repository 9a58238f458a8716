/**
 * What leaves the server for a chat is redacted here, once, for every platform: first the values of the ask, then every text of
 * the finished card, because formatting may have joined what the patterns look for.
 */

import type { Card, CardField, CardQuestion } from "@holdpoint/protocol/chat";
import type { Ask } from "@holdpoint/protocol/rules";
import type { Redact } from "../../system/redact.ts";
import { redactTexts } from "../../system/redact-texts.ts";

/** The ask without what the operator's patterns match, and whether anything was removed. */
export async function redactAsk(
  ask: Ask,
  redact: Redact,
): Promise<{ readonly ask: Ask; readonly isRedacted: boolean }> {
  const { form: cleanForm, ...clean } = await redactTexts(ask, redact);
  // Ids are not shown, and must stay what they are: an answer refers to them.
  const options = ask.options?.map((option, at) => ({ ...option, ...clean.options?.[at], id: option.id }));
  const actions = ask.actions?.map((action, at) => ({ ...action, ...clean.actions?.[at], id: action.id }));
  const kept: Ask = {
    ...clean,
    type: ask.type,
    ...(options === undefined ? {} : { options }),
    ...(actions === undefined ? {} : { actions }),
    // A dialog sends hints, options and keys, not only labels: a form with a match is filled in on the page.
    ...(ask.form === undefined || !isSame(ask.form, cleanForm) ? {} : { form: ask.form }),
  };
  return { ask: kept, isRedacted: !isSame(kept, ask) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export async function redactCard(card: Card, redact: Redact): Promise<Card> {
  const { title, askedBy, prompt, notes, votes, state } = card;
  const texts = await redactTexts({ title, askedBy, prompt, notes, ...(votes && { votes }) }, redact);
  const blocks = card.blocks.map(async ({ style, ...block }) => ({
    style,
    ...(await redactTexts(block, redact)),
  }));
  return {
    ...card,
    ...texts,
    blocks: await Promise.all(blocks),
    state: state.kind === "open" ? state : { ...state, text: await redact(state.text) },
    buttons: await redactLabels(card.buttons, redact),
  };
}

export async function redactQuestion(question: CardQuestion, redact: Redact): Promise<CardQuestion> {
  const { title, text, submit } = question;
  return {
    ...question,
    ...(await redactTexts({ title, text, submit }, redact)),
    fields: await Promise.all(question.fields.map((field) => redactField(field, redact))),
    buttons: await redactLabels(question.buttons, redact),
  };
}

async function redactField(field: CardField, redact: Redact): Promise<CardField> {
  const { label, hint, options } = field;
  return {
    ...field,
    label: await redact(label),
    ...(hint === undefined ? {} : { hint: await redact(hint) }),
    ...(options === undefined ? {} : { options: await redactLabels(options, redact) }),
  };
}

async function redactLabels<T extends { readonly label: string }>(
  labelled: readonly T[],
  redact: Redact,
): Promise<readonly T[]> {
  return Promise.all(labelled.map(async (one) => ({ ...one, label: await redact(one.label) })));
}
