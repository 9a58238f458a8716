/** Translates asks and answers between HITL and holds. The protocol package describes a hold as a case. */

import { FormItem, type HoldOut, readShape } from "@holdpoint/protocol";
import { fromWire, type Hold as HoldSeen } from "@holdpoint/protocol/client";
import type { CaseIn } from "@holdpoint/protocol/hitl";
import { pollBody } from "@holdpoint/protocol/hitl/case";
import {
  type Answer,
  type Ask,
  type AskType,
  isKnownType,
  isObject,
  type Json,
  type JsonObject,
  member,
  normaliseAsk,
  type Option,
  type Problem,
  sameJson,
} from "@holdpoint/protocol/rules";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Translation, Unreadable } from "../../kernel/translation.ts";
import { presentHold } from "../http/present.ts";

export type CaseAsk = Pick<CaseIn, "type" | "prompt" | "context" | "options" | "select" | "actions">;

export interface CaseAnswer {
  readonly action: string;
  readonly data?: JsonObject;
}

export const hitlTranslation: Translation<CaseAsk, CaseAnswer, JsonObject> = {
  face: "hitl",
  readAsk,
  sayAsk,
  readAnswer: ({ action, data = {} }: CaseAnswer): Answer => ({ action, data }),
  sayAnswer: ({ action, data }: Answer): CaseAnswer => ({ action, data }),
  sayEnding: (hold: Hold) => pollBody(caseOf(alone(hold), creatorOf(hold))),
};

/** The hold as input for the case mapping, with what this viewer may see. */
export function caseOf(hold: Entity<Hold>, viewer: Principal): HoldSeen {
  return fromWire("HoldOut", presentHold(hold, viewer) as HoldOut);
}

export function creatorOf({ createdBy, creatorKey }: Hold): Principal {
  return { role: "agent", via: "key", id: creatorKey, name: createdBy };
}

/** An entity around a hold, with placeholders for the row values, which the mapping does not read. */
function alone(body: Hold): Entity<Hold> {
  return { workspace: "", kind: "hold", id: body.id, version: 1, seq: 1, head: "", body };
}

/** Only these types ask a person to fill in a form; in other types a form is context to show. */
function takesForm(type: string): boolean {
  return type === "input" || !isKnownType(type);
}

function readAsk(words: CaseAsk): Ask | Unreadable {
  const { type, prompt, context = {}, select, actions } = words;
  const givenForm = member(context, "form");
  const given = givenForm === undefined ? undefined : readForm(givenForm);
  if (given !== undefined && "problems" in given) return given;
  const form = takesForm(type) ? given : undefined;
  const shown = form === undefined ? context : withoutForm(context);
  const options = words.options ?? (type === "selection" ? optionsOf(context) : undefined);
  return normaliseAsk({
    type: type as AskType,
    prompt,
    ...(Object.keys(shown).length === 0 ? {} : { context: shown }),
    ...(options === undefined ? {} : { options }),
    ...(select === undefined ? {} : { select }),
    ...(form === undefined ? {} : { form: form as NonNullable<Ask["form"]> }),
    ...(actions === undefined ? {} : { actions }),
  } as Ask);
}

function withoutForm({ form: _asked, ...others }: JsonObject): JsonObject {
  return others;
}

const AT = "/context/form";

function readForm(given: Json): FormItem | Unreadable {
  const read = readShape(FormItem, given);
  if (read.ok) return read.data;
  return { problems: read.refusal.fields.map((problem) => ({ ...problem, key: AT + problem.key })) };
}

/** HITL's pages read the items to select from `context.items`. */
function optionsOf(context: JsonObject): readonly Option[] | undefined {
  const items = member(context, "items");
  if (!Array.isArray(items)) return undefined;
  return items.filter(isObject).map((item) => {
    const id = textOf(item["id"]);
    const description = textOf(item["description"]);
    return {
      id,
      label: textOf(item["title"]) || textOf(item["label"]) || id,
      ...(description === "" ? {} : { description }),
    };
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function plain(options: readonly Option[] | undefined): Json {
  return (options ?? null) as Json;
}

function sayAsk(ask: Ask): CaseAsk {
  const { type, prompt, context, options, select, form, actions } = ask;
  const all = { ...context, ...(form === undefined ? {} : { form: form as JsonObject }) };
  const saidByItems = options !== undefined && sameJson(plain(options), plain(optionsOf(all)));
  return {
    type,
    prompt,
    ...(Object.keys(all).length === 0 ? {} : { context: all }),
    ...(options === undefined || saidByItems ? {} : { options }),
    ...(select === undefined ? {} : { select }),
    ...(actions === undefined ? {} : { actions }),
  } as CaseAsk;
}

/** Translates the paths of problems to those of the request, where the form is in the context. */
export function inCase(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) =>
    problem.key.startsWith("/form") ? { ...problem, key: `/context${problem.key}` } : problem,
  );
}
