/** E-mail channels that were connected in the console: how they are made, tried, and used for sign-in links. */

import type { Channel } from "./channels/channel.ts";
import { readSender } from "./channels/email/address.ts";
import { emailChannel } from "./channels/email/channel.ts";
import { lettersBy, type SmtpServer, tryServer } from "./channels/email/smtp.ts";
import type { SendLetter } from "./identity/email-sign-in.ts";
import type { MailChannel } from "./kernel/server/mail-channel.ts";
import { LiveChannels, type MadeChannel, UNREADABLE_REASON } from "./live-channels.ts";
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

interface Mail extends MailState {
  readonly madeAt: number;
  /** Absent: this server cannot read the password. */
  readonly send?: SendLetter;
}

export class LiveMail {
  readonly #options: LiveMailOptions;
  readonly #made: LiveChannels<MailChannel, Mail>;

  constructor(options: LiveMailOptions) {
    this.#options = options;
    this.#made = new LiveChannels(options.channels, (row) => this.#make(row));
  }

  has(name: string): boolean {
    return this.#made.has(name);
  }

  states(): readonly MailState[] {
    return this.#made.states().map(({ send: _send, madeAt: _madeAt, ...state }) => state);
  }

  use(rows: readonly MailChannel[]): void {
    this.#made.use(rows);
  }

  /** The channel of this name; without a name the one that was connected first, so that another one changes nothing. */
  letters(name: string | undefined): SendLetter | undefined {
    const mails = this.#made.states().toSorted((a, b) => a.madeAt - b.madeAt || (a.name < b.name ? -1 : 1));
    return mails.find(({ name: own, send }) => send !== undefined && (name ?? own) === own)?.send;
  }

  #make(row: MailChannel): MadeChannel<Mail> {
    const { sealer, addressOf = () => undefined } = this.#options;
    const { password: sealed, ...shown } = row;
    const from = readSender(row.from);
    if (from === null) throw new Error(`Invariant: the e-mail channel ${row.name} has no sender`);
    const password = sealed === undefined ? undefined : sealer.open(sealed, row.name);
    if (sealed !== undefined && password === undefined)
      return { channel: null, state: { ...shown, error: UNREADABLE_REASON } };
    const server = smtpOf(row, password);
    const [to] = row.to;
    const channel = emailChannel({ server, from, addressOf, ...(to === undefined ? {} : { to }) });
    return { channel, state: { ...shown, send: lettersBy(server, from) } };
  }
}

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
