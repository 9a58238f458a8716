/** `holdpoint channel check`: every call once against the real platform, for what no test can replace. */

import type { Card } from "@holdpoint/protocol/chat";
import type { ChatResult } from "../channels/chat/platform.ts";
import { botFrom, isChat } from "../configured.ts";
import { systemClock } from "../system/clock.ts";
import { readConfig } from "../system/config.ts";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { CliError, type Command, type Io } from "./io.ts";

const USAGE = "channel check <name> [--to <chat>]";

export const channel: Command = {
  usage: USAGE,
  summary: "Try a chat channel: who the bot is, one message, its edits",
  async run(args, io) {
    const { values, positionals } = readArgs(args, { to: { type: "string" } }, USAGE, 2);
    const [what, name] = positionals;
    if (what !== "check" || name === undefined) throw new CliError(`usage: holdpoint ${USAGE}`);
    return check(name, values.to, io);
  },
};

const CARD: Card = {
  title: "Test of this channel",
  askedBy: "holdpoint channel check",
  prompt: "This message tests the channel. Nothing is asked, and the buttons do nothing.",
  blocks: [{ label: "block", style: "code", text: "first line\nsecond line" }],
  notes: [],
  expiresAt: null,
  state: { kind: "open" },
  buttons: [{ id: "test", label: "A button", style: "primary" }],
};

const CLOSED: Card = {
  ...CARD,
  buttons: [],
  state: { kind: "closed", ending: "granted", text: "This message was edited. The channel works." },
};

async function check(name: string, to: string | undefined, io: Io): Promise<number> {
  const { channels } = readConfig(io.env, io.folder);
  const config = Object.hasOwn(channels, name) ? channels[name] : undefined;
  if (config === undefined || !isChat(config))
    throw new CliError(
      `there is no chat channel ${name} in the configuration; test one that was connected in the console on its Channels page`,
    );
  const { platform } = botFrom(name, config, io.env, systemClock);
  const chat = to ?? config.to?.[0];
  try {
    const bot = say(io, "who the bot is", await platform.identify(), (found) => `@${found.name}`);
    if (bot === undefined) return 1;
    if (chat === undefined) {
      io.out("note  no chat is configured (`to`), so no message was sent; name one with --to\n");
      return 0;
    }
    const sent = await platform.send(CARD, { kind: "chat", chat }, { key: `check-${io.now()}` });
    const ref = say(
      io,
      "send a message with a button",
      sent,
      (found) => `message ${found.message} in ${found.chat}`,
    );
    if (ref === undefined) return 1;
    const edited = say(io, "edit it and remove the button", await platform.edit(ref, CLOSED), () => "");
    return edited === undefined ? 1 : 0;
  } finally {
    await platform.close?.();
  }
}

/** The value, or `undefined` after saying what failed. A failure is a fixed code: no token can be in it. */
function say<T>(io: Io, what: string, result: ChatResult<T>, more: (value: T) => string): T | undefined {
  if (result.kind === "ok") {
    io.out(`ok    ${what} ${clean(more(result.value))}\n`.replace(/ +\n/, "\n"));
    return result.value;
  }
  io.out(`wrong ${what}: ${clean(result.error)}\n`);
  return undefined;
}
