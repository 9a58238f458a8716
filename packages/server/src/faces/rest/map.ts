/** Makes commands from requests. The kernel turns relative times into absolute ones, with the time of the batch. */

import type { PlaceIn } from "@holdpoint/protocol";
import { type Ask, type JsonObject, normaliseAsk, parseDuration } from "@holdpoint/protocol/rules";
import type { HoldIn, Moment, NewLink } from "../../kernel/hold/commands.ts";
import type { Default } from "../../kernel/hold/hold.ts";
import { HITL_FACE } from "../../kernel/hold/link.ts";
import { readAfter } from "../../kernel/hold/read-after.ts";
import { INTENT } from "../../openintent/rules/attachment.ts";
import { fail } from "../http/failure.ts";

export interface Made {
  readonly id: string;
  readonly salt: string;
  readonly newLinks: readonly NewLink[];
}

export function holdInOf(place: PlaceIn, key: string | undefined, made: Made): HoldIn {
  const named = place.key ?? key;
  const expires = expiryOf(place);
  const onTimeout = defaultOf(place.on_timeout);
  const hold: Writable<HoldIn> = { ...made, ask: askOf(place), rungs: rungsOf(place), links: linksOf(place) };
  // Assigned one by one: building a small object for each member that may be absent costs several times as much.
  if (named !== undefined) hold.key = named;
  if (expires !== undefined) hold.expires = expires;
  if (onTimeout !== undefined) hold.onTimeout = onTimeout;
  if (place.answerers !== undefined) hold.answerers = place.answerers;
  if (place.decision !== undefined) hold.decision = place.decision;
  if (place.withhold_sensitive === true) hold.withholdSensitive = true;
  if (place.previous !== undefined) hold.previous = place.previous;
  if (place.after !== undefined) hold.after = place.after;
  if (place.callback_url !== undefined) hold.callbackUrl = place.callback_url;
  if (place.intent_id !== undefined) hold.attachedTo = { domain: INTENT, id: place.intent_id };
  if (place.thread_id !== undefined) hold.threadId = place.thread_id;
  if (place.metadata !== undefined) hold.metadata = place.metadata;
  if (place.hitl_case === true) hold.face = { name: HITL_FACE };
  return hold;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

export function askOf(place: PlaceIn): Ask {
  const ask: Writable<Ask> = { type: place.type, prompt: place.prompt };
  if (place.context !== undefined) ask.context = place.context as JsonObject;
  if (place.options !== undefined) ask.options = place.options;
  if (place.select !== undefined) ask.select = place.select;
  if (place.form !== undefined) ask.form = place.form;
  if (place.response_schema !== undefined) ask.responseSchema = place.response_schema;
  if (place.actions !== undefined) ask.actions = place.actions;
  if (place.uses !== undefined) ask.uses = place.uses;
  return normaliseAsk(ask);
}

/** By default the agent gets a link, unless only named people may answer: a link without a name could not answer then. */
export function linksOf(place: PlaceIn): "agent" | "server" {
  const isForNamed = place.answerers !== undefined || place.decision !== undefined;
  return place.links ?? (isForNamed ? "server" : "agent");
}

function expiryOf(place: PlaceIn): Moment | undefined {
  if (place.until !== undefined) return { at: Date.parse(place.until) };
  return place.timeout === undefined ? undefined : { afterMs: millisOf(place.timeout, "timeout") };
}

function defaultOf(onTimeout: PlaceIn["on_timeout"]): Default | undefined {
  return typeof onTimeout === "string" ? { action: onTimeout } : onTimeout;
}

function rungsOf(place: PlaceIn): HoldIn["rungs"] {
  const attempts = (place.ladder ?? []).map((rung) => ({
    kind: "attempt" as const,
    when: "at" in rung ? { at: Date.parse(rung.at) } : afterOf(rung.after),
    ...pick("channel", rung.channel),
    ...pick("to", rung.to),
  }));
  const reminders = (place.remind_at ?? []).map((text) => ({
    kind: "reminder" as const,
    when: momentOf(text),
  }));
  return [...attempts, ...reminders];
}

function afterOf(after: string): Moment {
  return readAfter(after) ?? noDuration("ladder");
}

function momentOf(text: string): Moment {
  const afterMs = parseDuration(text);
  return afterMs === null ? { at: Date.parse(text) } : { afterMs };
}

function millisOf(duration: string, member: string): number {
  return parseDuration(duration) ?? noDuration(member);
}

function noDuration(member: string): never {
  const message = "must be longer than nothing and shorter than ten years";
  throw fail("invalid_body", "", { problems: [{ key: `/${member}`, rule: "duration", message }] });
}

function pick<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}
