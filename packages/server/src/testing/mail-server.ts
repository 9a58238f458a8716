/** A real SMTP server on loopback that keeps what it is sent and answers as the test says. */

import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  /** By lower-case name, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

export interface MailServerOptions {
  /** Accepts mail only from clients with these credentials. */
  readonly login?: { readonly user: string; readonly password: string };
}

export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Refuses with this code as long as it is set; `hang` never answers. */
  refuse: number | "hang" | undefined;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  readonly #server: SMTPServer;

  private constructor({ login }: MailServerOptions) {
    this.#server = new SMTPServer({
      disabledCommands: login === undefined ? ["AUTH", "STARTTLS"] : ["STARTTLS"],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        username === login?.user && password === login?.password
          ? done(null, { user: username })
          : done(new Error("wrong")),
      onRcptTo: (address, _session, done) => {
        if (this.refuse === "hang") return;
        done(this.refuse === undefined ? null : failure(this.refuse, address.address));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.#keep({
            from: mailFrom === false ? "" : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            ...readMail(Buffer.concat(chunks).toString("utf8")),
          });
          done();
        });
      },
    });
    // A client that goes away in the middle is the client's business.
    this.#server.on("error", () => undefined);
  }

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const mail = new MailServer(options);
    await new Promise<void>((resolve) => {
      mail.#server.listen(0, "127.0.0.1", resolve);
    });
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Resolves once `count` mails have come in altogether. */
  received(count: number): Promise<void> {
    if (this.mails.length >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #keep(mail: ReceivedMail): void {
    this.mails.push(mail);
    for (const waiter of this.#waiting.filter(({ count }) => count <= this.mails.length)) waiter.resolve();
    this.#waiting = this.#waiting.filter(({ count }) => count > this.mails.length);
  }
}

function failure(responseCode: number, quoted: string): Error {
  return Object.assign(new Error(`no mail for ${quoted}`), { responseCode });
}

function readMail(raw: string): Pick<ReceivedMail, "headers" | "text" | "html"> {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).map((part) => part.trimStart());
  const of = (type: string) => {
    const part = parts.map(split).find((each) => each.headers["content-type"]?.startsWith(type));
    return part === undefined ? "" : decoded(part);
  };
  return { headers, text: of("text/plain"), html: of("text/html") };
}

function split(raw: string): { readonly headers: Record<string, string>; readonly body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ");
  const headers = head.split("\r\n").map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) };
}

/** RFC 2047 words. */
function words(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      how.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString("utf8")
        : unquoted(word.replaceAll("_", " ")),
    );
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=\r\n/g, "").replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replaceAll(/%(?![0-9A-F]{2})/g, "%25"));
}

function decoded({ headers, body }: ReturnType<typeof split>): string {
  const how = headers["content-transfer-encoding"];
  if (how === "base64") return Buffer.from(body, "base64").toString("utf8");
  return how === "quoted-printable" ? unquoted(body) : body;
}
