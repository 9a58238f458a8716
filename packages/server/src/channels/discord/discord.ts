/** Discord as a chat platform: REST to send and edit, the Gateway to listen. No public address is needed. */

import { randomInt } from "node:crypto";
import { createChatApi } from "../chat/api.ts";
import type { ChatPlatform, ChatResult, PlatformFactory } from "../chat/platform.ts";
import { type GatewayInfo, newGatewayMemory, runGateway } from "./gateway.ts";
import { onIncoming } from "./inbox.ts";
import { objectAt, readDispatch, textAt } from "./read.ts";
import { renderCard } from "./render.ts";
import { createDiscordApi, type DiscordApi } from "./rest.ts";
import { DiscordSender } from "./sender.ts";

const ROOT = "https://discord.com/api";

export const discordPlatform: PlatformFactory = ({ clock, token, apiUrl = ROOT }): ChatPlatform => {
  const http = createChatApi(clock);
  const api = createDiscordApi(http, `${apiUrl}/v10`, token);
  const sender = new DiscordSender(api);
  const memory = newGatewayMemory();
  return {
    kind: "discord",
    limits: { buttons: 25, buttonLabel: 80, dialogFields: 5, replyLength: 4000 },
    identify: (signal) => sender.identify(signal),
    fits: (card) => renderCard(card) !== undefined,
    send: (card, target, options) => sender.send(card, target, options),
    edit: (ref, card, signal) => sender.edit(ref, card, signal),
    tell: ({ userId }, text, signal) => sender.tell(userId, text, signal),
    close: () => http.close(),
    async listen(handlers, signal) {
      const running = new Set<Promise<void>>();
      const inbox = { api, sender, clock, handlers };
      await runGateway(
        {
          ...{ token, clock, memory, random: () => randomInt(1000) / 1000 },
          info: (stop) => gatewayInfo(api, stop),
          onState: (state) => handlers.onState(state),
          onDispatch: (type, data) => {
            const incoming = readDispatch(type, data);
            if (incoming === undefined) return;
            // A handler that fails leaves the press unanswered: Discord tells the person, who can press again (P2).
            const work = onIncoming(incoming, inbox).catch(() => undefined);
            running.add(work);
            void work.finally(() => running.delete(work));
          },
        },
        signal,
      );
      await Promise.all(running);
    },
  };
};

async function gatewayInfo(api: DiscordApi, signal: AbortSignal): Promise<ChatResult<GatewayInfo>> {
  const reply = await api.call("GET", "/gateway/bot", undefined, { signal });
  if (reply.kind === "failed") return reply;
  const limit = objectAt(reply.value, "session_start_limit") ?? {};
  return {
    kind: "ok",
    value: {
      url: textAt(reply.value, "url") ?? "",
      remaining: Number(limit["remaining"] ?? 1),
      resetAfterMs: Number(limit["reset_after"] ?? 60_000),
    },
  };
}
