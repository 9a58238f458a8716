/** The direct chats of people with a bot. A platform opens one by a call of its own, so they are remembered. */

import type { ChatResult } from "./platform.ts";

/** How many are kept in memory. */
const CHATS_MAX = 1000;

export class DirectChats {
  readonly #chats = new Map<string, string>();

  async of(userId: string, open: () => Promise<ChatResult<string>>): Promise<ChatResult<string>> {
    const known = this.#chats.get(userId);
    if (known !== undefined) return { kind: "ok", value: known };
    const opened = await open();
    if (opened.kind === "failed") return opened;
    if (this.#chats.size >= CHATS_MAX) this.#chats.clear();
    this.#chats.set(userId, opened.value);
    return opened;
  }
}
