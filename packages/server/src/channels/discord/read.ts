/** What Discord's Gateway dispatches, as far as it concerns us. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { ChatAccount, MessageRef } from "../chat/platform.ts";

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly application: string;
}

export type Incoming =
  | {
      readonly kind: "press";
      readonly interaction: Interaction;
      readonly button: string;
      readonly message: MessageRef;
      /** The message was shown to one person only. */
      readonly isEphemeral: boolean;
      readonly by: ChatAccount;
    }
  | {
      readonly kind: "submission";
      readonly interaction: Interaction;
      readonly question: string;
      readonly values: Readonly<Record<string, string>>;
      readonly by: ChatAccount;
    }
  | {
      readonly kind: "direct";
      readonly id: string;
      readonly chat: string;
      readonly text: string;
      readonly by: ChatAccount;
    };

/** Custom ids of our modals begin with this. */
export const MODAL = "q:";
const EPHEMERAL = 64;

export function readDispatch(type: string, data: JsonObject): Incoming | undefined {
  if (type === "INTERACTION_CREATE") return readInteraction(data);
  return type === "MESSAGE_CREATE" ? readMessage(data) : undefined;
}

function readInteraction(event: JsonObject): Incoming | undefined {
  const id = textAt(event, "id");
  const token = textAt(event, "token");
  const application = textAt(event, "application_id");
  const data = objectAt(event, "data");
  const customId = textAt(data ?? {}, "custom_id");
  const by = accountOf(objectAt(objectAt(event, "member") ?? {}, "user") ?? objectAt(event, "user"));
  if (id === undefined || token === undefined || application === undefined) return undefined;
  if (data === undefined || customId === undefined || by === undefined) return undefined;
  const interaction = { id, token, application };
  if (event["type"] === 5 && customId.startsWith(MODAL)) {
    return {
      kind: "submission",
      interaction,
      question: customId.slice(MODAL.length),
      values: valuesOf(data),
      by,
    };
  }
  const message = objectAt(event, "message");
  const messageId = textAt(message ?? {}, "id");
  const chat = textAt(event, "channel_id") ?? textAt(message ?? {}, "channel_id");
  if (event["type"] !== 3 || messageId === undefined || chat === undefined) return undefined;
  const isEphemeral = (Number(message?.["flags"] ?? 0) & EPHEMERAL) !== 0;
  return {
    kind: "press",
    interaction,
    button: customId,
    message: { chat, message: messageId },
    isEphemeral,
    by,
  };
}

/** Rows of text inputs as they were, and labels with one component as they are now. */
function valuesOf(data: JsonObject): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const row of objectsIn(data["components"])) {
    for (const field of [objectAt(row, "component"), ...objectsIn(row["components"])]) {
      const key = textAt(field ?? {}, "custom_id");
      const chosen: unknown = Array.isArray(field?.["values"]) ? field["values"][0] : undefined;
      const value = textAt(field ?? {}, "value") ?? (typeof chosen === "string" ? chosen : undefined);
      if (key !== undefined && value !== undefined && value !== "") values.set(key, value);
    }
  }
  return Object.fromEntries(values);
}

/** A message of a person to the bot: only direct ones come in, because no other intent is asked for. */
function readMessage(event: JsonObject): Incoming | undefined {
  const id = textAt(event, "id");
  const chat = textAt(event, "channel_id");
  const text = textAt(event, "content");
  const by = accountOf(objectAt(event, "author"));
  if (id === undefined || chat === undefined || text === undefined || by === undefined) return undefined;
  if (by.isBot === true || "guild_id" in event) return undefined;
  return { kind: "direct", id, chat, text, by };
}

function accountOf(user: JsonObject | undefined): ChatAccount | undefined {
  const userId = textAt(user ?? {}, "id");
  if (user === undefined || userId === undefined) return undefined;
  const name = textAt(user, "global_name") ?? textAt(user, "username") ?? userId;
  return { userId, name, ...(user["bot"] === true ? { isBot: true as const } : {}) };
}

export function objectAt(value: JsonObject, key: string): JsonObject | undefined {
  const found = value[key];
  return isObject(found) ? (found as JsonObject) : undefined;
}

export function textAt(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === "string" ? found : undefined;
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isObject(each)) : [];
}
