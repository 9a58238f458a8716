/** What Slack sends over a socket, as far as it concerns us. Everything else is acknowledged and ignored. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { MessageRef } from "../chat/platform.ts";
import { CALLBACK } from "./render.ts";

export interface SlackUserRef {
  readonly id: string;
  readonly team: string;
  readonly name: string;
}

export type Incoming =
  | {
      readonly kind: "press";
      readonly id: string;
      readonly button: string;
      readonly message: MessageRef;
      readonly user: SlackUserRef;
      readonly trigger: string;
    }
  | {
      readonly kind: "submission";
      readonly id: string;
      readonly question: string;
      /** Where the button was pressed. */
      readonly chat: string;
      readonly values: Readonly<Record<string, string>>;
      readonly user: SlackUserRef;
      readonly title: string;
    }
  | {
      readonly kind: "direct";
      readonly id: string;
      readonly chat: string;
      readonly text: string;
      readonly user: SlackUserRef;
    };

/** `team` is the bot's own. */
export function readEnvelope(envelope: JsonObject, team: string): Incoming | undefined {
  const payload = objectAt(envelope, "payload");
  if (payload === undefined) return undefined;
  if (envelope["type"] === "events_api") return readEvent(payload, team);
  if (envelope["type"] !== "interactive") return undefined;
  if (payload["type"] === "block_actions") return readAction(payload, team);
  return payload["type"] === "view_submission" ? readSubmission(payload, team) : undefined;
}

function readAction(payload: JsonObject, team: string): Incoming | undefined {
  const action = first(payload["actions"]);
  const container = objectAt(payload, "container");
  const user = userOf(payload, team);
  // The button that opens a link sends an event too.
  if (action === undefined || container === undefined || user === undefined || "url" in action)
    return undefined;
  const chat = textAt(container, "channel_id");
  const message = textAt(container, "message_ts");
  const button = textAt(action, "action_id");
  const time = textAt(action, "action_ts");
  if (chat === undefined || message === undefined || button === undefined || time === undefined)
    return undefined;
  return {
    kind: "press",
    id: `${chat}/${message}/${user.team}/${user.id}/${time}`,
    button,
    message: { chat, message, tenant: team },
    user,
    trigger: textAt(payload, "trigger_id") ?? "",
  };
}

function readSubmission(payload: JsonObject, team: string): Incoming | undefined {
  const view = objectAt(payload, "view");
  const user = userOf(payload, team);
  const trigger = textAt(payload, "trigger_id");
  if (view?.["callback_id"] !== CALLBACK || user === undefined || trigger === undefined) return undefined;
  const place = placeIn(textAt(view, "private_metadata") ?? "");
  if (place === undefined) return undefined;
  const title = textAt(objectAt(view, "title") ?? {}, "text") ?? "";
  // Submitted again after a mistake, a view keeps its id; its trigger does not.
  return {
    kind: "submission",
    id: `${textAt(view, "id")}/${trigger}`,
    ...place,
    values: valuesOf(view),
    user,
    title,
  };
}

function placeIn(text: string): { readonly chat: string; readonly question: string } | undefined {
  try {
    const place: unknown = JSON.parse(text);
    if (!isObject(place)) return undefined;
    const { chat, question } = place;
    return typeof chat === "string" && typeof question === "string" ? { chat, question } : undefined;
  } catch {
    return undefined;
  }
}

function valuesOf(view: JsonObject): Readonly<Record<string, string>> {
  const blocks = objectAt(objectAt(view, "state") ?? {}, "values") ?? {};
  return Object.fromEntries(
    Object.entries(blocks).flatMap(([key, block]): [string, string][] => {
      const element = isObject(block) ? objectAt(block as JsonObject, "value") : undefined;
      const option = objectAt(element ?? {}, "selected_option");
      const value = textAt(element ?? {}, "value") ?? textAt(option ?? {}, "value");
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** A message of a person to the bot. The bot's own, edits and joins have a subtype or a bot's id. */
function readEvent(payload: JsonObject, team: string): Incoming | undefined {
  const event = objectAt(payload, "event");
  if (event?.["type"] !== "message" || event["channel_type"] !== "im") return undefined;
  if ("subtype" in event || "bot_id" in event) return undefined;
  const chat = textAt(event, "channel");
  const text = textAt(event, "text");
  const ts = textAt(event, "ts");
  const id = textAt(event, "user");
  if (chat === undefined || text === undefined || ts === undefined || id === undefined) return undefined;
  const user = { id, team: textAt(event, "user_team") ?? textAt(event, "team") ?? team, name: id };
  return { kind: "direct", id: `${chat}/${ts}`, chat, text, user };
}

function userOf(payload: JsonObject, team: string): SlackUserRef | undefined {
  const user = objectAt(payload, "user");
  const id = textAt(user ?? {}, "id");
  if (user === undefined || id === undefined) return undefined;
  return {
    id,
    team: textAt(user, "team_id") ?? team,
    name: textAt(user, "name") ?? textAt(user, "username") ?? id,
  };
}

export function objectAt(value: JsonObject, key: string): JsonObject | undefined {
  const found = value[key];
  return isObject(found) ? (found as JsonObject) : undefined;
}

export function textAt(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === "string" ? found : undefined;
}

function first(value: unknown): JsonObject | undefined {
  const found: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(found) ? (found as JsonObject) : undefined;
}
