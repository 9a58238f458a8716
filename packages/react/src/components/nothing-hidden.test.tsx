/** Whatever an agent sends, people can read all of it (G15). */

import type { Hold } from "@holdpoint/protocol/client";
import { type Ask, amountText, type Form, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import fc from "fast-check";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { ArgumentEditor } from "./argument-editor.tsx";
import { Details } from "./details.tsx";
import { holdAsking, PLACED_AT } from "./hold.fixture.ts";
import { HoldReview } from "./hold-review.tsx";
import { loadParts } from "./late.tsx";
import { ValueView } from "./value-view.tsx";

const NAMES = [
  ...[
    "tool",
    "tool_name",
    "function",
    "name",
    "args",
    "arguments",
    "input",
    "tool_call",
    "toolCall",
    "server",
  ],
  ...["description", "reason", "message", "summary", "error", "title", "details", "artifact", "content"],
  ...[
    "metadata",
    "items",
    "params",
    "form",
    "id",
    "label",
    "code",
    "format",
    "language",
    "type",
    "src",
    "alt",
  ],
  ...["amount", "currency", "body_markdown", "command", "call_unknown"],
];
const WORDS = ["markdown", "code", "md", "EUR", "text/markdown"];

// Single words with a mark that nothing else on the page has, so that finding one means that it was drawn.
const text = fc.oneof(
  fc.nat(9_999).map((n) => `word${n}`),
  fc.constantFrom(...WORDS),
  fc.nat(9_999).map((n) => `first${n}\nsecond${n}`),
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer({ min: 100_000, max: 999_999 }),
  fc.constantFrom(null, true, false, ""),
);
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, fc.constantFrom("other", "more"));
const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
  object: fc.dictionary(name, tie("value"), { maxKeys: 5 }) as fc.Arbitrary<JsonObject>,
}));
const context = fc.dictionary(name, value, { minKeys: 1, maxKeys: 6 }) as fc.Arbitrary<JsonObject>;

function leavesOf(of: Json): readonly Json[] {
  if (typeof of !== "object" || of === null) return [of];
  const inner = Object.values(of);
  return inner.length === 0 ? [of] : inner.flatMap(leavesOf);
}

function read(node: ReactNode): string {
  return renderToStaticMarkup(node).replace(/<[^>]*>/g, " ");
}

function isRead(drawn: string, one: Json): boolean {
  if (typeof one === "string" && one !== "") return one.split("\n").every((line) => drawn.includes(line));
  if (typeof one === "number") return drawn.includes(String(one)) || drawn.includes(amountText(one));
  if (typeof one === "boolean") return drawn.includes(one ? "Yes" : "No") || drawn.includes(String(one));
  // A call without arguments says so.
  if (one !== null && typeof one === "object" && !Array.isArray(one) && drawn.includes("Without arguments"))
    return true;
  // The name of a tool, which stands where nothing else could.
  if (one === "" && drawn.includes("&quot;&quot;")) return true;
  return drawn.includes(EMPTY[JSON.stringify(one)] ?? "?");
}

const EMPTY: Readonly<Record<string, string>> = {
  null: "null",
  '""': "empty text",
  "[]": "empty list",
  "{}": "empty object",
};

const numRuns = inject("isFull") ? 5_000 : 200;

