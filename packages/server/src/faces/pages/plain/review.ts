/** The plain review page: who asks, what exactly, until when, what happens if nobody answers, and the answer. */

import type { HoldOut, ReviewView } from "@holdpoint/protocol";
import { ASKERS_LINK, voteWords } from "@holdpoint/protocol/client";
import {
  explainSimilar,
  GRANT_ARG,
  GRANT_FOR,
  GRANT_SIMILAR,
  GRANT_USES,
  SIMILAR_LABEL,
  similarInRepository,
} from "@holdpoint/protocol/gating";
import {
  ACTION_INPUT,
  type Ask,
  type FileRef,
  filesIn,
  isCallUnknown,
  isFileRef,
  type JsonObject,
  shownActions,
  wantsFile,
} from "@holdpoint/protocol/rules";
import { inputsOf } from "./fields.ts";
import { distance, exact, type Html, html, layout, NOTHING, when } from "./layout.ts";
import { showValue } from "./value.ts";

export function reviewPage(view: ReviewView): string {
  const { hold, notice } = view;
  const body = html`<main>
${view.console === undefined ? "" : html`<nav><a href="/console">Inbox</a> <span>${view.console.name}</span></nav>`}
<header><p class="who"><strong>${hold.created_by}</strong> asks${hold.type === "approval" ? " for approval" : ""} · ${when(hold.created_at)}</p>
<h1>${hold.prompt === "" ? "This question was erased" : hold.prompt}</h1></header>
${notice === undefined ? "" : html`<p class="notice" role="status">${notice}</p>`}
${votesSoFar(hold)}
${roundsSoFar(view)}
${view.ask !== null && isCallUnknown(view.ask) ? html`<p class="notice problem unknown" role="alert"><strong>The exact call is unknown.</strong> The agent did not show which tool it will run, or with what. Find out before you let it run, and say how you know.</p>` : ""}
${view.passkey === undefined ? "" : html`<p class="notice">Answering needs a passkey, which this page cannot ask for. <a href="/console/holds/${hold.id}">Sign in and answer in the console</a>.</p>`}
${hold.context === undefined ? "" : html`<section aria-label="Details">${showValue(hold.context)}</section>`}
${hold.uses === undefined ? "" : html`<p class="uses">Approving allows it ${hold.uses === "unlimited" ? "any number of times, until it is taken back" : `up to ${hold.uses} times`}.</p>`}
${hold.status === "open" && view.ask !== null ? answerForm(view, view.ask) : ending(view)}
</main>`;
  return layout(titleOf(hold), body);
}

/** How many agreed, who voted, and who is still missing. */
function votesSoFar(hold: HoldOut): Html {
  const words = voteWords(
    hold as Pick<HoldOut, "status" | "decision" | "votes" | "missing" | "unfulfillable">,
  );
  if (words === undefined) return NOTHING;
  const lines = [...words.votes, ...words.missing].map((line) => html`<li>${line}</li>`);
  return html`<section class="votes" role="status" aria-label="Votes"><p><strong>${words.summary}</strong></p><ul>${lines}</ul></section>`;
}

/** The number of the round, and the feedback of the earlier rounds. */
function roundsSoFar({ earlier = [] }: ReviewView): Html {
  if (earlier.length === 0) return NOTHING;
  const rounds = earlier.map(
    ({ action, status, feedback, by, at }) =>
      html`<li><strong>${action ?? status}</strong>${by === undefined ? "" : ` by ${by}`} · ${when(at)}${feedback === undefined ? "" : html`<blockquote>${feedback}</blockquote>`}</li>`,
  );
  return html`<section class="rounds" aria-label="Earlier rounds"><h2>Round ${earlier.length + 1}</h2><ol>${rounds}</ol></section>`;
}

function titleOf(hold: HoldOut): string {
  const state = { open: "Waiting for you", decided: "Answered", expired: "Expired", cancelled: "Cancelled" }[
    hold.status
  ];
  return `${state} · Holdpoint`;
}

function answerForm(view: ReviewView, ask: Ask): Html {
  const { hold, now } = view;
  const wrong =
    view.problems.length === 0
      ? NOTHING
      : html`<p class="notice problem" role="alert">Something is missing or not right. Nothing was sent yet.</p>`;
  const csrf =
    view.console === undefined
      ? NOTHING
      : html`<input type="hidden" name="_csrf" value="${view.console.csrf}">`;
  const buttons = shownActions(ask).map(
    ({ id, label, style }) =>
      html`<button name="${ACTION_INPUT}" value="${exact(id)}" class="${style}">${label}</button>`,
  );
  return html`${deadline(hold, now)}${wrong}
<form method="post" action="${exact(view.answerPath)}" accept-charset="utf-8" ${wantsFile(ask) ? "enctype=multipart/form-data" : NOTHING}>
${csrf}<input type="hidden" name="_shown" value="${hold.digest}">
${[...inputsOf(ask, view)]}${similarCalls(hold)}
<div class="actions">${buttons}</div>${similarAtOnce(hold)}
</form>
<form method="post" action="${exact(view.dismissPath)}" class="dismiss">${csrf}<button class="quiet">Dismiss without deciding</button></form>`;
}

