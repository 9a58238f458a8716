/**
 * E-mail channels that were connected in the console, among the channels that deliveries look up.
 *
 * M1  A channel of the configuration keeps its name.
 * M2  A password is opened in memory only. A server that cannot open one says so, and its deliveries are tried again later.
 */

import type { Channel } from "./channels/channel.ts";
import { readSender } from "./channels/email/address.ts";
import { emailChannel } from "./channels/email/channel.ts";
import { type SmtpServer, tryServer } from "./channels/email/smtp.ts";
import type { MailChannel } from "./kernel/server/mail-channel.ts";
import type { Sealer } from "./system/sealing.ts";

export interface LiveMailOptions {
  /** Deliveries look channels up here. Those of the configuration are in it from the start. */
  readonly channels: Map<string, Channel>;
  readonly sealer: Sealer;
  /** The address of a person of the configuration. */
  readonly addressOf?: (name: string) => string | undefined;
}

export interface MailState extends Omit<MailChannel, "password" | "madeAt"> {
  readonly error?: string;
}

export class LiveMail {
  readonly #options: LiveMailOptions;
  /** What each channel was made from, and what is shown of it. */
  readonly #made = new Map<string, { readonly text: string; readonly state: MailState }>();

  constructor(options: LiveMailOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#made.has(name);
  }

  states(): readonly MailState[] {
    return [...this.#made.values()].map(({ state }) => state);
  }

  use(rows: readonly MailChannel[]): void {
    const { channels } = this.#options;
    for (const name of this.#made.keys())
      if (!rows.some((row) => row.name === name)) {
        this.#made.delete(name);
        channels.delete(name);
      }
    for (const row of rows) {
      const text = JSON.stringify(row);
      if (this.#made.get(row.name)?.text === text) continue;
      const { password, madeAt: _madeAt, ...shown } = row;
      const channel = this.#channelOf(row);
      const error = channel === null ? { error: "secret_key_differs" } : {};
      this.#made.set(row.name, { text, state: { ...shown, ...error } });
      channels.set(row.name, channel ?? UNREADABLE);
    }
  }

  /** `null`: this server cannot read the password. */
  #channelOf(row: MailChannel): Channel | null {
    const { sealer, addressOf = () => undefined } = this.#options;
    const password = row.password === undefined ? undefined : sealer.open(row.password, row.name);
    const from = readSender(row.from);
    if (from === null) throw new Error(`Invariant: the e-mail channel ${row.name} has no sender`);
    if (row.password !== undefined && password === undefined) return null;
    const [to] = row.to;
    return emailChannel({
      ...{ server: smtpOf(row, password), from, addressOf },
      ...(to === undefined ? {} : { to }),
    });
  }
}

const UNREADABLE: Channel = {
  kind: "email",
  deliver: async () => ({ kind: "failed", reason: "secret_key_differs", retry: true }),
};

export type MailServer = Pick<MailChannel, "host" | "port" | "tls" | "user">;

/** Why mail cannot be sent by this server: a fixed word, or `null` if it can. */
export async function whyNotMail(server: MailServer, password: string | undefined): Promise<string | null> {
  const result = await tryServer(smtpOf(server, password));
  return result.kind === "sent" ? null : result.reason;
}

function smtpOf({ host, port, tls, user }: MailServer, password: string | undefined): SmtpServer {
  return {
    ...{ host, port, isSecure: tls === "implicit", requireTls: tls === "starttls" },
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
  };
}
