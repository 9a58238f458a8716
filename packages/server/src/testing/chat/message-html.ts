/**
 * What a message looks like, drawn from the payload that left the server and from nothing else. It is no copy of the platforms'
 * designs: it shows their structure, every text and every button, so that a picture cannot promise more than the payload says.
 */

import type { MessageEntity } from "grammy/types";
import type { Json } from "./discord-checks.ts";
import type { DiscordMessage } from "./discord-shapes.ts";
import type { SlackMessage } from "./slack-shapes.ts";
import type { TelegramMessage } from "./telegram-fake.ts";

export function telegramHtml({ text, entities = [], reply_markup: markup }: TelegramMessage): string {
  const rows = (markup?.inline_keyboard ?? []).map((row) =>
    row.map(({ text: label }) => button(label, "default")),
  );
  return card("telegram", lines(withEntities(text, entities)), rows);
}

const ENTITY_TAGS: Readonly<Record<string, string>> = { bold: "b", italic: "i", pre: "pre", code: "code" };

/** Entities of a card do not overlap. */
function withEntities(text: string, entities: readonly MessageEntity[]): string {
  let html = "";
  let at = 0;
  for (const { type, offset, length } of entities.toSorted((a, b) => a.offset - b.offset)) {
    const tag = ENTITY_TAGS[type] ?? "span";
    html += escaped(text.slice(at, offset));
    html += `<${tag}>${escaped(text.slice(offset, offset + length))}</${tag}>`;
    at = offset + length;
  }
  return html + escaped(text.slice(at));
}

export function slackHtml({ blocks }: SlackMessage): string {
  const rows: string[][] = [];
  const parts = blocks.map((block) => {
    if (block["type"] === "actions") {
      rows.push((block["elements"] as readonly Json[]).map(slackButton));
      return "";
    }
    return slackBlock(block);
  });
  return card("slack", parts.join(""), rows);
}

function slackBlock(block: Json): string {
  const elements = (block["elements"] ?? []) as readonly Json[];
  switch (block["type"]) {
    case "header":
      return `<h2>${slackText(block["text"] as Json)}</h2>`;
    case "section":
      return `<p>${lines(slackText(block["text"] as Json))}</p>`;
    case "context":
      return `<p class="small">${elements.map(slackText).join(" · ")}</p>`;
    case "rich_text":
      return elements.map(richText).join("");
    default:
      throw new Error(`this renderer does not know the block ${String(block["type"])}`);
  }
}

function richText(part: Json): string {
  const texts = (part["elements"] as readonly Json[]).map((element) => {
    const isBold = (element["style"] as Json | undefined)?.["bold"] === true;
    const text = escaped(String(element["text"]));
    return isBold ? `<b>${text}</b>` : text;
  });
  return part["type"] === "rich_text_preformatted"
    ? `<pre>${texts.join("")}</pre>`
    : `<p>${lines(texts.join(""))}</p>`;
}

/** Of Slack's markup a card uses the date only. */
function slackText({ type, text }: Json): string {
  const shown =
    type === "mrkdwn" ? String(text).replaceAll(/<!date\^\d+\^[^|>]*\|([^>]*)>/g, "$1") : String(text);
  return escaped(shown);
}

function slackButton(element: Json): string {
  return button(String((element["text"] as Json)["text"]), String(element["style"] ?? "default"));
}

const DISCORD_STYLES: Readonly<Record<number, string>> = { 3: "primary", 4: "danger" };

export function discordHtml({ content, embeds, components }: DiscordMessage): string {
  const rows = components.map((row) =>
    (row["components"] as readonly Json[]).map((part) =>
      button(String(part["label"]), DISCORD_STYLES[Number(part["style"])] ?? "default"),
    ),
  );
  const shown = embeds.map((embed) => {
    const footer = (embed["footer"] as Json | undefined)?.["text"];
    const color = Number(embed["color"] ?? 0)
      .toString(16)
      .padStart(6, "0");
    return [
      `<div class="embed" style="border-color:#${color}"><h2>${markdown(String(embed["title"] ?? ""))}</h2>`,
      `<div>${markdown(String(embed["description"] ?? ""))}</div>`,
      `<p class="small">${escaped(String(footer ?? ""))}</p></div>`,
    ].join("");
  });
  return card("discord", `${content === "" ? "" : `<p>${markdown(content)}</p>`}${shown.join("")}`, rows);
}

/** Code blocks, bold, italic, times and escapes: what our own texts use. Everything else is shown as it is. */
function markdown(text: string): string {
  const token =
    /```(?:\w*\n)?([\s\S]*?)```|\*\*((?:\\.|[^*\\])+)\*\*|\*((?:\\.|[^*\\])+)\*|<t:(\d+):f>|\\([^a-zA-Z0-9\s])|\n/g;
  let html = "";
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [all, code, bold, italic, time, character] = match;
    html += escaped(text.slice(at, match.index));
    at = match.index + all.length;
    if (code !== undefined) html += `<pre>${escaped(code.trimEnd())}</pre>`;
    else if (bold !== undefined) html += `<b>${markdown(bold)}</b>`;
    else if (italic !== undefined) html += `<i>${markdown(italic)}</i>`;
    else if (time !== undefined)
      html += escaped(`${new Date(Number(time) * 1000).toISOString().slice(0, 16)} UTC`);
    else html += character === undefined ? "<br>" : escaped(character);
  }
  return html + escaped(text.slice(at));
}

function card(platform: string, body: string, rows: readonly (readonly string[])[]): string {
  const buttons = rows.map((row) => `<div class="row">${row.join("")}</div>`).join("");
  return `<article class="${platform}"><div class="body">${body}</div>${buttons}</article>`;
}

function button(label: string, style: string): string {
  return `<button class="${style}">${escaped(label)}</button>`;
}

function lines(html: string): string {
  return html.replaceAll("\n", "<br>");
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
