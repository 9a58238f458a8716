/**
 * Renders a card into the body of `sendMessage` and `editMessageText`. The text is plain and its formatting stands beside it, as
 * entities: nothing that an agent writes can become markup.
 */

import { byteLength, type Card, type CardButton, TELEGRAM_LIMITS } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { ENDING_SYMBOLS } from "../chat/endings.ts";

type EntityType = "bold" | "italic" | "pre";

/** Text with entities, whose offsets count UTF-16 units. */
class Text {
  #text = "";
  readonly #entities: JsonObject[] = [];

  add(text: string, type?: EntityType): this {
    if (type !== undefined && text !== "")
      this.#entities.push({ type, offset: this.#text.length, length: text.length });
    this.#text += text;
    return this;
  }

  get body(): { readonly text: string; readonly entities: readonly JsonObject[] } {
    return { text: this.#text, entities: this.#entities };
  }
}

function textOf(card: Card): Text["body"] {
  const text = new Text();
  text.add(card.title, "bold").add(`\nfrom ${calm(card.askedBy)}\n\n${calm(card.prompt)}`);
  for (const { label, style, text: block } of card.blocks) {
    const heading = label === undefined ? "" : `${calm(label)}:`;
    text.add("\n\n").add(heading, "bold");
    if (style === "plain") text.add(`${heading === "" ? "" : " "}${calm(block)}`);
    else text.add(heading === "" ? "" : "\n").add(block, "pre");
  }
  for (const note of card.notes) text.add("\n\n").add(note, "italic");
  if (card.votes !== undefined) text.add(`\n\n${calm(card.votes)}`);
  if (card.expiresAt !== null) text.add(`\n\nAnswer before ${momentOf(card.expiresAt)}.`);
  if (card.state.kind === "closed") {
    const { ending, text: said } = card.state;
    text.add(`\n\n${ENDING_SYMBOLS[ending]} `).add(calm(said), "bold");
  }
  return text.body;
}

/** Telegram turns `@name` into a mention by itself; an invisible character in between prevents that. */
function calm(text: string): string {
  return text.replaceAll(/@(?=\w)/g, "@\u2060");
}

function momentOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const ENTITIES_MAX = 100;

export function fitsTelegram(card: Card): boolean {
  const { text, entities } = textOf(card);
  return (
    text.length <= TELEGRAM_LIMITS.text &&
    entities.length <= ENTITIES_MAX &&
    card.buttons.every(
      ({ id, label }) =>
        byteLength(id) <= TELEGRAM_LIMITS.callbackDataBytes && label.length <= TELEGRAM_LIMITS.buttonText,
    )
  );
}

export function telegramBody(card: Card): JsonObject {
  return {
    ...textOf(card),
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: keyboardOf(card.buttons) },
  };
}

/** What fits side by side on a phone. */
const ROW_LENGTH = 30;
const ROW_BUTTONS = 3;

export function keyboardOf(buttons: readonly CardButton[]): readonly (readonly JsonObject[])[] {
  const rows: CardButton[][] = [];
  for (const button of buttons) {
    const row = rows.at(-1);
    const length = (row ?? []).reduce((sum, { label }) => sum + label.length, button.label.length);
    if (row === undefined || row.length >= ROW_BUTTONS || length > ROW_LENGTH) rows.push([button]);
    else row.push(button);
  }
  return rows.map((row) => row.map(({ id, label }) => ({ text: label, callback_data: id })));
}
