/** OpenIntent: a suspension's record and the value of a response. */

import { type Ask, actionsOf, type JsonObject } from "@holdpoint/protocol/rules";
import { openIntentTranslation } from "../../packages/server/src/openintent/face/map.ts";
import { drop, dropping, type FaceTranslation, type Loss, sent } from "./face.ts";

const { readAsk, sayAsk, readAnswer, sayAnswer } = openIntentTranslation;

function isChoice({ type }: Ask): boolean {
  return type === "approval" || type === "escalation" || type.startsWith("x-");
}

function takesSeveral({ type, select }: Ask): boolean {
  return type === "selection" && (select?.min ?? 1) > 1;
}

function isText({ form }: Ask): boolean {
  const [only, ...others] = form?.fields ?? [];
  return others.length === 0 && only?.key === "value" && ["text", "textarea"].includes(only.type);
}

const AS_CHOICE: Loss<Ask> = {
  what: "approval, escalation, types of one's own",
  instead: "`choice`: a selection of one among their actions",
  without(ask) {
    if (!isChoice(ask)) return ask;
    const options = actionsOf(ask).map(({ id, label = id, style }) => ({
      ...{ id, label },
      ...(style === undefined ? {} : { style }),
    }));
    const rest = drop(ask, "actions", "form", "responseSchema");
    return { ...rest, type: "selection", options, select: { min: 1, max: 1 } };
  },
};

const AS_FORM: Loss<Ask> = {
  what: "the options of a selection of at least two",
  instead: "`form`: any object",
  without: (ask) => (takesSeveral(ask) ? { ...drop(ask, "options", "select"), type: "input" } : ask),
};

const ONE_OF: Loss<Ask> = {
  what: "how many options may be chosen",
  instead: "`choice`: exactly one",
  without: (ask) => (ask.type === "selection" ? { ...ask, select: { min: 1, max: 1 } } : ask),
};

const NO_FIELDS: Loss<Ask> = {
  what: "the fields of a form",
  instead: "`text` for a single text called `value`, otherwise `form`: any object",
  without(ask) {
    if (ask.form === undefined) return ask;
    const { form: _form, ...rest } = ask;
    const field = { key: "value", label: "Your answer", type: "textarea", required: true } as const;
    return isText(ask) ? { ...rest, form: { fields: [field] } } : rest;
  },
};

const BOTH: Loss<Ask> = {
  what: "a confirmation with one button only, or in another order",
  instead: "`confirm`: yes and no",
  without(ask) {
    if (ask.type !== "confirmation") return ask;
    const named = actionsOf(ask);
    const find = (id: string) => named.find((action) => action.id === id);
    const yes = find("confirm") ?? { id: "confirm", label: "Yes", style: "primary" as const };
    return { ...ask, actions: [yes, find("cancel") ?? { id: "cancel", label: "No" }] };
  },
};

export const openIntent: FaceTranslation = {
  title: "OpenIntent",
  votes:
    'no words in the record; `respond` that only adds a vote gets 202 with `resolution: "pending"`, and the intent stays suspended.',
  by: "the record of a suspension, and the value of a response",
  ask(ask) {
    const back = readAsk(sent(sayAsk(ask)));
    if ("problems" in back) throw new Error(JSON.stringify(back.problems));
    return back;
  },
  askLosses: [
    AS_CHOICE,
    AS_FORM,
    ONE_OF,
    NO_FIELDS,
    BOTH,
    dropping("`response_schema`", "`form`: any object", "responseSchema"),
    {
      what: "other names for Select and Submit",
      instead: "the usual ones",
      without: (ask) => (ask.type === "confirmation" ? ask : drop(ask, "actions")),
    },
    dropping("`uses`", "once", "uses"),
  ],
  answer(answer, ask) {
    const back = readAnswer(sent(sayAnswer(answer, ask)), ask);
    return "problems" in back ? null : back;
  },
  answerLosses: [
    {
      what: "what stands beside a choice: feedback, a note, edited arguments",
      instead: "nothing through `respond`; the agent is told it in `metadata.data`",
      without(answer, ask) {
        if (answer === null || ask.type === "input" || takesSeveral(ask)) return answer;
        const { selected } = answer.data;
        const data: JsonObject = ask.type === "selection" ? { selected: selected ?? [] } : {};
        return { ...answer, data };
      },
    },
    {
      what: "what stands beside a value, where the ask is for one value only",
      instead: "the value",
      without(answer, ask) {
        if (answer === null || ask.type !== "input") return answer;
        const isOne = isText(ask) || ask.responseSchema?.["type"] === "string";
        return isOne ? { ...answer, data: { value: answer.data["value"] ?? null } } : answer;
      },
    },
    {
      what: "none or several options where one is enough",
      instead: "a list, which `respond` does not take",
      without(answer, ask) {
        const selected = answer?.data["selected"];
        const isOne = Array.isArray(selected) && selected.length === 1;
        return ask.type !== "selection" || takesSeveral(ask) || isOne ? answer : null;
      },
    },
  ],
};
