/**
 * A card as a Discord embed with rows of buttons, and a question as a modal. Every text is escaped and no mention is ever
 * resolved (P6).
 */

import type {
  Card,
  CardBlock,
  CardButton,
  CardEnding,
  CardField,
  CardQuestion,
} from "@holdpoint/protocol/chat";
import { markdownFree } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { ENDING_SYMBOLS } from "../chat/endings.ts";
import type { PrivateText } from "../chat/platform.ts";

const DESCRIPTION = 4096;
const TITLE = 256;
const FOOTER = 2048;
const EMBED = 6000;
const CONTENT = 2000;
const LABEL = 80;
const LINK = 512;
/** The longest value that stands beside its name. */
const LINE = 80;
const PER_ROW = 5;
const BUTTONS = 25;

/** For messages that only one person sees. */
export const EPHEMERAL = 64;
const NO_MENTIONS = { allowed_mentions: { parse: [] } };

const COLORS: Readonly<Record<CardEnding, number>> = {
  granted: 0x2e_7d_32,
  refused: 0xc6_28_28,
  expired: 0x75_75_75,
  cancelled: 0x75_75_75,
};
const OPEN_COLOR = 0x15_65_c0;

/** `undefined`: the card does not fit (P5). */
export function renderCard(card: Card): JsonObject | undefined {
  const title = markdownFree(card.title);
  const description = [
    ...(card.state.kind === "closed"
      ? [`**${ENDING_SYMBOLS[card.state.ending]} ${markdownFree(card.state.text)}**`]
      : []),
    markdownFree(card.prompt),
    ...(card.blocks.length === 0 ? [] : [card.blocks.map(contextBlock).join("\n")]),
    ...(card.notes.length === 0 ? [] : [card.notes.map((note) => `*${markdownFree(note)}*`).join("\n")]),
    ...(card.votes === undefined ? [] : [`**${markdownFree(card.votes)}**`]),
    ...(card.expiresAt === null || card.state.kind === "closed"
      ? []
      : [`Answer before <t:${Math.floor(card.expiresAt / 1000)}:f>`]),
  ].join("\n\n");
  const footer = `from ${card.askedBy}`;
  const fits =
    title.length <= TITLE &&
    description.length <= DESCRIPTION &&
    footer.length <= FOOTER &&
    title.length + description.length + footer.length <= EMBED &&
    card.buttons.length <= BUTTONS &&
    card.buttons.every(({ label }) => label.length <= LABEL);
  if (!fits) return undefined;
  const color = card.state.kind === "closed" ? COLORS[card.state.ending] : OPEN_COLOR;
  return {
    embeds: [{ title, description, color, footer: { text: footer } }],
    components: rows(card.buttons.map(button)),
    ...NO_MENTIONS,
  };
}

/** A text to one person, with a link of their own if there is one. */
export function renderPrivate({ text, link }: PrivateText): JsonObject {
  if (link === undefined) return { content: fitted(text), ...NO_MENTIONS };
  // In angle brackets a link has no preview.
  if (link.url.length > LINK) return { content: fitted(text, `\n<${link.url}>`), ...NO_MENTIONS };
  const open = { type: 2, style: 5, label: link.label.slice(0, LABEL), url: link.url };
  return { content: fitted(text), components: rows([open]), ...NO_MENTIONS };
}

/** A question that only wants a yes or no: a private message with its buttons. */
export function renderChoice({ text, buttons }: CardQuestion): JsonObject {
  return { content: fitted(text), components: rows(buttons.map(button)), ...NO_MENTIONS };
}

/** `customId` comes back with the submission. */
export function renderModal(question: CardQuestion, customId: string): JsonObject {
  return {
    title: question.title.slice(0, 45),
    custom_id: customId,
    components: question.fields.slice(0, 5).map((field) => labelled(field, question.text)),
  };
}

function labelled(
  { key, label, kind, isRequired, maxLength, hint, options }: CardField,
  text: string,
): JsonObject {
  const component: JsonObject =
    kind === "choice"
      ? {
          type: 3,
          custom_id: key,
          required: isRequired,
          options: (options ?? [])
            .slice(0, 25)
            .map((option) => ({ label: option.label.slice(0, 100), value: option.id })),
        }
      : {
          type: 4,
          custom_id: key,
          style: kind === "text" ? 2 : 1,
          required: isRequired,
          max_length: Math.min(maxLength ?? 4000, 4000),
        };
  const description = hint ?? text;
  return {
    type: 18,
    label: label.slice(0, 45),
    ...(description === "" ? {} : { description: description.slice(0, 100) }),
    component,
  };
}

/** Only the three backticks that would end the block are broken up, by a character without width. */
function contextBlock({ label, style, text }: CardBlock): string {
  const name = label === undefined || label === "" ? "" : `**${markdownFree(label)}**`;
  // A short value stands beside its name.
  const isShort = style === "plain" && text.length <= LINE && !text.includes("\n");
  const heading = name === "" ? "" : `${name}${isShort ? ": " : "\n"}`;
  if (style === "plain") return `${heading}${markdownFree(text)}`;
  const language = style === "diff" ? "diff" : "";
  return `${heading}\`\`\`${language}\n${text.replaceAll("```", "`\u200b`\u200b`")}\n\`\`\``;
}

const STYLES = { primary: 3, danger: 4, default: 2 } as const;

function button({ id, label, style }: CardButton): JsonObject {
  return { type: 2, style: STYLES[style], label: label.slice(0, LABEL), custom_id: id };
}

function rows(buttons: readonly JsonObject[]): JsonObject[] {
  const count = Math.ceil(buttons.length / PER_ROW);
  return Array.from({ length: count }, (_none, row) => ({
    type: 1,
    components: buttons.slice(row * PER_ROW, (row + 1) * PER_ROW),
  }));
}

/** The server's own short texts; only a rule's explanation could be long. */
function fitted(text: string, end = ""): string {
  const escaped = markdownFree(text);
  const room = CONTENT - end.length;
  return `${escaped.length <= room ? escaped : `${escaped.slice(0, room - 1)}…`}${end}`;
}
