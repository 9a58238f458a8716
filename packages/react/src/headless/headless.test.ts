/** The logic behind the components, without a page. */

import { amountIn, type Form } from "@holdpoint/protocol/rules";
import { describe, expect, test, vi } from "vitest";
import {
  type AnswerState,
  Autosave,
  agoWords,
  answerPost,
  browserJudge,
  countdown,
  diffJson,
  diffLines,
  draftValues,
  durationWords,
  fillIn,
  formData,
  goBack,
  goOn,
  IDLE,
  initialValue,
  labelOf,
  messages,
  moneyText,
  nextAnswerState,
  partsOf,
  readInline,
  readMarkdown,
  readUnifiedDiff,
  safeHref,
  schemaNode,
  setValue,
  showProblems,
  startForm,
  toolCallOf,
  touch,
  valueKind,
  valueOfText,
  visibleJson,
} from "./index.ts";
import { schemaTest } from "./schema-judge.ts";

const judge = browserJudge();
const answer = { action: "approve", data: {} };

describe("an answer that is being sent", () => {
  const sending: AnswerState = { kind: "sending", answer };

  test("is sent once, whatever is pressed meanwhile", () => {
    expect(nextAnswerState(IDLE, { kind: "send", answer })).toEqual(sending);
    const other = { action: "reject", data: {} };
    expect(nextAnswerState(sending, { kind: "send", answer: other })).toBe(sending);
    expect(nextAnswerState(sending, { kind: "back" })).toBe(sending);
    expect(nextAnswerState(sending, { kind: "compose", action: "edit" })).toBe(sending);
  });

  test("is sent again unchanged after it failed", () => {
    const failed = nextAnswerState(sending, { kind: "fail", message: "offline" });
    expect(failed).toEqual({ kind: "failed", answer, message: "offline" });
    expect(nextAnswerState(failed, { kind: "retry" })).toEqual(sending);
    expect(nextAnswerState(IDLE, { kind: "retry" })).toBe(IDLE);
  });

  test("keeps its content after a refusal, and says why", () => {
    const problems = [{ key: "/selected", rule: "min", message: "must name one" }];
    expect(nextAnswerState(sending, { kind: "refuse", problems })).toEqual({
      kind: "refused",
      answer,
      problems,
    });
    expect(nextAnswerState(IDLE, { kind: "refuse", problems })).toBe(IDLE);
  });
});

const FORM: Form = {
  steps: [
    { title: "One", fields: [{ key: "kind", label: "Kind", type: "text", required: true }] },
    {
      title: "Two",
      fields: [
        {
          key: "rate",
          label: "Rate",
          type: "number",
          required: true,
          conditional: { field: "kind", operator: "eq", value: "hourly" },
        },
        { key: "ok", label: "Ok", type: "boolean", required: true },
        { key: "pin", label: "Pin", type: "text", sensitive: true },
      ],
    },
    { title: "Check", fields: [] },
  ],
};

describe("a form being filled in", () => {
  test("does not advance past a problem, and shows it only then", () => {
    const begun = startForm(FORM);
    expect(messages(FORM, begun, judge).size).toBe(0);
    const stuck = goOn(FORM, begun, judge);
    expect(stuck.step).toBe(0);
    expect(messages(FORM, stuck, judge).get("kind")).toBe("must be answered");
    expect(goOn(FORM, setValue(stuck, "kind", "hourly"), judge).step).toBe(1);
  });

  test("keeps answers when going back, and sends only visible fields", () => {
    const second = goOn(FORM, setValue(startForm(FORM), "kind", "hourly"), judge);
    const filled = setValue(setValue(second, "rate", 80), "pin", "1234");
    expect(goBack(filled).values).toEqual(filled.values);
    expect(formData(FORM, filled.values)).toEqual({ kind: "hourly", rate: 80, ok: false, pin: "1234" });
    expect(formData(FORM, { ...filled.values, kind: "fixed" })).toEqual({
      kind: "fixed",
      ok: false,
      pin: "1234",
    });
    expect(draftValues(FORM, filled.values)).toEqual({ kind: "hourly", rate: 80 });
  });

  test("starts at the step with the first problem, or where the person left it", () => {
    expect(startForm(FORM, { step: 2 }).step).toBe(1);
    expect(startForm(FORM, { step: 99 }).step).toBe(2);
    const problems = [{ key: "rate", rule: "required", message: "must be answered" }];
    expect(startForm(FORM, { problems }).step).toBe(1);
    expect(showProblems(FORM, startForm(FORM), problems).step).toBe(1);
    expect(touch(startForm(FORM), "kind").touched.has("kind")).toBe(true);
  });

  test("accepts values that arrive late, except in fields that somebody has touched", () => {
    const form: Form = {
      fields: ["a", "b", "c"].map((key) => ({ key, label: key, type: "text" as const })),
    };
    const begun = touch(setValue(startForm(form), "a", "mine"), "b");
    const filled = fillIn(form, begun, { a: "late", b: "late", c: "late", d: "nobody asked" });
    expect(filled.values).toEqual({ a: "mine", c: "late" });
    expect(fillIn(form, filled, { a: "later" })).toBe(filled);
  });

  test("reads numbers with a decimal comma", () => {
    const field = { key: "n", label: "N", type: "number" } as const;
    expect(valueOfText(field, "2,5")).toBe(2.5);
    expect(valueOfText(field, "")).toBeUndefined();
    expect(valueOfText(field, "two")).toBe("two");
  });
});