/** Allows similar calls together with an approval. Ranges need the page with script. */
function similarCalls({ grantable, context }: HoldOut): Html {
  if (grantable !== true) return NOTHING;
  const given = (context?.["arguments"] ?? {}) as JsonObject;
  const times = ["1h", "2h", "8h", "1d", "7d"].map((time) => html`<option value="${time}">${time}</option>`);
  const args = Object.keys(given).map(
    (name) =>
      html`<label>${name} <select name="${exact(GRANT_ARG + name)}"><option value="equal">must be the same</option><option value="any">may be anything</option></select></label>`,
  );
  return html`<details><summary>Approve similar calls too</summary>
<label>For how long <select name="${GRANT_FOR}"><option value="">Just this once</option>${times}</select></label>
<label>How many calls at most <input type="number" name="${GRANT_USES}" min="1" value="10"></label>${args}</details>`;
}

/** After the other buttons: the Enter key presses a form's first button. */
function similarAtOnce({ grantable, context, created_by }: HoldOut): Html {
  const args = (context?.["arguments"] ?? {}) as JsonObject;
  if (grantable !== true || similarInRepository(context?.["tool"], args) === undefined) return NOTHING;
  return html`<p>${explainSimilar(created_by, String(context?.["tool"]), args)}</p>
<div class="actions"><button name="${GRANT_SIMILAR}" value="approve">${SIMILAR_LABEL}</button></div>`;
}

function deadline(hold: HoldOut, now: number): Html {
  if (hold.expires_at === undefined)
    return html`<p class="deadline">No deadline: it waits until somebody answers.</p>`;
  const otherwise = hold.on_timeout?.action;
  return html`<p class="deadline">Until ${when(hold.expires_at)} (${distance(hold.expires_at, now)}). If nobody answers: ${otherwise === undefined ? "the question expires" : html`<strong>${otherwise}</strong>, automatically, nobody decided`}.</p>`;
}

function ending(view: ReviewView): Html {
  const { outcome } = view.hold;
  if (outcome === undefined) return html`<p class="notice">Its content was erased.</p>`;
  switch (outcome.kind) {
    case "decided":
      return html`<section class="outcome" role="status"><h2>${view.justAnswered ? "Thank you. Your answer was recorded." : "Already answered"}</h2>
<p><strong>${outcome.action}</strong>${outcome.by.given_to === undefined ? "" : ` by ${ASKERS_LINK}`} · ${when(outcome.at)}</p>${Object.keys(outcome.data).length === 0 ? "" : showValue(outcome.data)}${filesOf(view, outcome.data)}${afterwards(view.hold)}</section>`;
    case "expired":
      return html`<section class="outcome" role="status"><h2>Expired</h2><p>Nobody answered until ${when(outcome.at)}.${outcome.default?.action === undefined ? "" : html` The agent goes on with <strong>${outcome.default.action}</strong> by default.`}</p></section>`;
    case "cancelled":
      return html`<section class="outcome" role="status"><h2>Cancelled</h2><p>It was withdrawn ${when(outcome.at)}${outcome.reason === undefined ? "." : html`: ${outcome.reason}`}</p></section>`;
  }
}

/** A viewer who sees the name of a file may download it; withheld values contain no file names (G9). */
function filesOf({ ask, fileQuery = "" }: ReviewView, data: JsonObject): Html {
  const files = ask === null ? [] : filesIn(ask, data).map(({ value }) => value);
  const links = files.filter(isFileRef).map((file) => {
    const { file_id: id, name } = file as FileRef;
    return html`<li><a href="/v1/files/${exact(id + fileQuery)}" download>${name}</a></li>`;
  });
  return links.length === 0 ? NOTHING : html`<p>Files</p><ul>${links}</ul>`;
}

const EXECUTION = {
  claimed: "Being carried out now",
  done: "Carried out",
  failed: "Tried, and failed",
  unknown: "Nobody knows whether it was carried out",
} as const;

/** What happened to an approval after it was given. */
function afterwards({ claim, revoked }: HoldOut): Html {
  const used =
    claim === undefined
      ? ""
      : html`<p>${EXECUTION[claim.state]} · ${when(claim.ended_at ?? claim.claimed_at)}</p>`;
  const back = revoked === undefined ? "" : html`<p><strong>Taken back</strong> · ${when(revoked.at)}</p>`;
  return html`${used}${back}`;
}