describe("what an agent sends", () => {
  beforeAll(() => loadParts());

  it("G15 is drawn with every leaf of a value", () => {
    fc.assert(
      fc.property(name, value, (called, any) => {
        const drawn = read(<ValueView name={called} value={any} />);
        expect(leavesOf(any).filter((one) => !isRead(drawn, one))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it.each(["approval", "selection", "confirmation", "escalation", "input"] as const)(
    "G15 is drawn with every leaf of the context of an ask of the type %s",
    (type) => {
      fc.assert(
        fc.property(context, (given) => {
          const ask: Ask = { type, prompt: "?", context: given };
          const drawn = read(<Details ask={ask} isWhole />);
          const { call_unknown: isUnknown, ...rest } = given;
          const wanted = isUnknown === true ? rest : given;
          expect(leavesOf(wanted).filter((one) => !isRead(drawn, one))).toEqual(
            Object.keys(wanted).length === 0 ? [{}] : [],
          );
        }),
        { numRuns },
      );
    },
  );

  it("G15 is not hidden behind a member that looks like its text", () => {
    const drawn = read(<ValueView name="x" value={{ content: "echo ok", code: "rm -rf /", type: "code" }} />);
    expect(drawn).toContain("rm -rf /");
    expect(read(<ValueView name="x" value={{ code: "let a", language: "Rust, reviewed" }} />)).toContain(
      "Rust, reviewed",
    );
  });

  const OPTIONS = [{ id: "a", label: "Alpha" }];
  it.each<readonly [string, Partial<Ask> & Pick<Ask, "type">, readonly string[]]>([
    [
      "an item of a list to confirm says more than its label",
      { type: "confirmation", context: { items: [{ id: "a", label: "Alpha", path: "/etc/passwd" }] } },
      ["Alpha", "/etc/passwd"],
    ],
    [
      "an item has two labels",
      { type: "confirmation", context: { items: [{ id: "a", label: "Alpha", title: "Omega" }] } },
      ["Alpha", "Omega"],
    ],
    [
      "items differ from the options with the same ids",
      { type: "selection", options: OPTIONS, context: { items: [{ id: "a", label: "Omega" }] } },
      ["Alpha", "Omega"],
    ],
    [
      "a context has a form of its own",
      {
        type: "input",
        form: { fields: [{ key: "a", label: "Alpha", type: "text" }] },
        context: { form: "secretly" },
      },
      ["Alpha", "secretly"],
    ],
    [
      "two tool calls stand side by side",
      {
        type: "approval",
        context: {
          tool_call: { name: "read", arguments: { n: 1 }, server: "production", args: "other" },
          toolCall: { name: "delete", args: { n: 2 } },
          tool: "third",
        },
      },
      ["read", "production", "other", "delete", "third"],
    ],
    [
      "metadata has members with the names of others",
      {
        type: "approval",
        context: { artifact: { content: "C", size: "small", metadata: { size: "huge" } } },
      },
      ["small", "huge"],
    ],
    [
      "metadata and title are no texts",
      { type: "approval", context: { artifact: { content: "C", title: ["one"], metadata: "two" } } },
      ["one", "two"],
    ],
    [
      "an error has a message beside its summary",
      { type: "escalation", context: { error: { title: { a: "one" }, summary: "two", message: "three" } } },
      ["one", "two", "three"],
    ],
    [
      "an escalation has parameters",
      { type: "escalation", context: { params: { host: "db\u200b1" } } },
      ["db⟦U+200B⟧1"],
    ],
  ])("G15 is drawn on the page where %s", (_where, ask, words) => {
    const hold = holdAsking({ prompt: "?", ...ask });
    const drawn = read(
      <HoldReview hold={hold} now={PLACED_AT} onAnswer={async () => ({ kind: "settled" })} />,
    );
    expect(words.filter((each) => !drawn.includes(each))).toEqual([]);
  });

  it("G15 keeps the names of a call's arguments apart, and nothing from empty text, list and object", () => {
    const args = { dry_run: null, "dry-run": "", "": [], none: {}, space: " " };
    const drawn = read(<Details ask={{ type: "approval", prompt: "?", context: { tool: "t", args } }} />);
    for (const words of ["dry_run", "dry-run", "&quot;&quot;", ...Object.values(EMPTY), "&quot; &quot;"])
      expect(drawn).toContain(words);
  });

  it("G15 says that a call names no tool", () => {
    const ask: Ask = { type: "approval", prompt: "?", context: { tool: "", arguments: {} } };
    expect(read(<Details ask={ask} />)).toContain("&quot;&quot;");
  });

  const drawnArgs = (args: JsonObject) =>
    read(<Details ask={{ type: "approval", prompt: "?", context: { tool: "t", args } }} />);

  it.each<readonly [string, Json, Json]>([
    ["a word and a choice", "No", false],
    ["a text and a number", "5", 5],
    ["a text and nothing", "null", null],
    ["a text and an amount", "80.00", 80],
    ["words and an empty list", "empty list", []],
    ["one space and two", " ", "  "],
    ["Markdown and the same words", { code: "rm *x* ~", format: "md" }, { code: "rm x ~", format: "md" }],
    ["code and the same text", { code: "x", language: "md" }, { content: "x", type: "md" }],
  ])("G15 tells %s apart in a call", (_what, one, other) => {
    for (const name of ["force", "amount"])
      expect(drawnArgs({ [name]: one })).not.toBe(drawnArgs({ [name]: other }));
  });

  it("G15 draws the values of a call as JSON, and Markdown as its source", () => {
    const drawn = drawnArgs({
      force: false,
      word: "No",
      count: 5,
      body_md: "# *x*",
      amount: 80,
      currency: "EUR",
    });
    for (const words of [" false ", " &quot;No&quot; ", " 5 ", " # *x* ", " 80 ", " &quot;EUR&quot; "])
      expect(drawn).toContain(words);
  });

  it("draws a choice and an amount outside of a call in words", () => {
    const context = { force: false, amount: 80, currency: "EUR" };
    const drawn = read(<Details ask={{ type: "approval", prompt: "?", context }} />);
    expect(drawn).toContain(" No ");
    expect(drawn).toContain("80.00 EUR");
  });

  it("G15 shows unseen characters in links, options, terms and JSON", () => {
    const linked = renderToStaticMarkup(
      <ValueView name="body_md" value={"[bank](https://bank.example/\u202egpj)"} />,
    );
    expect(linked).toContain("(https://bank.example/⟦U+202E⟧gpj)");
    const label = "safe\u200b";
    const form: Form = {
      fields: [{ key: "a", label: "A", type: "select", options: [{ value: "b", label }] }],
    };
    const show = (ask: Ask, more: Partial<Hold> = {}) =>
      renderToStaticMarkup(
        <HoldReview
          hold={holdAsking(ask, more)}
          now={PLACED_AT}
          onAnswer={async () => ({ kind: "settled" })}
        />,
      );
    expect(show({ type: "input", prompt: "?", form })).toContain(">safe⟦U+200B⟧</option>");
    const context = { tool: "t", arguments: { [label]: label } };
    const terms = show({ type: "approval", prompt: "?", context }, { grantable: true });
    expect(terms).toContain("is exactly &quot;safe⟦U+200B⟧&quot;");
    expect(terms.slice(terms.indexOf("hp-grant"))).toContain("safe⟦U+200B⟧<select");
    const editor = renderToStaticMarkup(
      <ArgumentEditor name="x" label="x" proposed={{ a: label }} onChange={() => undefined} />,
    );
    expect(editor).toContain("safe\\u200b");
  });
});