describe("autosave", () => {
  function harness(results: boolean[]) {
    const saved: number[] = [];
    const works: (() => void)[] = [];
    const autosave = new Autosave<number>({
      delayMs: 10,
      timer: { set: (work) => works.push(work), clear: () => undefined },
      save: async (draft) => {
        saved.push(draft);
        return results.shift() ?? true;
      },
    });
    return { autosave, saved, works };
  }

  test("saves the newest draft once, after typing has stopped", async () => {
    const { autosave, saved, works } = harness([]);
    autosave.change(1);
    autosave.change(2);
    works.at(-1)?.();
    await autosave.flush();
    expect(saved).toEqual([2]);
    await autosave.flush();
    expect(saved).toEqual([2]);
  });

  test("keeps a draft that could not be saved, and saves it next time", async () => {
    const { autosave, saved } = harness([false, true]);
    autosave.change(1);
    await autosave.flush();
    await autosave.flush();
    expect(saved).toEqual([1, 1]);
  });

  test("tries again after a failure, until it is stopped", async () => {
    const { autosave, saved, works } = harness([false, false]);
    autosave.change(1);
    await autosave.flush();
    expect(works).toHaveLength(2);
    works[1]?.();
    await autosave.flush();
    expect(saved).toEqual([1, 1]);
    await vi.waitFor(() => expect(works).toHaveLength(3));
    autosave.stop();
    works[2]?.();
    expect(saved).toEqual([1, 1]);
  });
});

test("a countdown says how long is left and when it is urgent", () => {
  const hour = 3_600_000;
  expect(countdown(0, 2 * hour, 5 * 60_000)).toMatchObject({
    text: "1 h 55 min",
    isUrgent: false,
    isOver: false,
  });
  expect(countdown(0, 2 * hour, 2 * hour - 60_000)).toMatchObject({ text: "1 min", isUrgent: true });
  expect(countdown(0, hour, hour)).toMatchObject({ isOver: true, share: 0 });
  expect(durationWords(48_000)).toBe("48 s");
  expect(durationWords(26 * hour)).toBe("1 d 2 h");
  expect(agoWords(0, 30_000)).toBe("just now");
  expect(agoWords(0, 3 * hour)).toBe("3 h ago");
});

test("a diff of texts goes line by line, and a diff of JSON goes member by member", () => {
  expect(diffLines("a\nb\nc", "a\nx\nc").map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    "same a",
    "removed b",
    "added x",
    "same c",
  ]);
  expect(diffJson({ a: 1, b: { c: [1, 2] } }, { a: 2, b: { c: [1, 2, 3] }, d: null })).toEqual([
    { at: "/a", before: 1, after: 2 },
    { at: "/b/c/2", after: 3 },
    { at: "/d", after: null },
  ]);
  expect(diffJson({ a: 1 }, { a: 1 })).toEqual([]);
  expect(readUnifiedDiff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y")?.map(({ kind }) => kind)).toEqual([
    "same",
    "same",
    "same",
    "removed",
    "added",
  ]);
  expect(readUnifiedDiff("just - a + text")).toBeNull();
});

