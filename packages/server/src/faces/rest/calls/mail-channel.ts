/** E-mail channels: the mail server is tried before anything is kept, and its password is never shown. */

import type { ChannelOut, Code, MailChannelIn } from "@holdpoint/protocol";
import { usualRecipients } from "../../../kernel/platform.ts";
import { keepsPassword, type MailChannel } from "../../../kernel/server/mail-channel.ts";
import { SERVER_WORKSPACE } from "../../../kernel/server/server.ts";
import { fail } from "../../http/failure.ts";
import type { MailState, RestDeps } from "../deps.ts";

/** What is kept of the body, after the mail server took the user and the password. */
export async function triedMail(
  name: string,
  body: MailChannelIn,
  deps: RestDeps,
): Promise<Omit<MailChannel, "madeAt">> {
  const { password, to = [], ...server } = body;
  if (!deps.live.isSender(body.from))
    throw fail("invalid_body", `from is not an e-mail address: ${body.from}`);
  const where = { workspace: SERVER_WORKSPACE, kind: "email_channel", id: name, read: true } as const;
  const [before] = await deps.engine.store.load([where]);
  const isKept = password === undefined && keepsPassword(before?.body, server);
  // What worked before and did not change is not asked for again: the rules say whether a password is missing.
  if (!isKept && (password !== undefined || body.user === undefined)) await tryMail(body, password, deps);
  const { token: sealed } = password === undefined ? {} : deps.live.seal({ token: password }, name);
  return { name, to: [...to], ...server, ...(sealed === undefined ? {} : { password: sealed }) };
}

const WORDS: Readonly<Record<string, readonly [Code, string]>> = {
  smtp_auth_failed: ["mail_password_refused", "refused the user and the password"],
  tls_failed: [
    "mail_tls_refused",
    "gave no encrypted connection, or one whose certificate is not valid for it",
  ],
};

async function tryMail(
  { host, port, tls, user }: MailChannelIn,
  password: string | undefined,
  { live }: RestDeps,
): Promise<void> {
  const reason = await live.whyNotMail(
    { host, port, tls, ...(user === undefined ? {} : { user }) },
    password,
  );
  if (reason === null) return;
  const [code, words] = WORDS[reason] ?? ["mail_unreachable", `cannot be used: ${reason}`];
  throw fail(code, `the mail server ${host}:${port} ${words}`);
}

/** Of the configuration and of the console. */
export function mailChannels({ engine, live }: RestDeps): readonly ChannelOut[] {
  const { notify } = live.configured;
  const configured = Object.entries(notify.kinds ?? {}).flatMap(([name, kind]) =>
    kind === "email" ? [{ name, platform: "email", to: [...usualRecipients(notify, name)] }] : [],
  );
  return [
    ...configured.map((one) => ({ ...one, state: "ready" as const, source: "config" as const })),
    ...live.mails().map((state) => presentMail(state, usualRecipients(engine.platform.notify, state.name))),
  ];
}

function presentMail(state: MailState, to: readonly string[]): ChannelOut {
  const { name, platform, host, port, tls, user, from, error } = state;
  return {
    ...{ name, platform, to: [...to], source: "console" },
    ...(error === undefined ? { state: "ready" } : { state: "failed", reason: error }),
    mail: { host, port, tls, from, ...(user === undefined ? {} : { user }) },
  };
}
