/** Shows any JSON as text a person can read, all of it: nothing is cut, nothing is interpreted. */

import { isObject, type Json } from "@holdpoint/protocol/rules";
import { html } from "hono/html";
import type { Html } from "./layout.ts";

export function showValue(value: Json): Html {
  if (Array.isArray(value)) return showList(value as readonly Json[]);
  if (isObject(value)) return showObject(value);
  if (typeof value === "string" && (value.includes("\n") || value.length > 120))
    return html`<pre>${value}</pre>`;
  return html`<span>${value === null ? "none" : String(value)}</span>`;
}

function showObject(value: Readonly<Record<string, Json>>): Html {
  const rows = Object.entries(value).map(
    ([name, inner]) => html`<div><dt>${name}</dt><dd>${showValue(inner)}</dd></div>`,
  );
  return rows.length === 0 ? html`<span>none</span>` : html`<dl>${rows}</dl>`;
}

function showList(value: readonly Json[]): Html {
  if (value.length === 0) return html`<span>none</span>`;
  return html`<ul>${value.map((inner) => html`<li>${showValue(inner)}</li>`)}</ul>`;
}