test("Markdown is rendered with formatting and web links, and without anything that could run", () => {
  expect(
    readMarkdown("# Hi\n\n- **a**\n- [b](https://e.com)\n\n```js\nx\n```").map(({ kind }) => kind),
  ).toEqual(["heading", "list", "code"]);
  const [block] = readMarkdown("<img src=x onerror=alert(1)> [x](javascript:alert(1))");
  expect(JSON.stringify(block)).not.toContain('"link"');
  expect(safeHref("javascript:alert(1)")).toBeNull();
  expect(safeHref("data:text/html,x")).toBeNull();
  expect(safeHref("https://example.com/a")).toBe("https://example.com/a");
});

test("Markdown keeps tables, nested lists and quotes, and ordered lists keep their first number", () => {
  const [list] = readMarkdown("3. a\n   - b\n4. c");
  expect(list).toMatchObject({
    kind: "list",
    ordered: true,
    start: 3,
    items: [[{ kind: "paragraph" }, { kind: "list", ordered: false }], [{ kind: "paragraph" }]],
  });
  const [table] = readMarkdown("| a | b |\n|---|---|\n| 1 | **2** |");
  expect(table).toMatchObject({
    kind: "table",
    head: [[{ text: "a" }], [{ text: "b" }]],
    rows: [[[{ text: "1" }], [{ kind: "strong", parts: [{ text: "2" }] }]]],
  });
  const [quote] = readMarkdown("> a\n> > b");
  expect(quote).toMatchObject({ kind: "quote", blocks: [{ kind: "paragraph" }, { kind: "quote" }] });
  expect(readInline("~~a~~ `b`")).toMatchObject([
    { kind: "struck" },
    { text: " " },
    { kind: "code", text: "b" },
  ]);
});

test("a comparison of two long texts with one changed line says which line changed", () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  const after = before.with(9_999, "changed");
  const changed = diffLines(before.join("\n"), after.join("\n")).filter(({ kind }) => kind !== "same");
  expect(changed.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["removed line 9999", "added changed"]);
  const [some, others] = [before.slice(0, 5_000), before.slice(5_000, 10_000)];
  expect(diffLines(some.join("\n"), others.join("\n"))).toHaveLength(10_000);
});

test("JSON to edit shows unseen characters as escapes of the same value", () => {
  const value = { a: "x\u202ey\u{E0100}\rz" };
  expect(visibleJson(value)).toBe('{\n  "a": "x\\u202ey\\udb40\\udd00\\rz"\n}');
  expect(JSON.parse(visibleJson(value))).toEqual(value);
});

test("an amount is formatted with its currency, and a text is never rewritten", () => {
  expect(moneyText("amount", 79.9, { currency: "EUR" })).toBe("79.90 EUR");
  expect(moneyText("amount", 1204, {})).toBe("1,204");
  for (const amount of [42, 79.9, 1204.5, 0.12345678])
    for (const beside of [{}, { currency: "EUR" }])
      expect(moneyText("amount", amount, beside)).toBe(amountIn({ amount, ...beside }));
  expect(moneyText("anything", "79,90 EUR", {})).toBe("79,90 EUR");
  expect(moneyText("year", 2021, {})).toBeNull();
  expect(moneyText("note", "79 people", {})).toBeNull();
});

test("a context is split into text, tool call, artifact and facts, and nothing is left out", () => {
  const ask = {
    type: "approval",
    prompt: "?",
    context: {
      reason: "why",
      tool: "refund",
      args: { a: 1 },
      artifact: { title: "T", content: "C", size: 2 },
      more: 1,
    },
  } as const;
  expect(partsOf(ask).map(({ kind }) => kind)).toEqual(["text", "tool_call", "artifact", "facts"]);
  expect(toolCallOf(ask)).toEqual({ kind: "tool_call", tool: "refund", args: { a: 1 } });
  const items = [{ id: "a", label: "A" }];
  expect(partsOf({ type: "confirmation", prompt: "?", context: { items } })).toEqual([]);
  expect(partsOf({ type: "approval", prompt: "?", context: { items } })).toHaveLength(1);
});

test("a member's name becomes a label, without suffixes such as _markdown", () => {
  expect(labelOf("lastMonth")).toBe("Last Month");
  expect(labelOf("body_markdown")).toBe("Body");
  expect(labelOf("markdown")).toBe("Markdown");
});

