/**
 * A card as Slack's blocks, and a question as a modal. Agents' texts go into `plain_text` and `rich_text` only, which Slack shows
 * as they are: no markup, no mention, no link in disguise (P6). The fallback text of notifications is escaped.
 */

import type { Card, CardBlock, CardEnding, CardField, CardQuestion } from "@holdpoint/protocol/chat";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { ENDING_SYMBOLS } from "../chat/endings.ts";
import type { PrivateText } from "../chat/platform.ts";

const SECTION = 3000;
const HEADER = 150;
const CONTEXT = 2000;
const BLOCKS = 50;
/** Slack refuses blocks that are too long together, without saying where that begins. This is well below. */
const TOTAL = 10_000;
const BUTTON = 75;
const LINK = 3000;
/** The longest value that stands beside its name. */
const LINE = 80;

export interface SlackBody {
  /** For notifications, and for clients without blocks. */
  readonly text: string;
  readonly blocks: readonly JsonObject[];
}

export interface ModalPlace {
  /** Where to show a private reply to the submission. */
  readonly chat: string;
  readonly question: string;
}

export const CALLBACK = "holdpoint";

/** `undefined`: the card does not fit (P5). */
export function renderCard(card: Card): SlackBody | undefined {
  const blocks = [
    header(card.title),
    ...(card.state.kind === "closed" ? [ending(card.state.ending, card.state.text)] : []),
    ...paragraphs(card.prompt),
    ...card.blocks.flatMap(contextBlock),
    ...card.notes.map((note) => footnote(note)),
    ...(card.votes === undefined ? [] : [footnote(card.votes)]),
    about(card),
    ...(card.buttons.length === 0 ? [] : [actions(card)]),
  ];
  const total = card.prompt.length + card.blocks.reduce((sum, { text }) => sum + text.length, 0);
  const fits =
    total <= TOTAL &&
    blocks.length <= BLOCKS &&
    card.title.length <= HEADER &&
    card.askedBy.length <= CONTEXT &&
    card.notes.every((note) => note.length <= CONTEXT) &&
    card.buttons.length <= 25 &&
    card.buttons.every(({ label }) => label.length <= BUTTON);
  return fits ? { text: fallback(card), blocks } : undefined;
}

/** A text to one person, with a link of their own if there is one. */
export function renderPrivate({ text, link }: PrivateText): SlackBody {
  const blocks: JsonObject[] = paragraphs(text);
  if (link === undefined) return { text: escaped(text), blocks };
  if (link.url.length > LINK)
    return { text: escaped(`${text}\n${link.url}`), blocks: paragraphs(`${text}\n${link.url}`) };
  const button = {
    type: "button",
    action_id: "open",
    text: plain(link.label.slice(0, BUTTON)),
    url: link.url,
  };
  return { text: escaped(text), blocks: [...blocks, { type: "actions", elements: [button] }] };
}

export function renderQuestion(question: CardQuestion, place: ModalPlace): JsonObject {
  return {
    type: "modal",
    callback_id: CALLBACK,
    private_metadata: JSON.stringify(place),
    title: plain(question.title),
    submit: plain(question.submit.slice(0, 24)),
    blocks: [...paragraphs(question.text), ...question.fields.map(field)],
  };
}

/** What a submitted modal turns into when there is only something to read. */
export function renderNotice(title: string, text: PrivateText): JsonObject {
  return {
    type: "modal",
    callback_id: "notice",
    title: plain(title),
    blocks: [...renderPrivate(text).blocks],
  };
}

function field({ key, label, kind, isRequired, maxLength, hint, options }: CardField): JsonObject {
  const element: JsonObject =
    kind === "choice"
      ? {
          type: "static_select",
          action_id: "value",
          options: (options ?? []).map((option) => ({
            text: plain(option.label.slice(0, 75)),
            value: option.id,
          })),
        }
      : {
          type: "plain_text_input",
          action_id: "value",
          multiline: kind === "text",
          max_length: Math.min(maxLength ?? SECTION, SECTION),
        };
  return {
    type: "input",
    block_id: key,
    label: plain(label.slice(0, 2000)),
    optional: !isRequired,
    ...(hint === undefined || hint === "" ? {} : { hint: plain(hint.slice(0, 2000)) }),
    element,
  };
}

function header(title: string): JsonObject {
  return { type: "header", text: plain(title) };
}

/** A long text in several sections, so that nothing of it is cut. */
function paragraphs(text: string): JsonObject[] {
  return pieces(text, SECTION).map((piece) => ({ type: "section", text: plain(piece) }));
}

function contextBlock({ label, style, text }: CardBlock): JsonObject[] {
  const whole = text === "" ? " " : text;
  const heading =
    label === undefined || label === "" ? [] : [{ type: "text", text: label, style: { bold: true } }];
  // A short value stands beside its name.
  if (style === "plain" && whole.length <= LINE && !whole.includes("\n")) {
    const value = { type: "text", text: heading.length === 0 ? whole : `: ${whole}` };
    return [richText([section([...heading, value])])];
  }
  const title = heading.length === 0 ? [] : [section(heading)];
  const body = style === "plain" ? "rich_text_section" : "rich_text_preformatted";
  return pieces(whole, SECTION).map((piece, index) =>
    richText([...(index === 0 ? title : []), { type: body, elements: [{ type: "text", text: piece }] }]),
  );
}

function richText(elements: JsonObject[]): JsonObject {
  return { type: "rich_text", elements };
}

function section(elements: JsonObject[]): JsonObject {
  return { type: "rich_text_section", elements };
}

function footnote(text: string): JsonObject {
  return { type: "context", elements: [plain(text)] };
}

function ending(kind: CardEnding, text: string): JsonObject {
  return { type: "section", text: plain(`${ENDING_SYMBOLS[kind]} ${text}`) };
}

/** Who asks, and until when. Slack shows the time in each reader's own zone. */
function about({ askedBy, expiresAt, state }: Card): JsonObject {
  const asked = plain(`from ${askedBy}`);
  if (expiresAt === null || state.kind === "closed") return { type: "context", elements: [asked] };
  const seconds = Math.floor(expiresAt / 1000);
  const utc = new Date(expiresAt).toISOString().slice(0, 16).replace("T", " ");
  const until = {
    type: "mrkdwn",
    text: `Answer before <!date^${seconds}^{date_short_pretty} {time}|${utc} UTC>`,
  };
  return { type: "context", elements: [asked, until] };
}

const STYLES = { primary: { style: "primary" }, danger: { style: "danger" }, default: {} } as const;

function actions({ buttons }: Card): JsonObject {
  return {
    type: "actions",
    elements: buttons.map(({ id, label, style }) => ({
      type: "button",
      action_id: id,
      text: plain(label),
      ...STYLES[style],
    })),
  };
}

function fallback({ title, prompt, state }: Card): string {
  const first = state.kind === "closed" ? `${ENDING_SYMBOLS[state.ending]} ${state.text}` : title;
  return escaped(`${first}: ${prompt}`);
}

function plain(text: string): JsonObject {
  return { type: "plain_text", text: text === "" ? " " : text, emoji: false };
}

/** Slack reads these three as markup in the fallback text, up to calling for the whole channel. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Cuts at line ends where there are any, and never in the middle of a character. */
export function pieces(text: string, most: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const line = rest.lastIndexOf("\n", most);
    const isPair = /[\uD800-\uDBFF]/.test(rest[most - 1] ?? "");
    const end = line > most / 2 ? line + 1 : isPair ? most - 1 : most;
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...found, rest];
}
