import type { Answer, Ask, JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, it } from "vitest";
import { APPROVED, decidedHold, openHold } from "../../testing/core-samples.ts";
import { openIntentTranslation as translation } from "./map.ts";

const CHOICE: JsonObject = {
  question: "Which?",
  response_type: "choice",
  choices: [
    { value: "a", label: "A" },
    { value: "b", label: "B" },
  ],
};

function read(words: JsonObject): Ask {
  const ask = translation.readAsk(words);
  if ("problems" in ask) throw new Error(JSON.stringify(ask.problems));
  return ask;
}

describe("the translation between OpenIntent and the native hold", () => {
  it.each<[JsonObject, unknown, Answer]>([
    [CHOICE, "b", { action: "select", data: { selected: ["b"] } }],
    [{ question: "Sure?", response_type: "confirm" }, "no", { action: "cancel", data: {} }],
    [{ question: "Say?", response_type: "text" }, "words", { action: "submit", data: { value: "words" } }],
    [{ question: "Fill?", response_type: "form" }, { a: 1 }, { action: "submit", data: { a: 1 } }],
  ])(
    "L1 L2 a question and its answer are unchanged after translation and back: %j",
    (words, value, answer) => {
      const ask = read(words);
      expect(read(translation.sayAsk(ask))).toEqual(ask);
      expect(translation.readAnswer(value as never, ask)).toEqual(answer);
      expect(translation.sayAnswer(answer, ask)).toEqual(value);
    },
  );

  it("an answer that cannot be read is refused with its place and the reason", () => {
    expect(translation.readAsk({ question: "Which?" })).toMatchObject({
      problems: [{ key: "/_suspension/choices" }],
    });
    expect(translation.readAnswer("c", read(CHOICE))).toMatchObject({
      problems: [{ key: "/value", rule: "choice" }],
    });
    expect(translation.readAnswer("", read({ question: "Say?", response_type: "text" }))).toMatchObject({
      problems: [{ rule: "text" }],
    });
  });

  it("L3 G5 only an ending that a person decided names a person", () => {
    expect(translation.sayEnding(openHold())).not.toHaveProperty("resolution");
    expect(translation.sayEnding(decidedHold())).toMatchObject({
      resolution: "responded",
      response: "approve",
      responded_by: "ada",
    });
    const by = { kind: "key", id: "k", name: "ada" } as const;
    const endings = [
      openHold({ status: "expired", outcome: { kind: "expired", at: 1 } }),
      openHold({ status: "cancelled", outcome: { kind: "cancelled", cancelledBy: by, at: 1 } }),
    ].map((hold) => translation.sayEnding(hold));
    expect(endings.map((ending) => ending["resolution"])).toEqual(["expired", "cancelled"]);
    expect(JSON.stringify(endings)).not.toContain(APPROVED.by.name);
  });
});
