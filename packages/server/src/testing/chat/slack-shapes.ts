/** The objects that Slack's Web API and its payloads are made of. */

import { randomUUID } from "node:crypto";

type Json = Readonly<Record<string, unknown>>;
export type Answer = Json & { readonly ok: boolean };

export const APP = "A0HOLDPOINT";
export const TEAM = "T0HOME";
export const BOT_USER = "U0BOT";

export interface SlackUser {
  readonly id: string;
  readonly name: string;
  readonly team_id: string;
  readonly email?: string;
  /** `false`: the person has not shown Slack that the address is theirs. */
  readonly is_email_confirmed?: boolean;
  readonly is_bot?: boolean;
  /** A guest of many channels, or of one. */
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly deleted?: boolean;
}

export interface SlackChannel {
  readonly id: string;
  readonly name: string;
  readonly members: Set<string>;
  readonly is_im?: boolean;
  is_archived?: boolean;
}

export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly thread_ts?: string;
  /** Only this user sees it. */
  readonly ephemeralFor?: string;
  text: string;
  blocks: readonly Json[];
  edited?: boolean;
}

export interface SlackView {
  readonly id: string;
  readonly user: string;
  readonly view: Json;
  hash: string;
}

export function ok(members: Json): Answer {
  return { ok: true, ...members };
}

export function refused(error: string): Answer {
  return { ok: false, error };
}

export function isAt(message: SlackMessage, { channel, ts }: Json): boolean {
  return message.channel === channel && message.ts === ts;
}

/** Slack's clients send forms whose structured members are JSON; a JSON body is taken as it is. */
export function decoded(params: Json): Json {
  const structured = ["blocks", "view", "attachments", "metadata"];
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      structured.includes(name) && typeof value === "string" ? parsed(value) : value,
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function withIds(blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => ({ block_id: randomUUID().slice(0, 5), ...block }));
}

export function elementsOf(
  blocks: readonly Json[],
): readonly { readonly block: string; readonly element: Json }[] {
  return blocks.flatMap((block) => {
    const elements = [
      ...((block["elements"] ?? []) as readonly Json[]),
      block["accessory"] as Json | undefined,
    ];
    return elements
      .filter((element) => element !== undefined)
      .map((element) => ({ block: String(block["block_id"]), element }));
  });
}

export function stateOf(element: Json, value: string | readonly string[] | undefined): Json {
  const type = String(element["type"]);
  const options = (element["options"] ?? []) as readonly Json[];
  const option = (id: string) => options.find((each) => each["value"] === id) ?? null;
  if (type === "checkboxes" || type === "multi_static_select") {
    return { type, selected_options: [value ?? []].flat().map(option) };
  }
  if (type === "static_select" || type === "radio_buttons") {
    return { type, selected_option: value === undefined ? null : option(String(value)) };
  }
  if (type === "datepicker") return { type, selected_date: value ?? null };
  return { type, value: value ?? null };
}

export function describe(channel: SlackChannel): Json {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.is_im !== true,
    is_im: channel.is_im === true,
    is_archived: channel.is_archived === true,
    is_member: channel.members.has(BOT_USER),
    num_members: channel.members.size,
  };
}

export function profileOf(user: SlackUser): Json {
  return {
    id: user.id,
    team_id: user.team_id,
    name: user.name,
    real_name: user.name,
    deleted: user.deleted === true,
    is_bot: user.is_bot === true,
    is_restricted: user.is_restricted === true || user.is_ultra_restricted === true,
    is_ultra_restricted: user.is_ultra_restricted === true,
    ...(user.team_id === TEAM ? {} : { is_stranger: true }),
    tz: "Europe/Berlin",
    is_email_confirmed: user.is_email_confirmed !== false,
    profile: { real_name: user.name, display_name: user.name, ...(user.email ? { email: user.email } : {}) },
  };
}
