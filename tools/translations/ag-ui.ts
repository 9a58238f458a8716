/** AG-UI: what a handler's agent asks, as an interrupt on the wire, and as a proxy before it places it again. */

import {
  answerOf,
  type Interrupt,
  type InterruptAsk,
  type InterruptKind,
  interruptAnswerOf,
  interruptOf,
  placeOf,
} from "@holdpoint/protocol/agui";
import type { Hold, Place } from "@holdpoint/protocol/client";
import type { Ask, Json, JsonObject } from "@holdpoint/protocol/rules";
import { askOf as proxied } from "../../packages/server/src/agui/proxy/interrupt-codec.ts";
import { drop, dropping, type FaceTranslation, type Loss, sent } from "./face.ts";
import { seen } from "./native.ts";

const REASONS: Readonly<Record<string, string>> = {
  approval: "tool_call",
  confirmation: "confirmation",
  escalation: "holdpoint:escalation",
};
const WHERE = { key: "k", threadId: "t", runId: "r" } as const;
const ANY_OBJECT = { type: "object" } as const;

/** As the author of an agent writes it: edited arguments are offered in the schema of the payload. */
function written(ask: Ask): InterruptAsk {
  const { type, prompt: message, context: payload, options, form, responseSchema: schema } = ask;
  const edits = { approved: { type: "boolean" }, editedArgs: schema ?? ANY_OBJECT };
  const responseSchema =
    type === "approval" && schema !== undefined
      ? { ...ANY_OBJECT, properties: edits, required: ["approved"] }
      : schema;
  const kind = (type.startsWith("x-") ? "input" : type) as InterruptKind;
  return sent({
    reason: REASONS[type] ?? "input_required",
    kind,
    message,
    payload,
    options,
    form,
    responseSchema,
  }) as InterruptAsk;
}

function held(place: Place): Hold {
  const { type, prompt, context, options, select, form, responseSchema, metadata } = place;
  const ask = sent({ type, prompt, context, options, select, form, responseSchema }) as unknown as Ask;
  return { ...seen(ask), ...(metadata === undefined ? {} : { metadata }) } as Hold;
}

function askedIn({ type, prompt, context, options, form, responseSchema }: Place): Ask {
  return sent({ type, prompt, context, options, form, responseSchema }) as unknown as Ask;
}

const AS_SCHEMA: Loss<Ask> = {
  what: "options: labels, descriptions, how many",
  instead: "`input`, with the schema of a list of their ids",
  without(ask) {
    if (ask.type !== "selection") return ask;
    const items = { enum: (ask.options ?? []).map(({ id }) => id) };
    const properties = { selected: { type: "array", items, minItems: 1 } };
    const responseSchema: JsonObject = { type: "object", properties, required: ["selected"] };
    return { ...drop(ask, "options", "select", "actions"), type: "input", responseSchema };
  },
};

const NO_FIELDS: Loss<Ask> = {
  what: "the fields of a form",
  instead: "the schema of any object",
  without(ask) {
    if (ask.type !== "input" || ask.form === undefined) return ask;
    const { responseSchema = ANY_OBJECT } = ask;
    return { ...drop(ask, "form"), responseSchema };
  },
};

export const agUi: FaceTranslation = {
  title: "AG-UI",
  votes:
    "no words; a resume that only adds votes ends its run on the same open interrupts again. Votes of an app's users have the strength `link`.",
  by: "an interrupt and the payload of a resume, as a proxy reads what a handler writes",
  ask(ask) {
    const interrupt = interruptOf(held(placeOf(written(ask), WHERE)));
    return askedIn(placeOf(proxied(sent(interrupt) as Interrupt, 0, {}), WHERE));
  },
  askLosses: [
    {
      what: "types of one's own",
      instead: "`input`",
      without: (ask) => (ask.type.startsWith("x-") ? { ...drop(ask, "actions"), type: "input" } : ask),
    },
    AS_SCHEMA,
    NO_FIELDS,
    dropping("`actions`: fewer, or under other names", "those of the type", "actions"),
    dropping("`uses`", "once", "uses"),
  ],
  answer(answer, ask) {
    const hold = held(placeOf(written(ask), WHERE));
    const by = { kind: "key", id: "k" } as const;
    const outcome = { kind: "decided", ...answer, by, door: "rest", at: "" } as Hold["outcome"];
    const told = interruptAnswerOf({ ...hold, status: "decided", outcome } as Hold);
    const read = answerOf(hold, told?.status === "resolved" ? (sent(told.payload) as Json) : undefined);
    return read.ok ? read.answer : null;
  },
  answerLosses: [
    {
      what: "that changes were asked for (`edit`)",
      instead: "`approved: false`, with the feedback",
      without: (answer, { type }) =>
        type === "approval" && answer?.action === "edit" ? { ...answer, action: "reject" } : answer,
    },
    {
      what: "which action of a type of one's own",
      instead: "the data, as of an input",
      without: (answer, { type }) =>
        answer !== null && type.startsWith("x-") ? { ...answer, action: "submit" } : answer,
    },
    {
      what: "what stands beside a value, where the schema asks for no object",
      instead: "the value",
      without(answer, { type, responseSchema }) {
        const isValue =
          type === "input" || type.startsWith("x-") ? responseSchema?.["type"] === "string" : false;
        return answer !== null && isValue
          ? { ...answer, data: { value: answer.data["value"] ?? null } }
          : answer;
      },
    },
  ],
};
