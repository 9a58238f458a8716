/** Chats as doors: the platforms' fakes, somebody who lives in each of them, and the button that they press. */

import { setImmediate } from "node:timers/promises";
import type { ChatBots } from "../../packages/server/src/channels/chat/bot.ts";
import { SYSTEM } from "../../packages/server/src/kernel/principal.ts";
import type { Acted, ChatDriver, Shown } from "../../packages/server/src/testing/chat/chat-driver.ts";
import { discordDriver } from "../../packages/server/src/testing/chat/discord-driver.fixture.ts";
import { slackDriver } from "../../packages/server/src/testing/chat/slack-driver.fixture.ts";
import { telegramDriver } from "../../packages/server/src/testing/chat/telegram-driver.fixture.ts";
import type { ManualClock } from "../../packages/server/src/testing/manual-clock.ts";
import type { Door, Said } from "./doors.ts";
import type { Placed } from "./placements.ts";
import type { Site, World } from "./world.ts";

export type ChatKind = ChatDriver["kind"];
export type Chats = Readonly<Record<ChatKind, ChatDriver>>;

export const CHAT_KINDS: readonly ChatKind[] = ["telegram", "slack", "discord"];

export async function openChats(clock: ManualClock): Promise<Chats> {
  const now = () => clock.now();
  const [telegram, slack, discord] = await Promise.all([
    telegramDriver(now),
    slackDriver(now),
    discordDriver(now),
  ]);
  return { telegram, slack, discord };
}

/** Each server has bots of its own with the same tokens. */
export function botsAt(chats: Chats, clock: ManualClock): ChatBots {
  const bot = (kind: ChatKind) => ({
    ...{ name: kind, platform: chats[kind].platform(clock) },
    ...{ isFull: true, isAlways: false, isByEmail: false },
  });
  return { telegram: bot("telegram"), slack: bot("slack"), discord: bot("discord") };
}

/** One person a chat, who prefers it and has an account there. */
export async function addChatPeople({ test: { server } }: Site, chats: Chats): Promise<void> {
  const base = { workspace: "default", by: SYSTEM } as const;
  for (const kind of CHAT_KINDS) {
    const id = personIn(kind);
    const person = { id, name: `Ada on ${kind}`, isVerified: true, source: "api", teams: [] } as const;
    const preferred = { role: "operator", preferredChannel: kind } as const;
    await server.engine.run({ ...base, kind: "add_person", person: { ...person, ...preferred } });
    const account = { platform: kind, ...chats[kind].accounts.ada };
    await server.engine.run({ ...base, kind: "link_account", personId: id, account });
  }
}

export function chatDoor(kind: ChatKind): Door {
  const buttons = new Map<string, () => Acted>();
  return {
    cost: "chat",
    late: {
      decided: /Somebody has already answered this request\./,
      expired: /The time to answer is over\./,
      cancelled: /Somebody has already answered this request\./,
    },
    prepare: async (world, placed) => {
      const message = await messageAbout(world, placed, kind);
      buttons.set(placed.holdId, world.chats[kind].keepButton("ada", message, placed.yes.button));
    },
    answer: async (world, { holdId }) => {
      await until(world, () => world.chats[kind].isListening());
      const said = await (buttons.get(holdId) as () => Acted)().told;
      return /^(Approved|Your answer was recorded)\.$/.test(said) ? "accepted" : (said as Said);
    },
  };
}

/** An operator asks the person who lives in this chat. */
async function messageAbout(world: World, { holdId, prompt }: Placed, kind: ChatKind): Promise<Shown> {
  const body = { to: personIn(kind) };
  const { status } = await world.placing.call("POST", `/v1/holds/${holdId}/assign`, "admin", body);
  if (status !== 200) throw new Error(`not assigned: ${status}`);
  const found = () => messagesAbout(world, prompt, kind).at(-1);
  await until(world, () => found() !== undefined);
  return found() as Shown;
}

export function messagesAbout({ chats }: World, prompt: string, kind: ChatKind): readonly Shown[] {
  return chats[kind].shown("ada").filter(({ text }) => text.includes(prompt));
}

/** The network has to answer; a connection that was given up comes back with the clock. */
async function until({ clock }: World, test: () => boolean): Promise<void> {
  for (let turns = 1; !test(); turns += 1) {
    if (turns % 200 === 0) await clock.advance(250);
    await setImmediate();
  }
}

function personIn(kind: ChatKind): string {
  return `ada-${kind}`;
}
