/** The plain renderer: pages without JavaScript and without a build. */

import type { SimplePage } from "@holdpoint/protocol";
import { PAGE_HEADERS } from "../../http/page.ts";
import type { InboxView, Renderer } from "../render.ts";
import { distance, exact, html, layout, when } from "./layout.ts";
import { reviewPage } from "./review.ts";
import { signInPage } from "./sign-in.ts";

export const plainRenderer: Renderer = {
  headers: PAGE_HEADERS,
  review: reviewPage,
  inbox: inboxPage,
  simple: simplePage,
  signIn: signInPage,
};

const STATUSES = ["open", "decided", "expired", "cancelled"] as const;

function inboxPage(view: InboxView): string {
  const tabs = STATUSES.map(
    (status) =>
      html`<a href="/console?status=${status}" ${status === view.status ? html`aria-current="page"` : ""}>${status}</a> `,
  );
  const rows = view.holds.map(
    (hold) => html`<li><a href="/console/holds/${hold.id}"><strong>${hold.prompt}</strong></a>
<p class="who">${hold.created_by} · ${hold.type} · ${distance(hold.created_at, view.now)}${hold.expires_at === undefined || hold.status !== "open" ? "" : html` · until ${when(hold.expires_at)}`}${hold.outcome?.kind === "decided" ? html` · ${hold.outcome.action}` : ""}</p></li>`,
  );
  const body = html`<main><nav>${tabs}<span>${view.name} (${view.role})</span>
<form method="post" action="/signout"><input type="hidden" name="_csrf" value="${view.csrf}"><button class="quiet">Sign out</button></form></nav>
<h1>Inbox</h1>
<form method="get" action="/console" role="search"><input type="hidden" name="status" value="${view.status}"><label for="q">Search</label> <input id="q" name="q" type="search" value="${exact(view.query)}"></form>
${rows.length === 0 ? html`<p>Nothing is ${view.status}.</p>` : html`<ul class="inbox">${rows}</ul>`}
${view.next === null ? "" : html`<p><a href="/console?status=${view.status}&q=${encodeURIComponent(view.query)}&cursor=${view.next}">Older</a></p>`}</main>`;
  return layout("Inbox · Holdpoint", body);
}

function simplePage({ title, text, link }: SimplePage): string {
  const way = link === undefined ? "" : html`<p><a href="${exact(link.href)}">${link.label}</a></p>`;
  return layout(`${title} · Holdpoint`, html`<main><h1>${title}</h1><p>${text}</p>${way}</main>`);
}
