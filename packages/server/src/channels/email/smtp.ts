/**
 * Sends one e-mail over one connection. The operator chose the server, so no address is refused. A password or a link is
 * sent without encryption only if the operator configured that.
 */

import { connect, type Socket } from "node:net";
import type { Transporter } from "nodemailer";
import type { ChannelResult } from "../channel.ts";
import { failureOf } from "../failure.ts";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps:`); otherwise STARTTLS is requested. */
  readonly isSecure: boolean;
  /** Refuses to send without TLS. */
  readonly requireTls: boolean;
  readonly user?: string;
  readonly password?: string;
}

export interface Mail {
  /** The same for all tries, so that a mailbox can deduplicate. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Together they are shorter than the time limit of one try. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 5_000,
  socketTimeout: 15_000,
};

export function sendMail(server: SmtpServer, mail: Mail, signal?: AbortSignal): Promise<ChannelResult> {
  return overSmtp(server, (transport) => transport.sendMail(messageOf(mail)), signal);
}

type Letter = Pick<Mail, "subject" | "text" | "html">;

/** Sends letters that are about no hold, such as sign-in links; the id makes the Message-ID. */
export function lettersBy(server: SmtpServer, from: Mail["from"]) {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return (to: string, { subject, text, html }: Letter, id: string): Promise<ChannelResult> =>
    sendMail(server, { messageId: `<${id}@${domain}>`, from, to, subject, text, html });
}

/** Greets the mail server, starts TLS and signs in as for a mail, and sends none. */
export function tryServer(server: SmtpServer): Promise<ChannelResult> {
  return overSmtp(server, (transport) => transport.verify());
}

function messageOf(mail: Mail) {
  return {
    messageId: mail.messageId,
    from: mail.from,
    to: { name: "", address: mail.to },
    envelope: { from: mail.from.address, to: [mail.to] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // base64 keeps mail servers from breaking a long link.
    textEncoding: "base64" as const,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  };
}

async function overSmtp(
  server: SmtpServer,
  talk: (transport: Transporter) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<ChannelResult> {
  // Loaded here, because most servers send no e-mail.
  const { createTransport } = await import("nodemailer");
  if (signal?.aborted) return { kind: "failed", reason: "stopped", retry: true };
  const { host, port, isSecure, requireTls, user, password } = server;
  const socket = new Line();
  const stop = () => socket.cut();
  signal?.addEventListener("abort", stop, { once: true });
  const transport = createTransport({
    ...TIMEOUTS,
    host,
    port,
    secure: isSecure,
    requireTLS: requireTls,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, callback) => socket.open(host, port, callback),
  });
  try {
    await talk(transport);
    return { kind: "sent" };
  } catch (error) {
    return signal?.aborted ? { kind: "failed", reason: "stopped", retry: true } : whyFailed(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    transport.close();
    socket.cut();
  }
}

/** A connection that can be closed at any time. */
class Line {
  #socket: Socket | undefined;

  open(
    host: string,
    port: number,
    done: (error: Error | null, options: { connection: Socket }) => void,
  ): void {
    const socket = connect({ host, port, timeout: TIMEOUTS.connectionTimeout });
    this.#socket = socket;
    const fail = (error: Error) => done(error, { connection: socket });
    const tooLong = () => socket.destroy(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" }));
    socket.once("error", fail);
    socket.once("timeout", tooLong);
    socket.once("connect", () => {
      socket.off("error", fail);
      socket.off("timeout", tooLong);
      done(null, { connection: socket });
    });
  }

  cut(): void {
    this.#socket?.on("error", () => undefined);
    this.#socket?.destroy(new Error("the connection was closed"));
  }
}

/** The server's response may quote an address or a secret, so only its number is kept. */
function whyFailed(error: unknown): ChannelResult {
  const { code, originalCode, responseCode } = error as Partial<
    Record<"code" | "originalCode" | "responseCode", unknown>
  >;
  if (code === "EAUTH") return { kind: "failed", reason: "smtp_auth_failed", retry: false };
  if (code === "ETLS") return { kind: "failed", reason: "tls_failed", retry: true };
  if (typeof responseCode === "number") {
    return { kind: "failed", reason: `smtp_${responseCode}`, retry: responseCode < 500 };
  }
  if (code === "EENVELOPE") return { kind: "failed", reason: "bad_address", retry: false };
  return { kind: "failed", reason: failureOf(withCode(error, originalCode)), retry: true };
}

/** nodemailer writes a code of its own over the socket's. */
function withCode(error: unknown, code: unknown): unknown {
  return typeof code === "string" ? Object.assign(new Error(code), { code }) : error;
}
