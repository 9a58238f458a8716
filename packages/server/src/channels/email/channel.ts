/** Tells people by e-mail, each with a link of their own. */

import type { Channel, Told } from "../channel.ts";
import { isAddress } from "./address.ts";
import { letterOf } from "./letter.ts";
import { type Mail, type SmtpServer, sendMail } from "./smtp.ts";

export interface EmailChannelConfig {
  readonly server: SmtpServer;
  readonly from: Mail["from"];
  /** Who gets what is addressed to nobody. */
  readonly to?: string;
  /** Address of a person known by name. */
  readonly addressOf: (name: string) => string | undefined;
}

export function emailChannel({ server, from, to, addressOf }: EmailChannelConfig): Channel {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    kind: "email",
    async deliver(notice, signal): Promise<Told> {
      const recipient = notice.recipient ?? to;
      if (recipient === undefined) return { kind: "failed", reason: "no_recipient", retry: false };
      const address = addressOf(recipient) ?? recipient;
      if (!isAddress(address)) return { kind: "failed", reason: "no_address", retry: false };
      const messageId = `<${notice.id}@${domain}>`;
      return sendMail(server, { messageId, from, to: address, ...letterOf(notice) }, signal);
    },
  };
}
