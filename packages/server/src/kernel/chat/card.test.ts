import type { Ask } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { APPROVED, decidedHold, NOW, openHold } from "../../testing/core-samples.ts";
import type { Decision, Vote } from "../decision/decision.ts";
import type { By, Hold } from "../hold/hold.ts";
import { contextBlocks } from "./blocks.ts";
import { briefCard, type CardParts, cardOf, endingText, peopleIn, readButtonId, strayCard } from "./card.ts";
import type { ChatButton, ChatQuestion } from "./chat.ts";
import { askOf, type ChatManner, isShortForm, lookOf, planBrief, planMessage } from "./plan.ts";
import { questionOf } from "./question.ts";

const HOUR = 3_600_000;
const MANNER: ChatManner = {
  isAlways: false,
  buttons: 10,
  buttonLabel: 64,
  dialogFields: 0,
  grantMaxMs: 24 * HOUR,
};
const kindsOf = (hold: Hold, manner: Partial<ChatManner> = {}, isWithheld = false) =>
  planMessage(hold, { ...MANNER, ...manner }, isWithheld, NOW).buttons.map(({ kind }) => kind);

function holdAsking(ask: Ask, part: Partial<Hold> = {}): Hold {
  return openHold({ ask, ...part });
}

function rule(part: Partial<Decision> = {}): Decision {
  return {
    ...{ approve: [{ need: 2, from: ["team:finance"] }], reject: 1, exclude: [], excluded: [] },
    ...({ strength: "account", order: "any" } as const),
    ...part,
  };
}

function vote(person: string, action = "approve"): Vote {
  const by: By = { kind: "session", id: "s", name: person };
  return {
    ...{ person, action, data: {}, answer: "a", ask: "sha256:h1", at: 1, door: "page", strength: "session" },
    ...{ by, seats: [{ person, stages: [0] }] },
  } as Vote;
}

function parts(hold: Hold, part: Partial<CardParts> = {}): CardParts {
  const message = {
    id: "m".repeat(32),
    buttons: [{ kind: "answer", action: "approve", data: {} }] as ChatButton[],
  };
  return { hold, ask: hold.ask, message, notes: [], isFull: true, isReminder: false, names: {}, ...part };
}

