/** Makes commands from requests. The kernel turns relative times into absolute ones, with the time of the batch. */

import type { PlaceIn } from "@holdpoint/protocol";
import { type Ask, normaliseAsk, parseDuration } from "@holdpoint/protocol/rules";
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
  const expires = expiryOf(place);
  const onTimeout = defaultOf(place.on_timeout);
  return {
    ...made,
    ...pick("key", place.key ?? key),
    ask: askOf(place),
    ...pick("expires", expires),
    ...pick("onTimeout", onTimeout),
    rungs: rungsOf(place),
    links: linksOf(place),
    ...pick("answerers", place.answerers),
    ...pick("decision", place.decision),
    ...(place.withhold_sensitive === true ? { withholdSensitive: true as const } : {}),
    ...pick("previous", place.previous),
    ...pick("after", place.after),
    ...pick("callbackUrl", place.callback_url),
    ...(place.intent_id === undefined ? {} : { attachedTo: { domain: INTENT, id: place.intent_id } }),
    ...pick("threadId", place.thread_id),
    ...pick("metadata", place.metadata),
    ...(place.hitl_case === true ? { face: { name: HITL_FACE } } : {}),
  };
}

export function askOf(place: PlaceIn): Ask {
  return normaliseAsk({
    type: place.type,
    prompt: place.prompt,
    ...pick("context", place.context),
    ...pick("options", place.options),
    ...pick("select", place.select),
    ...pick("form", place.form),
    ...pick("responseSchema", place.response_schema),
    ...pick("actions", place.actions),
    ...pick("uses", place.uses),
  } as Ask);
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
