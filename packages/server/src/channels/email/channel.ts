/** Notifies people by e-mail, each with their own link. */

import { escapeHtml } from "@holdpoint/protocol/rules";
import type { Channel, ChannelResult } from "../channel.ts";
import { isAddress } from "./address.ts";
import { letterOf } from "./letter.ts";
import { type Mail, type SmtpServer, sendMail } from "./smtp.ts";

export interface EmailChannelConfig {
  readonly server: SmtpServer;
  readonly from: Mail["from"];
  /** The default recipient for notices without one. */
  readonly to?: string;
  /** The address of a configured person. */
  readonly addressOf: (name: string) => string | undefined;
}

export function emailChannel({ server, from, to, addressOf }: EmailChannelConfig): Channel {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    kind: "email",
    async deliver(notice, signal): Promise<ChannelResult> {
      const recipient = notice.recipient ?? to;
      if (recipient === undefined) return { kind: "failed", reason: "no_recipient", retry: false };
      const address = addressOf(recipient) ?? recipient;
      if (!isAddress(address)) return { kind: "failed", reason: "no_address", retry: false };
      const messageId = `<${notice.id}@${domain}>`;
      return sendMail(server, { messageId, from, to: address, ...letterOf(notice) }, signal);
    },
    async tell({ id, to: address, subject, text }, signal): Promise<ChannelResult> {
      if (!isAddress(address)) return { kind: "failed", reason: "no_address", retry: false };
      const html = `<p>${escapeHtml(text)}</p>`;
      return sendMail(
        server,
        { messageId: `<${id}@${domain}>`, from, to: address, subject, text, html },
        signal,
      );
    },
  };
}
