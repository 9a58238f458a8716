/** The doors of the pages: the review page takes a link, the console a session. */

import { holdIdOf } from "@holdpoint/protocol/hitl/case";
import { csrfTokenOf } from "../../identity/secrets.ts";
import { sessionIn } from "../../identity/session-cookie.ts";
import {
  type Arrival,
  byLink,
  credentialsOf,
  type Doors,
  type LinkAuthority,
  type PrincipalAuthority,
  principalAuthority,
} from "../http/authority.ts";
import type { PageDeps } from "./deps.ts";
import { pageFailure } from "./errors.ts";
import type { appOperations, operations } from "./operations.ts";
import { NO_FORM, type PostedForm, readForm } from "./posted-form.ts";

export interface SignedIn extends PrincipalAuthority {
  /** The CSRF token that every form of the console contains. */
  readonly csrf: string;
  /** The posted form, already read because it contains the CSRF token. */
  readonly form: PostedForm;
}

/** A link is enough: no sign-in, no cookie. */
async function byReviewLink(arrival: Arrival): Promise<LinkAuthority> {
  const { req } = arrival.c;
  const found = await byLink(arrival, req.query("token"), holdIdOf(req.param("case_id") ?? ""));
  if (found.kind === "link" && found.link.purpose === "review" && found.link.revokedAt === undefined)
    return found;
  if (found.kind === "wrong" && found.retryAfterMs !== undefined)
    throw pageFailure("rate_limited", "", {}, { retryAfterMs: found.retryAfterMs });
  throw pageFailure("wrong_link");
}

async function bySession({ c, ip, identity }: Arrival): Promise<SignedIn> {
  const { unsafe, cookie, sameOrigin } = credentialsOf(c, ip);
  const known = { ip, cookie, sameOrigin };
  // The form is read only for a signed-in caller; it contains the CSRF token, unless a script sends it as a header.
  let found = await identity.authenticate({ ...known, unsafe: false });
  const form = found.ok && unsafe ? await readForm(c) : NO_FORM;
  if (found.ok && unsafe) {
    const csrf = form.fields.get("_csrf") ?? c.req.header("x-csrf-token");
    found = await identity.authenticate({ ...known, unsafe, csrf });
  }
  if (!found.ok) throw pageFailure(found.why, found.message);
  const csrf = csrfTokenOf(sessionIn(cookie) ?? "");
  return { ...principalAuthority(found), csrf, form };
}

export const doors = {
  reviewPage: byReviewLink,
  answerForm: byReviewLink,
  challengeForm: byReviewLink,
  dismissForm: byReviewLink,
  reviewState: byReviewLink,
  keepDraft: byReviewLink,
  oidcLink: bySession,
  sessionState: bySession,
  signOut: bySession,
  inbox: bySession,
  holdPage: bySession,
  noteOpened: bySession,
  answerHold: bySession,
  dismissHold: bySession,
} satisfies Doors<typeof operations, PageDeps>;

export const appDoors = {
  playground: bySession,
  agUiPlayground: bySession,
  consoleApp: bySession,
  gallery: bySession,
} satisfies Doors<typeof appOperations, PageDeps>;