test("a value is shown as text, code, link, image, table or list, by its name and content", () => {
  const kinds = (name: string, value: Parameters<typeof valueKind>[1]) => valueKind(name, value).kind;
  const empty = [null, "", " ", [], {}].map((value) => valueKind("x", value));
  expect(new Set(empty.map((shown) => shown.kind === "none" && shown.text)).size).toBe(5);
  expect(kinds("x", "short")).toBe("scalar");
  expect(kinds("x", "a\nb")).toBe("prose");
  expect(kinds("sql", "select 1")).toBe("code");
  expect(kinds("body_markdown", "# x")).toBe("markdown");
  expect(kinds("x", "https://example.com")).toBe("link");
  expect(kinds("x", "data:image/png;base64,AAAA")).toBe("image");
  expect(kinds("x", "data:image/svg+xml;base64,AAAA")).toBe("scalar");
  expect(kinds("x", [{ a: 1 }, { a: 2 }])).toBe("table");
  expect(kinds("x", [1, 2])).toBe("list");
  expect(kinds("x", { a: { b: 1 } })).toBe("facts");
  expect(kinds("x", { language: "ts", code: "let a" })).toBe("code");
});

test("a JSON Schema becomes input fields, and is checked without eval", () => {
  const schema = {
    type: "object",
    required: ["n"],
    properties: {
      n: { type: "integer", minimum: 1 },
      c: { enum: ["a", "b"] },
      d: { type: "string", default: "x" },
      l: { type: "array" },
    },
  };
  const node = schemaNode(schema);
  expect(node.kind === "object" && node.members.map(([name, inner]) => `${name} ${inner.kind}`)).toEqual([
    "n number",
    "c choice",
    "d text",
    "l json",
  ]);
  expect(initialValue(node)).toEqual({ d: "x" });
  const check = schemaTest(schema);
  if (typeof check === "string") throw new Error(check);
  expect(check({ n: 1 })).toEqual([]);
  expect(check({ n: 0 }).map(({ key }) => key)).toContain("/n");
});

test.each([
  ...["(a+)+$", "(a|a)*b", "(a|ab)+c", "((a|b))*c", "(a?)*b", "(?:x(a*))+y", "(a{1,3})*b", "([()]|a+)*b"],
  ...["a?".repeat(40) + "a".repeat(40), "(a|a)".repeat(40), "a*".repeat(12), "\\(?(\\)|a+)*b"],
])("the pattern %s, which could freeze a page, is checked only on the server", (pattern) => {
  const slow = judge.pattern(pattern);
  const began = performance.now();
  expect(typeof slow === "string" || slow(`${"a".repeat(60)}!`)).toBe(true);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.each([
  ["[a-z]+@[a-z]+\\.[a-z]+", "ada@example.org", "ada"],
  ["(?:\\d{3}-)?\\d{4}", "555-0199", "555"],
  ["red|green|blue", "blue", "black"],
  ["([A-Z]{2})(\\d+)", "DE12", "12"],
  ["[(+*]+", "(+*", "a"],
])("the pattern %s is checked on the page", (pattern, right, wrong) => {
  const test = judge.pattern(pattern);
  if (typeof test === "string") throw new Error(test);
  expect([test(right), test(wrong)]).toEqual([true, false]);
});

test("a pattern in a schema that could freeze a page is left to the server with the values that it could take long for", () => {
  const check = (schema: object) => {
    const test = schemaTest(schema);
    if (typeof test === "string") throw new Error(test);
    return (value: Parameters<typeof test>[0]) => test(value).length;
  };
  const long = `${"a".repeat(60)}!`;
  expect(check({ properties: { n: { pattern: "^(a|a)*b$" } } })({ n: long })).toBe(0);
  expect(check({ patternProperties: { "^(a|a)*b$": { type: "null" } } })({ [long]: 1 })).toBe(0);
  expect(check({ properties: { n: { pattern: "^[a-z]+$" } } })({ n: "1" })).toBeGreaterThan(0);
});

test("a short pattern is checked on the page, whole", () => {
  const plain = judge.pattern("[a-z]{3}");
  expect(typeof plain !== "string" && plain("abc") && !plain("abcd")).toBe(true);
});

test("an answer is posted in the same form as by a page without script", () => {
  const ask = { type: "selection", prompt: "?", options: [{ id: "a", label: "A" }] } as const;
  const post = answerPost(ask, { action: "select", data: { selected: ["a", "b"], note: "n" } }, "digest");
  expect([...post]).toEqual([
    ["_action", "select"],
    ["_shown", "digest"],
    ["selected", "a"],
    ["selected", "b"],
    ["note", "n"],
  ]);
  const open = answerPost({ type: "input", prompt: "?" }, { action: "submit", data: { value: 1 } }, "d");
  expect(open.get("data")).toBe('{"value":1}');
});