describe("the buttons of a message", () => {
  test("follow the type of the ask", () => {
    expect(kindsOf(openHold())).toEqual(["answer", "reason", "reason", "details", "snooze"]);
    expect(kindsOf(holdAsking({ type: "confirmation", prompt: "?" }))).toEqual([
      "answer",
      "answer",
      "details",
      "snooze",
    ]);
    expect(kindsOf(holdAsking({ type: "escalation", prompt: "?" }))).toEqual([
      "answer",
      "answer",
      "answer",
      "details",
      "snooze",
    ]);
    expect(kindsOf(holdAsking({ type: "x-own", prompt: "?" }))).toEqual(["details", "snooze"]);
  });

  test("offer the options of a selection where one press can choose", () => {
    const options = [
      { id: "a", label: "A", style: "danger" },
      { id: "b", label: "B" },
    ] as const;
    const one: Ask = { type: "selection", prompt: "?", options, select: { max: 1 } };
    expect(kindsOf(holdAsking(one))).toEqual(["answer", "answer", "details", "snooze"]);
    expect(kindsOf(holdAsking({ ...one, select: { min: 2 } }))).toEqual(["details", "snooze"]);
    expect(kindsOf(holdAsking({ type: "selection", prompt: "?", options }))).toEqual(["details", "snooze"]);
    expect(kindsOf(holdAsking({ type: "selection", prompt: "?", select: { max: 1 } }))).toEqual([
      "details",
      "snooze",
    ]);
    expect(lookOf(one, { kind: "answer", action: "select", data: { selected: ["a"] } }, true)).toEqual({
      label: "A",
      style: "danger",
    });
    expect(lookOf(one, { kind: "answer", action: "select", data: { selected: ["b"] } }, true).style).toBe(
      "default",
    );
    expect(lookOf(one, { kind: "answer", action: "nothing", data: {} }, true)).toEqual({
      label: "nothing",
      style: "default",
    });
  });

  test("G15 say first what a press does, and leave out an asker's label that does not fit", () => {
    const labelled = (label: string): Ask => ({
      type: "approval",
      prompt: "?",
      actions: [
        { id: "approve", label, style: "danger" },
        { id: "reject", label: "Approve", style: "primary" },
      ],
    });
    const look = (label: string) =>
      lookOf(labelled(label), { kind: "answer", action: "approve", data: {} }, true);
    expect(look("Reject")).toEqual({ label: "Approve: Reject", style: "primary" });
    expect(look("Reject".repeat(20))).toEqual({ label: "Approve", style: "primary" });
    expect(lookOf(labelled("x"), { kind: "reason", action: "reject", field: "feedback" }, true)).toEqual({
      label: "Reject: Approve …",
      style: "danger",
    });
    expect(kindsOf(holdAsking(labelled("Reject".repeat(20))))).toContain("answer");
  });

  test("open a dialog for a short form, never for secrets", () => {
    const form = (field: object = {}) =>
      ({ fields: [{ key: "a", label: "A", type: "text", ...field }] }) as Ask["form"];
    const asking = (given?: Ask["form"]) =>
      holdAsking({ type: "input", prompt: "?", ...(given && { form: given }) });
    expect(kindsOf(asking(form()), { dialogFields: 5 })).toEqual(["form", "details", "snooze"]);
    expect(kindsOf(asking(form()))).toEqual(["details", "snooze"]);
    expect(kindsOf(asking(form({ sensitive: true })), { dialogFields: 5 })).toEqual(["details", "snooze"]);
    expect(kindsOf(asking(), { dialogFields: 5 })).toEqual(["details", "snooze"]);
    expect(isShortForm(form({ type: "multiselect" }), { dialogFields: 5 })).toBe(false);
    const when = { conditional: { field: "b", operator: "eq", value: 1 } };
    expect(isShortForm(form(when), { dialogFields: 5 })).toBe(false);
  });

  test("lead to the page only, where a chat is not enough", () => {
    const only = ["details", "snooze"];
    expect(kindsOf(openHold({ decision: rule({ strength: "session" }) }))).toEqual(only);
    expect(kindsOf(openHold({ decision: rule() }))).not.toEqual(only);
    const verification = { mode: "required", required_for: ["browser_submit"] };
    expect(kindsOf(openHold({ face: { verification } }))).toEqual(only);
    expect(kindsOf(openHold({ face: { verification: { ...verification, mode: "optional" } } }))).not.toEqual(
      only,
    );
    expect(kindsOf(holdAsking({ type: "approval", prompt: "?", context: { call_unknown: true } }))).toEqual(
      only,
    );
    expect(kindsOf(openHold(), {}, true)).toEqual(only);
    expect(kindsOf(openHold(), { isAlways: true }, true)).not.toEqual(only);
    expect(kindsOf(openHold(), { buttons: 3 })).toEqual(only);
    expect(kindsOf(openHold(), { buttonLabel: 3 })).toEqual(only);
    expect(planBrief(openHold(), NOW)).toMatchObject({ buttons: [{ kind: "details" }, { kind: "snooze" }] });
  });

  test("offer no reminder after the end, and similar calls only where there are some", () => {
    expect(kindsOf(openHold({ expiresAt: NOW + HOUR }))).not.toContain("snooze");
    const call = { call: { id: "c1" } };
    expect(kindsOf(openHold(call))).toContain("grant");
    expect(kindsOf(openHold({ ...call, grantable: false }))).not.toContain("grant");
    expect(kindsOf(openHold(call), { grantMaxMs: HOUR })).not.toContain("grant");
    expect(() => askOf({ id: "h1", ask: null })).toThrow("has no ask");
  });
});

