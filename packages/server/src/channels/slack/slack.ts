/** Slack as a chat platform: the Web API to send and edit, Socket Mode to listen. No public address is needed. */

import { randomInt } from "node:crypto";
import type { Clock } from "../../system/clock.ts";
import { createChatApi } from "../chat/api.ts";
import { createBackoff, pause } from "../chat/backoff.ts";
import type { ChatHandlers, ChatPlatform, ChatResult, PlatformFactory } from "../chat/platform.ts";
import { onEnvelope } from "./inbox.ts";
import { textAt } from "./read.ts";
import { renderCard } from "./render.ts";
import { SlackSender } from "./sender.ts";
import { runSocketMode } from "./sockets.ts";
import { createUsers } from "./users.ts";
import { createSlackApi, type SlackApi } from "./web-api.ts";

const ROOT = "https://slack.com/api";
const random = () => randomInt(1000) / 1000;

export const slackPlatform: PlatformFactory = (parts): ChatPlatform => {
  const { clock, token, appToken = "", apiUrl = ROOT } = parts;
  const http = createChatApi(clock);
  const api = createSlackApi(http, apiUrl, token);
  const app = createSlackApi(http, apiUrl, appToken);
  const sender = new SlackSender(api);
  const users = createUsers(api, clock);
  return {
    kind: "slack",
    limits: { buttons: 25, buttonLabel: 75, dialogFields: 10, replyLength: 3000 },
    identify: (signal) => sender.identify(signal),
    fits: (card) => renderCard(card) !== undefined,
    send: (card, target, options) => sender.send(card, target, options),
    edit: (ref, card, signal) => sender.edit(ref, card, signal),
    tell: ({ userId }, text, signal) => sender.tell(userId, text, signal),
    close: () => http.close(),
    async listen(handlers, signal) {
      const team = await ownTeam(sender, handlers, clock, signal);
      if (team === undefined) return;
      const inbox = { api, sender, users, clock, handlers, team };
      await runSocketMode(
        {
          ...{ clock, random },
          onState: (state) => handlers.onState(state),
          address: (stop) => socketAddress(app, stop),
          onEnvelope: (envelope, ack) => onEnvelope(envelope, ack, inbox),
        },
        signal,
      );
    },
  };
};

async function socketAddress(app: SlackApi, signal: AbortSignal): Promise<ChatResult<string>> {
  const reply = await app.call("apps.connections.open", {}, { signal });
  return reply.kind === "failed" ? reply : { kind: "ok", value: textAt(reply.value, "url") ?? "" };
}

/** Asks until Slack answers. `undefined`: listening was stopped. */
async function ownTeam(
  sender: SlackSender,
  handlers: ChatHandlers,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const backoff = createBackoff({ firstMs: 1000, mostMs: 60_000, random });
  while (!signal.aborted) {
    const known = await sender.identify(signal);
    if (known.kind === "ok") return known.value.tenant ?? "";
    if (signal.aborted) return undefined;
    handlers.onState(known);
    if (known.error === "bad_token") throw new Error("Slack refused the bot token: bad_token");
    await pause(clock, Math.max(known.retryAfterMs ?? 0, backoff.next()), signal);
  }
  return undefined;
}
