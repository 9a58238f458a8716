/** The chat channels: operators need to know whether people can be asked there. */

import { usualRecipients } from "../../../kernel/platform.ts";
import { seesDeliveries } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import type { Routes } from "../operations.ts";

export const channels = {
  async listChannels({ by }, { chats, engine }) {
    if (!seesDeliveries(by)) throw fail("not_allowed");
    const shown = chats.states().map(async ({ name, platform, listener }) => {
      const bot = (await chats.identity(name))?.name;
      return {
        ...{ name, platform, to: usualRecipients(engine.platform.notify, name) },
        ...(typeof listener === "string"
          ? { state: listener }
          : { state: "failed" as const, reason: listener.error }),
        ...(bot === undefined ? {} : { bot }),
      };
    });
    return { status: 200, body: { channels: await Promise.all(shown) } };
  },
} satisfies Routes;
