/**
 * Shows any JSON as readable text, completely and without interpreting it. A value with too many parts for a layout is shown as
 * JSON text (G13).
 */

import { exactText, hasMoreValuesThan, isObject, type Json } from "@holdpoint/protocol/rules";
import { type Html, html } from "./layout.ts";

const LAID_OUT_MAX = 2_000;

export function showValue(value: Json): Html {
  return hasMoreValuesThan(value, LAID_OUT_MAX)
    ? html`<p class="notice">This has more than ${LAID_OUT_MAX} values, too many to lay out one by one. All of it is here, as JSON:</p><pre>${JSON.stringify(value)}</pre>`
    : layOut(value);
}

function layOut(value: Json): Html {
  if (Array.isArray(value)) return layOutList(value as readonly Json[]);
  if (isObject(value)) return layOutObject(value);
  if (typeof value === "string" && (value.includes("\n") || value.length > 120))
    return html`<pre>${value}</pre>`;
  const text = typeof value === "string" ? exactText(value) : String(value);
  return html`<span>${text === "" ? "empty text" : text}</span>`;
}

function layOutObject(value: Readonly<Record<string, Json>>): Html {
  const rows = Object.entries(value).map(
    ([name, inner]) => html`<div><dt>${name}</dt><dd>${layOut(inner)}</dd></div>`,
  );
  return rows.length === 0 ? html`<span>empty object</span>` : html`<dl>${rows}</dl>`;
}

function layOutList(value: readonly Json[]): Html {
  if (value.length === 0) return html`<span>empty list</span>`;
  return html`<ul>${value.map((inner) => html`<li>${layOut(inner)}</li>`)}</ul>`;
}
