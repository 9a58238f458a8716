/**
 * One letter over one connection. The server is the operator's own choice, so no address is refused; but a password or a link
 * never crosses a network in the clear unless the operator said so.
 */

import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import type { Told } from "../channel.ts";
import { failureOf } from "../failure.ts";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte (`smtps:`); otherwise it is asked for with STARTTLS. */
  readonly isSecure: boolean;
  /** Refuse to go on without encryption. */
  readonly requireTls: boolean;
  readonly user?: string;
  readonly password?: string;
}

export interface Mail {
  /** The same over all tries, so that a mailbox can tell a repetition. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** All of them together are less than a try may take. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 5_000,
  socketTimeout: 15_000,
};

export async function sendMail(server: SmtpServer, mail: Mail, signal?: AbortSignal): Promise<Told> {
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
    await transport.sendMail({
      messageId: mail.messageId,
      from: mail.from,
      to: { name: "", address: mail.to },
      envelope: { from: mail.from.address, to: [mail.to] },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      // A long link must not be broken by whoever carries it.
      textEncoding: "base64",
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    });
    return { kind: "sent" };
  } catch (error) {
    return signal?.aborted ? { kind: "failed", reason: "stopped", retry: true } : whyFailed(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    transport.close();
    socket.cut();
  }
}

/** The connection as something that can be cut, whatever is going on over it. */
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
    this.#socket?.destroy(new Error("the line was cut"));
  }
}

/** What the other side said may quote an address or a secret, so only its number is kept. */
function whyFailed(error: unknown): Told {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  if (code === "EAUTH") return { kind: "failed", reason: "smtp_auth_failed", retry: false };
  if (code === "ETLS") return { kind: "failed", reason: "tls_failed", retry: true };
  if (typeof responseCode === "number") {
    return { kind: "failed", reason: `smtp_${responseCode}`, retry: responseCode < 500 };
  }
  if (code === "EENVELOPE") return { kind: "failed", reason: "bad_address", retry: false };
  return { kind: "failed", reason: failureOf(error), retry: true };
}
