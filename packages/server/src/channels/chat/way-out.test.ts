import type { Card, CardQuestion } from "@holdpoint/protocol/chat";
import { expect, test } from "vitest";
import { redactor } from "../../system/redact.ts";
import { redactCard, redactQuestion } from "./way-out.ts";

const redact = redactor(["secret-\\d+"]);
const button = { id: "b_1", label: "Do secret-1 …", style: "default" } as const;

test("G9 every text of a card is redacted, and its buttons keep their ids", async () => {
  const card: Card = {
    ...{ title: "secret-2", askedBy: "secret-3", prompt: "secret-4", votes: "secret-5", expiresAt: null },
    blocks: [{ label: "secret-6", style: "code", text: "secret-7" }],
    notes: ["secret-8"],
    state: { kind: "closed", ending: "granted", text: "secret-9" },
    buttons: [button],
  };
  const clean = await redactCard(card, redact);
  expect(clean).toEqual(JSON.parse(JSON.stringify(card).replaceAll(/secret-\d/g, "[redacted]")));
});

test("G9 every text of a dialog is redacted, and its fields and choices keep their names", async () => {
  const question: CardQuestion = {
    ...{ id: "q_1", title: "secret-1", text: "secret-2", submit: "secret-3", buttons: [button] },
    fields: [
      { key: "why", label: "secret-4", kind: "line", isRequired: true, hint: "secret-5" },
      {
        ...{ key: "kind", label: "Kind", kind: "choice", isRequired: false },
        options: [{ id: "a", label: "secret-6" }],
      },
    ],
  };
  const clean = await redactQuestion(question, redact);
  expect(clean).toEqual(JSON.parse(JSON.stringify(question).replaceAll(/secret-\d/g, "[redacted]")));
});