describe("a card", () => {
  test("says what is asked, by whom and until when", () => {
    const card = cardOf(parts(openHold({ expiresAt: 9_000 }), { notes: ["n"] }));
    expect(card).toMatchObject({
      ...{
        title: "Approval needed",
        askedBy: "refunder",
        prompt: "Refund 40 EUR?",
        notes: ["n"],
        expiresAt: 9_000,
      },
      blocks: [{ label: "order", style: "plain", text: "o-1" }],
      state: { kind: "open" },
      buttons: [{ id: `${"m".repeat(32)}.0`, label: "Approve", style: "primary" }],
    });
    expect(cardOf(parts(openHold(), { isReminder: true, isFull: false }))).toMatchObject({
      title: "Reminder: approval needed",
      blocks: [],
    });
    expect(cardOf(parts(holdAsking({ type: "x-own", prompt: "?" })))).toMatchObject({
      title: "Answer needed",
      blocks: [],
    });
    const options = [
      { id: "a", label: "A", description: "first" },
      { id: "b", label: "B" },
    ];
    expect(cardOf(parts(holdAsking({ type: "selection", prompt: "?", options }))).blocks).toEqual([
      { label: "A", style: "plain", text: "first" },
    ]);
  });

  test("leads to the page with one button where nobody can decide in the chat", () => {
    const message = {
      id: "m1",
      buttons: [{ kind: "details" }, { kind: "snooze", forMs: HOUR }] as ChatButton[],
    };
    expect(cardOf(parts(openHold(), { message })).buttons.map(({ label }) => label)).toEqual([
      "Open",
      "Remind me in 1 h",
    ]);
  });

  test("counts votes by name", () => {
    const decision = rule();
    const votes = [vote("ada"), vote("grace", "reject")];
    const card = cardOf(parts(openHold({ decision, votes }), { names: { ada: "Ada" } }));
    expect(card.votes).toBe("1 of 2 · Ada: approved · grace: rejected");
    expect(cardOf(parts(openHold({ decision })))).toMatchObject({ votes: "0 of 2" });
    const one = rule({ approve: [{ need: 1, from: ["person:ada"] }] });
    expect(cardOf(parts(openHold({ decision: one })))).not.toHaveProperty("votes");
    expect(cardOf(parts(openHold({ decision, ask: null })))).not.toHaveProperty("votes");
  });

  test("shows actions and people that are named like a member of every object as they are", () => {
    const ask: Ask = { type: "x-own", prompt: "?", actions: [{ id: "constructor", label: "Build" }] };
    const votes = [vote("toString", "constructor")];
    const open = cardOf(parts(openHold({ ask, decision: rule(), votes })));
    expect(open.votes).toBe("1 of 2 · toString: answered with constructor");
    const by: By = { kind: "session", id: "s", name: "valueOf" };
    const outcome = { ...APPROVED, action: "constructor", by };
    expect(endingText(decidedHold({ ask, outcome }), outcome, {})).toBe(
      "Answered with constructor by valueOf.",
    );
  });

  const ended = (part: Partial<Hold>, names = {}) => {
    const { state, buttons } = cardOf(parts(decidedHold(part), { names }));
    expect(buttons).toEqual([]);
    return state.kind === "closed" ? `${state.ending}: ${state.text}` : "open";
  };
  const decidedBy = (by: By, action = "approve") =>
    ended({ outcome: { ...APPROVED, action, by } }, { ada: "Ada" });

  test("says how the hold ended, and names only people who decided (G5)", () => {
    expect(decidedBy({ kind: "session", id: "s", name: "ada" })).toBe("granted: Approved by Ada.");
    expect(decidedBy({ kind: "session", id: "s", name: "bob" }, "reject")).toBe("refused: Rejected by bob.");
    expect(decidedBy({ kind: "grant", id: "g" })).toBe(
      "granted: Approved by an earlier permission; nobody looked at this call.",
    );
    expect(decidedBy({ kind: "app", id: "k", name: "shop" })).toBe("granted: Approved through the app shop.");
    expect(decidedBy({ kind: "app", id: "k" })).toBe("granted: Approved through the app k.");
    expect(decidedBy({ kind: "link", id: "l", name: "ada@example.com" })).toBe(
      "granted: Approved through a review link.",
    );
    expect(decidedBy({ kind: "link", id: "l" })).toBe("granted: Approved through a review link.");
    expect(decidedBy({ kind: "link", id: "l", name: "ada", givenTo: "asker" })).toBe(
      "granted: Approved through a review link.",
    );
    expect(decidedBy({ kind: "key", id: "k", name: "ada" }, "defer")).toBe(
      "granted: Answered with defer by Ada.".replace("granted", "refused"),
    );
    expect(ended({ votes: [vote("ada"), vote("bob")] }, { ada: "Ada" })).toBe(
      "granted: Approved by Ada and bob.",
    );
    expect(ended({ ask: null })).toBe("granted: Approved by ada.");
    expect(endingText(decidedHold(), APPROVED, { ada: "Ada" })).toMatch(/^Approved /);
    const at = 5;
    expect(ended({ status: "expired", outcome: { kind: "expired", at } })).toBe(
      "expired: Expired: nobody answered in time.",
    );
    expect(
      ended({ status: "expired", outcome: { kind: "expired", at, default: { action: "reject" } } }),
    ).toContain("“reject”");
    const cancelledBy: By = { kind: "key", id: "k", name: "ada" };
    expect(
      ended({ status: "cancelled", outcome: { kind: "cancelled", at, cancelledBy } }, { ada: "Ada" }),
    ).toBe("cancelled: Withdrawn by Ada.");
    expect(ended({ status: "cancelled", outcome: { kind: "cancelled", at, cancelledBy } })).toBe(
      "cancelled: Withdrawn by ada.",
    );
    const unnamed: By = { kind: "link", id: "l" };
    expect(ended({ status: "cancelled", outcome: { kind: "cancelled", at, cancelledBy: unnamed } })).toBe(
      "cancelled: Withdrawn.",
    );
  });

  test("of erased content says that it was erased", () => {
    expect(cardOf(parts(decidedHold({ ask: null }))).prompt).toContain("erased");
    expect(cardOf(parts(openHold({ ask: null }))).buttons).toEqual([]);
  });

  test("is shortened visibly where it does not fit, and a lost copy says that it is one", () => {
    const card = cardOf(parts(openHold()));
    expect(briefCard(card, 6)).toMatchObject({ prompt: "Refund …", blocks: [] });
    expect(briefCard(card, 600).prompt).toBe(card.prompt);
    expect(strayCard(card)).toMatchObject({ buttons: [], state: { kind: "closed", ending: "cancelled" } });
    expect(strayCard(cardOf(parts(decidedHold()))).state).toMatchObject({ ending: "granted" });
  });

  test("names the people of votes and endings", () => {
    const cancelledBy: By = { kind: "key", id: "k", name: "bob" };
    expect(peopleIn(decidedHold({ votes: [vote("ada")] }))).toEqual(["ada"]);
    expect(peopleIn(openHold({ outcome: { kind: "cancelled", at: 1, cancelledBy } }))).toEqual(["bob"]);
    expect(peopleIn(openHold({ outcome: { kind: "expired", at: 1 } }))).toEqual([]);
    expect(
      peopleIn(openHold({ outcome: { kind: "cancelled", at: 1, cancelledBy: { kind: "link", id: "l" } } })),
    ).toEqual([]);
  });

  test("has buttons whose names are read back", () => {
    expect(readButtonId(`${"m".repeat(32)}.12`)).toEqual({ row: "m".repeat(32), index: 12 });
    expect(readButtonId("hitl:x:approve")).toBeUndefined();
  });
});

