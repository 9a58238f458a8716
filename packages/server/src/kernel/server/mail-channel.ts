/** An e-mail channel that is connected in the console, and what is decided about it. Its password arrives encrypted. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import { whyElsewhere } from "./elsewhere.ts";
import { whyNotNew } from "./names.ts";

/** `implicit`: from the first byte. `starttls`: nothing is sent without it. `optional`: where the mail server offers it. */
export const MAIL_TLS = ["implicit", "starttls", "optional"] as const;

export interface MailChannel {
  readonly name: string;
  readonly platform: "email";
  /** Who gets questions that name nobody. */
  readonly to: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly tls: (typeof MAIL_TLS)[number];
  /** Absent: the mail server takes mail without a sign-in. */
  readonly user?: string;
  /** Encrypted: only a server with the same secret key can read it. */
  readonly password?: string;
  /** `Name <address>`, or an address. */
  readonly from: string;
  readonly madeAt: number;
}

/** Without a password the channel keeps the one it has. */
export interface PutMailChannel {
  readonly kind: "put_email_channel";
  readonly workspace: string;
  readonly by: Principal;
  readonly channel: Omit<MailChannel, "madeAt">;
}

export interface RemoveMailChannel {
  readonly kind: "remove_email_channel";
  readonly workspace: string;
  readonly by: Principal;
  readonly name: string;
}

type Server = Pick<MailChannel, "host" | "port" | "tls" | "user">;

/** A password goes only to the mail server that it was given for: nobody gets it by writing another host. */
export function keepsPassword(before: Server | undefined, { host, port, tls, user }: Server): boolean {
  return before?.host === host && before.port === port && before.tls === tls && before.user === user;
}

export function putMailChannel(
  { workspace, channel, by }: PutMailChannel,
  draft: Draft,
  context: Context,
): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const { name, user, password: given, ...rest } = channel;
  const before = draft.get("email_channel", name);
  const taken = before === undefined ? whyNotNew(name, draft, context.platform) : null;
  if (taken !== null) return refuse(taken);
  const password = given ?? (keepsPassword(before, channel) ? before?.password : undefined);
  if (user !== undefined && password === undefined)
    return refuse(
      failure(
        "mail_password_refused",
        "give the password: it is kept only for the same host, port, TLS and user",
      ),
    );
  const body: MailChannel = {
    ...{ name, ...rest, madeAt: before?.madeAt ?? context.now },
    ...(user === undefined || password === undefined ? {} : { user, password }),
  };
  const type = before === undefined ? "channel.connected" : "channel.changed";
  draft.state({
    ...{ kind: "email_channel", id: name, fact: { type, channel: body } },
    ...{ at: context.now, actor: actorText(by) },
  });
  return accept(name);
}

export function removeMailChannel(
  { workspace, name, by }: RemoveMailChannel,
  draft: Draft,
  { now }: Context,
): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const channel = draft.get("email_channel", name);
  if (channel === undefined)
    return refuse(failure("not_found", "no channel with this name was connected in the console"));
  const fact = { type: "channel.removed", channel } as const;
  draft.state({ kind: "email_channel", id: name, fact, at: now, actor: actorText(by) });
  return accept(name);
}
