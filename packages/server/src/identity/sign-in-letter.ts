/** The e-mail with a link that signs somebody in. */

import { escapeHtml } from "@holdpoint/protocol/rules";

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface SignInLetter {
  readonly url: string;
  readonly minutes: number;
  readonly kind: "sign_in" | "invitation";
  /** The server, as people know it. */
  readonly host: string;
}

export function signInLetter({ url, minutes, kind, host }: SignInLetter): Letter {
  const isInvitation = kind === "invitation";
  const subject = isInvitation
    ? `You are invited to Holdpoint at ${host}`
    : `Sign in to Holdpoint at ${host}`;
  const why = isInvitation
    ? `An admin has invited you to Holdpoint at ${host}, where people decide what AI agents may do.`
    : `Somebody, probably you, asked to sign in to Holdpoint at ${host}.`;
  const until = `The link works once, within ${spanOf(minutes)}.`;
  const otherwise = isInvitation
    ? "If you do not expect this, ignore it."
    : "If it was not you, ignore this message: without the link nobody can sign in.";
  return {
    subject,
    text: [why, `Sign in here:\n${url}`, until, otherwise, ""].join("\n\n"),
    html: [
      `<p>${escapeHtml(why)}</p>`,
      `<p><a href="${escapeHtml(url)}">Sign in to Holdpoint</a></p>`,
      `<p>${until}</p><p>${otherwise}</p>`,
    ].join("\n"),
  };
}

function spanOf(minutes: number): string {
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
