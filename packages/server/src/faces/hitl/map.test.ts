import type { Answer, Ask } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import type { Hold } from "../../kernel/hold/hold.ts";
import { APPROVAL, CONFIRMATION, ESCALATION, INPUT, SELECTION } from "../../testing/hitl-cases.ts";
import { type CaseAsk, hitlTranslation, inCase } from "./map.ts";

const { readAsk, sayAsk, readAnswer, sayAnswer, sayEnding } = hitlTranslation;

const WORDS = [
  APPROVAL,
  CONFIRMATION,
  ESCALATION,
  SELECTION,
  INPUT,
  { ...SELECTION, select: { min: 0, max: 2 } },
  { type: "selection", prompt: "?", options: [{ id: "a", label: "A", description: "First" }] },
  { ...SELECTION, options: [{ id: "other", label: "Not among the items" }] },
  {
    type: "x-own",
    prompt: "?",
    actions: [{ id: "left" }],
    context: { form: { fields: [{ key: "a", label: "A", type: "text" }] } },
  },
] as unknown as readonly CaseAsk[];

const HOLD: Hold = {
  id: "hold_ab12",
  ask: { type: "approval", prompt: "?" },
  digest: "sha256:x",
  salt: "s",
  status: "open",
  createdBy: "refunder",
  creatorKey: "key_1",
  createdAt: 0,
  rungs: [],
  attempt: 1,
  links: "agent",
};

describe("translation between HITL and the native hold", () => {
  test.each(WORDS)("L2 an ask of type $type stays the same when it is written and read again", (words) => {
    const ask = readAsk(words) as Ask;
    expect(readAsk(sayAsk(ask))).toEqual(ask);
    expect(sayAsk(ask)).toEqual(words);
  });

  test.each([
    { action: "approve", data: {} },
    { action: "select", data: { selected: ["a"], note: "x" } },
  ] satisfies Answer[])(
    "L1 the answer $action stays the same when it is written and read again",
    (answer) => {
      const ask: Ask = { type: "approval", prompt: "?" };
      expect(readAnswer(sayAnswer(answer, ask), ask)).toEqual(answer);
      expect(readAnswer({ action: answer.action }, ask)).toEqual({ action: answer.action, data: {} });
    },
  );

  test("L3 only a decided hold has a result or names anybody", () => {
    const by = { kind: "link", id: "link_1", name: "Ada" } as const;
    const decided = { kind: "decided", action: "approve", data: {}, by, door: "page", at: 1 } as const;
    expect(sayEnding(HOLD)).toMatchObject({ status: "pending" });
    expect(sayEnding({ ...HOLD, status: "decided", outcome: decided })).toMatchObject({
      status: "completed",
      result: { action: "approve" },
      responded_by: { name: "Ada" },
    });
    for (const outcome of [
      { kind: "expired", default: { action: "reject" }, at: 1 },
      { kind: "cancelled", cancelledBy: by, reason: "enough", at: 1 },
    ] as const) {
      const said = sayEnding({ ...HOLD, status: outcome.kind, outcome });
      expect(said["status"]).toBe(outcome.kind);
      expect(said).not.toHaveProperty("result");
      expect(JSON.stringify(said)).not.toContain("Ada");
    }
  });

  test("an error in a form names its place", () => {
    const words = { type: "input", prompt: "?", context: { form: { fields: [{ key: "a" }] } } } as CaseAsk;
    expect(readAsk(words)).toMatchObject({
      problems: [{ key: "/context/form/fields/0/label" }, { key: "/context/form/fields/0/type" }],
    });
    expect(
      inCase([
        { key: "/form/fields/0", rule: "r", message: "m" },
        { key: "/type", rule: "r", message: "m" },
      ]),
    ).toMatchObject([{ key: "/context/form/fields/0" }, { key: "/type" }]);
  });

  test("items without a name of their own are shown by their label or id", () => {
    const context = {
      items: [{ id: "a" }, { id: "b", label: "B" }, { id: "c", title: "C", description: "Third" }, "no item"],
    };
    expect(readAsk({ type: "selection", prompt: "?", context } as unknown as CaseAsk)).toMatchObject({
      options: [
        { id: "a", label: "a" },
        { id: "b", label: "B" },
        { id: "c", label: "C", description: "Third" },
      ],
    });
  });
});
