/**
 * Long polling. Asking for the next updates confirms the ones before, so an update is handled, and with that committed, before the
 * offset moves past it. A server that dies in between gets the update again.
 */

import type { Clock } from "../../system/clock.ts";
import type { ChatHandlers } from "../chat/platform.ts";
import { type Answering, answerPress, answerReply } from "./answers.ts";
import { plainFailure, type TelegramClient } from "./client.ts";
import { readUpdate } from "./updates.ts";

const WAIT_MS = { least: 1_000, most: 30_000 };
/** Another program polls with the same token, or the token is refused: asking often would not help. */
const REFUSED_MS = 30_000;

export async function listen(
  client: TelegramClient,
  handlers: ChatHandlers,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let offset: number | undefined;
  let failures = 0;
  let botId: string | undefined;
  while (!signal.aborted) {
    if (botId === undefined) {
      botId = await whoAmI(client, signal);
      if (botId !== undefined) handlers.onState("connected");
    }
    const got = botId === undefined ? undefined : await client.getUpdates(offset, signal);
    if (signal.aborted) return;
    if (got?.kind !== "ok" || botId === undefined) {
      failures += 1;
      if (got?.kind === "failed") handlers.onState(plainFailure(got));
      await pause(waitMs(got?.kind === "failed" ? got.error : "", failures), clock, signal);
      continue;
    }
    handlers.onState("connected");
    const answering = { client, handlers, signal };
    for (const update of got.value) {
      const id = Number(update["update_id"]);
      const isDone = await handle(update, botId, answering);
      failures = isDone ? 0 : failures + 1;
      if (!isDone) {
        await pause(waitMs("", failures), clock, signal);
        break;
      }
      offset = Math.max(id + 1, offset ?? 0);
    }
  }
}

async function whoAmI(client: TelegramClient, signal: AbortSignal): Promise<string | undefined> {
  const me = await client.getMe(signal);
  return me.kind === "ok" ? String(me.value["id"]) : undefined;
}

/** `false`: it is not committed, and must come again. */
async function handle(
  update: Parameters<typeof readUpdate>[0],
  botId: string,
  answering: Answering,
): Promise<boolean> {
  const inbound = readUpdate(update, botId);
  if (inbound === undefined) return true;
  const { handlers } = answering;
  try {
    switch (inbound.kind) {
      case "press":
        await answerPress(inbound.press, await handlers.onPress(inbound.press), answering);
        break;
      case "reply":
        await answerReply(inbound.reply, await handlers.onReply(inbound.reply), answering);
        break;
      case "direct":
        await answerReply(
          { by: inbound.text.by, chat: inbound.text.by.userId, isPrivate: true },
          await handlers.onDirect(inbound.text),
          answering,
        );
        break;
    }
    return true;
  } catch {
    return false;
  }
}

function waitMs(error: string, failures: number): number {
  if (error === "other_poller" || error === "webhook_set" || error === "bad_token") return REFUSED_MS;
  return Math.min(WAIT_MS.least * 2 ** (failures - 1), WAIT_MS.most);
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + ms, () => end());
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
