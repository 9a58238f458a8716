/** The reference as pages: no script, one stylesheet, everything on one page so that the browser's own search finds it. */

import { html } from "hono/html";
import type { ErrorReference, Member, OperationReference, Reference, ReplyReference } from "./reference.ts";

type Html = ReturnType<typeof html>;

export function referencePage(reference: Reference, version: string): string {
  const nav = reference.faces.map(
    ({ title, tags }) =>
      html`<p>${title}</p><ul>${tags.map(
        ({ name, operations }) =>
          html`<li><a href="#${name}">${name}</a><ul>${operations.map(
            ({ id, method, path }) => html`<li><a href="#${id}"><span>${method}</span> ${path}</a></li>`,
          )}</ul></li>`,
      )}</ul>`,
  );
  const body = reference.faces.map(
    ({ title, tags }) =>
      html`<h2>${title}</h2>${tags.map(
        ({ name, operations }) =>
          html`<section id="${name}"><h3>${name}</h3>${operations.map(operation)}</section>`,
      )}`,
  );
  return page(
    "API reference",
    nav,
    html`<header><h1>API reference</h1><p>Holdpoint ${version}. The same for programs: <a href="/openapi.json">openapi.json</a>.
Every refusal has a stable code; <a href="/docs/errors">all codes and their cures</a>.</p></header>${body}`,
  );
}

export function errorsPage(reference: Reference): string {
  const nav = reference.faces.map(
    ({ title, errors }) =>
      html`<p>${title}</p><ul>${errors.map(
        ({ code, anchor }) => html`<li><a href="#${anchor}">${code}</a></li>`,
      )}</ul>`,
  );
  const body = reference.faces.map(
    ({ title, errors }) =>
      html`<h2>${title}</h2>${errors.map(
        ({ code, anchor, status, title: what, cure }) => html`<section id="${anchor}" class="error">
<h3><b class="status">${status}</b> <code>${code}</code></h3><p>${inline(what)}.</p>${cure === undefined ? "" : html`<p class="cure">${inline(cure)}</p>`}</section>`,
      )}`,
  );
  return page(
    "Errors",
    nav,
    html`<header><h1>Errors</h1><p>Branch on the code, never on the words around it. Back to the <a href="/docs">reference</a>.</p></header>${body}`,
  );
}

function page(title: string, nav: readonly Html[], body: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Holdpoint</title>
<link rel="stylesheet" href="/assets/docs.css">
</head>
<body><nav aria-label="Contents"><p class="home"><a href="/docs">Holdpoint</a></p>${[...nav]}</nav><main>${body}</main></body>
</html>`);
}

function operation(one: OperationReference): Html {
  const { id, method, path, summary, description, needs, parameters, body, replies, errors, curl } = one;
  return html`<article id="${id}">
<h4><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></h4>
<p class="summary">${inline(summary)}.</p>
${description === undefined ? "" : html`<p>${inline(description)}</p>`}
<p class="needs">Needs ${needs}.</p>
<pre><code>${curl}</code></pre>
${table("Parameters", parameters)}${table("Body", body)}
${replies.map(reply)}${refusals(errors)}
</article>`;
}

function table(title: string, members: readonly Member[]): Html | "" {
  if (members.length === 0) return "";
  return html`<details open><summary>${title}</summary>${rows(members)}</details>`;
}

function rows(members: readonly Member[]): Html {
  return html`<dl>${members.map(
    ({
      name,
      type,
      required,
      description,
      place,
    }) => html`<div><dt><code>${name}</code>${required ? html` <em>required</em>` : ""}</dt>
<dd><span class="type">${place === "body" || place === "path" ? "" : `${place}, `}${type}</span>${description === "" ? "" : html`<br>${inline(description)}`}</dd></div>`,
  )}</dl>`;
}

function reply({ status, media, type, members }: ReplyReference): Html {
  const what = html`<b class="status good">${status}</b> ${media === null ? "no content" : html`${type} <span class="type">${media}</span>`}`;
  if (members.length === 0) return html`<p class="reply">${what}</p>`;
  return html`<details><summary>${what}</summary>${rows(members)}</details>`;
}

function refusals(errors: readonly ErrorReference[]): Html {
  return html`<details><summary>Refusals</summary><dl>${errors.map(
    ({ code, status, title, cure }) =>
      html`<div><dt><b class="status">${status}</b> <code>${code}</code></dt><dd>${inline(title)}.${cure === undefined ? "" : html` <span class="cure">${inline(cure)}</span>`}</dd></div>`,
  )}</dl></details>`;
}

/** Text in which backticks mark code. */
function inline(text: string): readonly (Html | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
