/** The question to the person who pressed a button that needs more than a press. */

import type { CardField, CardQuestion } from "@holdpoint/protocol/chat";
import { explainGrantArgs, type GrantArgs, grantArgs } from "@holdpoint/protocol/gating";
import { type Ask, type Field, fieldsOf, visibleText } from "@holdpoint/protocol/rules";
import { argsOf } from "../gating/ask.ts";
import { buttonId } from "./card.ts";
import { type ChatButton, type ChatQuestion, GRANT_USES } from "./chat.ts";

export interface QuestionParts {
  readonly question: ChatQuestion;
  readonly button: ChatButton;
  /** The ask as it may leave the server. */
  readonly ask: Ask;
  /** The agent that asks. */
  readonly agent: string;
  readonly replyLength: number;
}

/** The numbers of the buttons under a question. */
export const CONFIRM = 0;
export const DECLINE = 1;

export function questionOf({ question, button, ask, agent, replyLength }: QuestionParts): CardQuestion {
  const { id } = question;
  switch (button.kind) {
    case "grant":
      return {
        ...{ id, title: "Allow similar calls", fields: [], submit: "Allow" },
        text: grantText(ask, agent, question),
        buttons: [
          { id: buttonId(id, CONFIRM), label: "Approve and allow", style: "primary" },
          { id: buttonId(id, DECLINE), label: "No", style: "default" },
        ],
      };
    case "form": {
      const fields =
        ask.form === undefined ? [] : fieldsOf(ask.form).map((field) => fieldOf(field, replyLength));
      return { id, title: "Answer", text: visibleText(ask.prompt), fields, submit: "Submit", buttons: [] };
    }
    default: {
      const isReject = "action" in button && button.action === "reject";
      const label = isReject ? "Reason" : "What should change?";
      const field: CardField = { key: "text", label, kind: "text", isRequired: true, maxLength: replyLength };
      return {
        ...{ id, fields: [field], buttons: [] },
        title: isReject ? "Reject" : "Request changes",
        text: isReject ? "Why do you reject this?" : "What should change?",
        submit: isReject ? "Reject" : "Send",
      };
    }
  }
}

/** The terms in plain words, before they count. */
function grantText(ask: Ask, agent: string, { grantUntil = 0 }: ChatQuestion): string {
  const { tool, arguments: args } = ask.context ?? {};
  // Every argument has to be equal, so there are no terms of the presser's own that could be wrong.
  const terms = args === undefined ? {} : grantArgs(argsOf(ask), {});
  const said = explainGrantArgs(terms as GrantArgs);
  const until = new Date(grantUntil).toISOString().slice(0, 16).replace("T", " ");
  const text = [
    `This approves the call and lets ${agent} call ${String(tool)} again without asking,`,
    `up to ${GRANT_USES} times until ${until} UTC, if ${said}.`,
    "You can revoke it in the console at any time.",
  ].join(" ");
  return visibleText(text);
}

function fieldOf({ key, label, type, required, hint, options, validation }: Field, most: number): CardField {
  const maxLength = Math.min(validation?.maxLength ?? most, most);
  return {
    ...{ key, label: visibleText(label), isRequired: required === true, maxLength },
    kind: type === "select" ? "choice" : type === "textarea" ? "text" : "line",
    ...(hint === undefined ? {} : { hint: visibleText(hint) }),
    ...(options === undefined
      ? {}
      : { options: options.map((option) => ({ id: option.value, label: visibleText(option.label) })) }),
  };
}
