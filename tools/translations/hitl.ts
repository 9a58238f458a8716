/** HITL twice: as our own members on opening a case have it, and as the protocol's object shows it to anybody else. */

import { caseContext, casePrompt } from "@holdpoint/protocol/hitl/case";
import { type Ask, isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { type CaseAsk, hitlTranslation } from "../../packages/server/src/faces/hitl/map.ts";
import { dropping, type FaceTranslation, type Loss, sent } from "./face.ts";
import { seen } from "./native.ts";

const { readAsk, sayAsk, readAnswer, sayAnswer } = hitlTranslation;

function read(words: CaseAsk): Ask {
  const ask = readAsk(sent(words));
  if ("problems" in ask) throw new Error(JSON.stringify(ask.problems));
  return ask;
}

const NO_SCHEMA = dropping("`response_schema`", "nothing; a form can be said", "responseSchema");
const NO_USES = dropping("`uses`", "once", "uses");

const answers = {
  answer: (answer, ask) => {
    const back = readAnswer(sent(sayAnswer(answer, ask)), ask);
    return "problems" in back ? null : back;
  },
  answerLosses: [],
} satisfies Pick<FaceTranslation, "answer" | "answerLosses">;

export const hitlCase: FaceTranslation = {
  title: "HITL, opening a case",
  votes:
    "a case cannot ask for them; `decision` is placed natively. An answer that only adds a vote gets 202 `in_progress`, with how many have agreed.",
  by: "`POST /hitl/v1/cases`, with the members that Holdpoint adds to the protocol's",
  ask: (ask) => read(sayAsk(ask)),
  askLosses: [NO_SCHEMA, NO_USES],
  ...answers,
};

const PLAIN_OPTIONS: Loss<Ask> = {
  what: "an option's `style`",
  instead: "the usual one",
  without: (ask) =>
    ask.options === undefined
      ? ask
      : { ...ask, options: ask.options.map(({ style: _style, ...option }) => option) },
};

const SHORT: Loss<Ask> = {
  what: "a prompt beyond 500 characters",
  instead: "its beginning and …; the page shows all of it",
  without: (ask) => ({ ...ask, prompt: casePrompt(ask.prompt) }),
};

export const hitlObject: FaceTranslation = {
  title: "HITL, the protocol's own object",
  votes: "no words; the case stays pending until the decision is met.",
  by: "the `hitl` object of a 202, read as a case",
  ask(ask) {
    const hold = seen(ask);
    const context = caseContext(hold);
    const back = read({ type: ask.type, prompt: casePrompt(hold.prompt), context } as CaseAsk);
    // Options are said as items; that they stand in the context too adds nothing.
    if (ask.type !== "selection" || !isObject(back.context ?? null)) return back;
    const { items: _items, ...others } = back.context as JsonObject;
    return { ...back, context: others };
  },
  askLosses: [
    SHORT,
    NO_SCHEMA,
    NO_USES,
    dropping("`select`", "one or more", "select"),
    dropping("`actions`: fewer, or under other names", "those of the type", "actions"),
    PLAIN_OPTIONS,
  ],
  ...answers,
};
