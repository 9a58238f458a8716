/** Whatever an agent sends, the pages without script show all of it, with marks for what cannot be seen (G15). */

import { type Json, type JsonObject, UNSEEN } from "@holdpoint/protocol/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testServer } from "../../../testing/test-server.ts";
import { plainRenderer } from "./index.ts";
import { showValue } from "./value.ts";

const HIDDEN = "safe\u202e\u200b\u2066\u00ad\u{e0041}";
const MARKED = "safe⟦U+202E⟧⟦U+200B⟧⟦U+2066⟧⟦U+00AD⟧⟦U+E0041⟧";

/** The page of a hold, and what its form posts. */
async function stage(ask: object) {
  // As with the built pages: this page is what a long ask gets.
  const renderer = { ...plainRenderer, review: () => "<p>laid out with script</p>" };
  const test = await testServer({ pages: { renderer } });
  const { agent, operator } = test.keys;
  const long = { context: { log: "x".repeat(64_000) } };
  const asked = { prompt: "Go?", ...long, ...ask };
  const placed = await test.call("POST", "/v1/holds", { key: agent, body: asked });
  expect(placed.status).toBe(201);
  const at = `/v1/holds/${placed.body.id}`;
  const { body } = await test.call("POST", `${at}/links`, { key: operator, body: {} });
  const { pathname, search } = new URL(body.url);
  const page = await (await test.server.app.request(pathname + search)).text();
  return {
    page,
    answer: async (form: Record<string, string>) => {
      const digest = /name="_shown" value="([^"]+)"/.exec(page)?.[1] ?? "";
      await test.server.app.request(`${pathname}/answer${search}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ _shown: digest, ...form }).toString(),
      });
      return (await test.call("GET", at, { key: operator })).body.outcome;
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const log = "x".repeat(64_000);
const OPTIONS = [{ value: "a", label: HIDDEN }];
const name = { key: "a", label: HIDDEN, hint: HIDDEN, placeholder: HIDDEN };

describe("a page without script", () => {
  it.each<readonly [string, object, number]>([
    ["a prompt", { type: "approval", prompt: HIDDEN }, 1],
    ["names and values", { type: "approval", context: { log, [HIDDEN]: { a: HIDDEN, b: [HIDDEN] } } }, 3],
    ["a long text", { type: "approval", context: { log, a: `${HIDDEN}\n${log}` } }, 1],
    [
      "more values than are laid out",
      { type: "approval", context: { [HIDDEN]: Array(3_000).fill(0), log } },
      1,
    ],
    ["buttons", { type: "approval", actions: [{ id: "approve", label: HIDDEN }, { id: "reject" }] }, 1],
    ["options", { type: "selection", options: [{ id: "a", label: HIDDEN, description: HIDDEN }] }, 2],
    ["items", { type: "confirmation", context: { log, items: [{ id: "a", label: HIDDEN }] } }, 2],
    ["a schema", { type: "input", response_schema: { type: "object", title: HIDDEN } }, 1],
    ["an input", { type: "input", form: { fields: [{ ...name, type: "text" }] } }, 3],
    ["a text area", { type: "input", form: { fields: [{ ...name, type: "textarea" }] } }, 3],
    ["a list", { type: "input", form: { fields: [{ ...name, type: "select", options: OPTIONS }] } }, 3],
    ["boxes", { type: "input", form: { fields: [{ ...name, type: "multiselect", options: OPTIONS }] } }, 3],
    ["a box", { type: "input", form: { fields: [{ ...name, type: "boolean" }] } }, 2],
    [
      "a step",
      {
        type: "input",
        form: { steps: [{ title: HIDDEN, description: HIDDEN, fields: [{ ...name, type: "text" }] }] },
      },
      5,
    ],
  ])("G15 marks unseen characters of %s", async (_what, ask, count) => {
    await using here = await stage(ask);
    expect(here.page).not.toContain("laid out with script");
    expect(here.page.match(UNSEEN)).toBeNull();
    expect(here.page.split(MARKED).length - 1).toBe(count);
  });

  it("sends the value of an option as the agent wrote it", async () => {
    const options = [{ value: HIDDEN, label: "A" }];
    const field = { key: "a", label: "A", type: "select", options };
    await using here = await stage({ type: "input", form: { fields: [field] } });
    const value = /<option value="([^"]+)"/.exec(here.page)?.[1] ?? "";
    expect(await here.answer({ a: value, _action: "submit" })).toMatchObject({ data: { a: HIDDEN } });
  });

  it("G12 begins with the defaults that its inputs show, and with no others", async () => {
    const fields = [
      { key: "a", label: "A", type: "text", default: "Ada\nand Mallory" },
      { key: "b", label: "B", type: "text", default: HIDDEN },
      { key: "c", label: "C", type: "textarea", default: "one\ntwo" },
    ];
    await using here = await stage({ type: "input", form: { fields } });
    expect(here.page).not.toContain("Mallory");
    expect(here.page).not.toContain("safe");
    expect(here.page).toContain(">one\ntwo</textarea>");
  });
});

it.each<readonly [Json, Json]>([
  ["5", 5],
  ["null", null],
  ["false", false],
  ["empty list", []],
  ["", "empty text"],
  ['"5"', "5"],
])("G15 a page without script tells %j and %j apart", (one, other) => {
  expect(String(showValue({ a: one }))).not.toBe(String(showValue({ a: other })));
});

it("G13 a page of unseen characters shows each of them, without becoming eight times as long", () => {
  const page = String(showValue("\u200ba".repeat(400_000)));
  expect(page).toContain("⟦U+200B⟧a⟦U+200B⟧a");
  expect(page).toContain("a\ufffda</pre>");
  expect(page.length).toBeLessThan(900_000);
});

const leaf = fc.oneof(
  fc.nat(9_999).map((n) => `word${n}`),
  fc.nat(9_999).map((n) => `first${n}\nsecond${n}`),
  fc.integer({ min: 100_000, max: 999_999 }),
  fc.constantFrom(null, true, false, ""),
);
const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, tie("object"), fc.array(tie("value"), { maxLength: 3 })),
  object: fc.dictionary(fc.constantFrom("a", "content", "code", "type"), tie("value"), {
    maxKeys: 4,
  }) as fc.Arbitrary<JsonObject>,
}));

const EMPTY: Readonly<Record<string, string>> = {
  '""': "empty text",
  "[]": "empty list",
  "{}": "empty object",
};

function leavesOf(of: Json): readonly Json[] {
  if (typeof of !== "object" || of === null) return [of];
  const inner = Object.values(of);
  return inner.length === 0 ? [of] : inner.flatMap(leavesOf);
}

it("G15 a page without script is drawn with every leaf of a value", () => {
  fc.assert(
    fc.property(value, (any) => {
      const drawn = String(showValue(any));
      const isDrawn = (one: Json) => drawn.includes(EMPTY[JSON.stringify(one)] ?? String(one));
      expect(leavesOf(any).filter((one) => !isDrawn(one))).toEqual([]);
    }),
  );
});
