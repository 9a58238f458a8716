/** The frame of every plain page, and how text comes onto it: escaped, and with nothing in it that cannot be seen. */

import { escapeHtml, UNSEEN, visibleText } from "@holdpoint/protocol/rules";
import { html as escaped, raw } from "hono/html";

export type Html = ReturnType<typeof escaped>;

/** Agents' text is in most places of these pages, so unseen characters are marked in whatever is not said to be `exact` (G15). */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return escaped(strings, ...values.map(shown));
}

/** A text of unseen characters alone would be eight times as long with all marks (G13). */
const MARKS_MAX = 10_000;

function shown(value: unknown): unknown {
  if (typeof value === "string") {
    let count = 0;
    return value.replace(UNSEEN, (character) => {
      count += 1;
      return count > MARKS_MAX ? "\ufffd" : visibleText(character);
    });
  }
  return Array.isArray(value) ? value.map(shown) : value;
}

/** What comes back with the form, or is an address: escaped, but otherwise as it is. */
export function exact(text: string): Html {
  return raw(escapeHtml(text));
}

export const NOTHING = raw("");

export function layout(title: string, body: Html | Html[]): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="/assets/plain.css">
</head>
<body>${body}</body>
</html>`);
}

export function when(at: string): Html {
  return html`<time datetime="${at}">${at.replace("T", " ").replace(/\.\d+Z$/, " UTC")}</time>`;
}

/** `in 2 hours`, `3 days ago`: one unit, the largest that fits. */
export function distance(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ] as const;
  for (const [size, unit] of units) {
    if (Math.abs(ms) < size) continue;
    return new Intl.RelativeTimeFormat("en", { numeric: "always" }).format(Math.trunc(ms / size), unit);
  }
  return "now";
}