test("context becomes blocks that leave nothing out", () => {
  const context = {
    ...{ text: "one line", lines: "a\nb", count: 3, none: null, yes: true },
    patch: "--- a\n+++ b\n@@ -1 +1 @@",
    change: { before: "old", after: "new\nline" },
    half: { before: 1, after: "x" },
    table: [{ a: 1, b: "x" }, { a: null }],
    nested: [{ a: { b: 1 } }],
    empty: [],
  };
  const blocks = contextBlocks(context).map(({ label, style, text }) => `${label} ${style}: ${text}`);
  expect(blocks).toEqual([
    "text plain: one line",
    "lines code: a\nb",
    "count plain: 3",
    "none plain: null",
    "yes plain: true",
    "patch diff: --- a\n+++ b\n@@ -1 +1 @@",
    "change diff: - old\n+ new\n+ line",
    'half code: {\n  "before": 1,\n  "after": "x"\n}',
    "table table: a: 1\nb: x\n\na: null",
    `nested code: ${JSON.stringify([{ a: { b: 1 } }], null, 2)}`,
    "empty code: []",
  ]);
  expect(contextBlocks(undefined)).toEqual([]);
});

describe("a question to the presser", () => {
  const question: ChatQuestion = {
    ...{ id: "q1", holdId: "h1", messageId: "m1", button: 0, account: "a", channel: "c", expiresAt: 1 },
    grantUntil: Date.parse("2026-01-05T12:00:00Z"),
  };
  const asked = (button: ChatButton, ask: Ask, own = question) =>
    questionOf({ question: own, button, ask, agent: "refunder", replyLength: 100 });

  test("asks for a reason or for changes", () => {
    const ask: Ask = { type: "approval", prompt: "?" };
    expect(asked({ kind: "reason", action: "reject", field: "feedback" }, ask)).toMatchObject({
      title: "Reject",
      submit: "Reject",
    });
    expect(asked({ kind: "reason", action: "edit", field: "feedback" }, ask)).toMatchObject({
      title: "Request changes",
      fields: [{ key: "text", maxLength: 100 }],
    });
    expect(asked({ kind: "details" }, ask).title).toBe("Request changes");
  });

  test("shows a form's fields", () => {
    const fields = [
      { key: "a", label: "A", type: "text", required: true, hint: "h", validation: { maxLength: 5 } },
      { key: "b", label: "B", type: "textarea" },
      { key: "c", label: "C", type: "select", options: [{ value: "x", label: "X" }] },
    ] as const;
    const form = asked({ kind: "form", action: "submit" }, { type: "input", prompt: "P", form: { fields } });
    expect(form.fields).toEqual([
      { key: "a", label: "A", isRequired: true, maxLength: 5, kind: "line", hint: "h" },
      { key: "b", label: "B", isRequired: false, maxLength: 100, kind: "text" },
      {
        key: "c",
        label: "C",
        isRequired: false,
        maxLength: 100,
        kind: "choice",
        options: [{ id: "x", label: "X" }],
      },
    ]);
    expect(asked({ kind: "form", action: "submit" }, { type: "input", prompt: "P" }).fields).toEqual([]);
  });

  test("says the terms of similar calls in plain words", () => {
    const grant: ChatButton = { kind: "grant", action: "approve", forMs: 1 };
    const ask: Ask = {
      type: "approval",
      prompt: "?",
      context: { tool: "refund", arguments: { amount: 40 } },
    };
    expect(asked(grant, ask).text).toContain(
      "call refund again without asking, up to 20 times until 2026-01-05 12:00 UTC, if amount is 40.",
    );
    const { grantUntil: _none, ...bare } = question;
    expect(asked(grant, { type: "approval", prompt: "?" }, bare).text).toContain("without arguments");
  });
});
