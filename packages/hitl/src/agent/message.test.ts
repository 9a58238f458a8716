import { expect, test } from "vitest";
import { reviewWith } from "../testing/reviews.ts";
import { formLine, formSummary, printable, reviewMessage } from "./message.ts";
import { formOf } from "./review.ts";

const FIELD = { key: "a", label: "A", type: "text" } as const;
const STEPS = {
  steps: [
    { title: "Person", fields: [{ ...FIELD, required: true }, FIELD] },
    { title: "Work", fields: [{ ...FIELD, required: true, sensitive: true, default: "SECRET" }] },
    { title: "Check", fields: [] },
  ],
};

test("HP-086 the message sums up a form by its fields, the number of required ones, and the titles of its steps", () => {
  expect(formSummary(STEPS)).toEqual({ fields: 3, required: 2, steps: ["Person", "Work", "Check"] });
  expect(formSummary({ fields: [FIELD] })).toEqual({ fields: 1, required: 0, steps: [] });
  expect(formLine({ fields: [FIELD] })).toBe("Form: 1 field, 0 required");
  const text = reviewMessage(reviewWith({ type: "input", context: { form: STEPS } })).text;
  expect(text).toContain("Form: 3 fields, 2 required, 3 steps: Person → Work → Check");
});

test("HP-086 the message leaves out a form of unknown shape", () => {
  for (const form of [7, {}, { fields: [1] }, { steps: [{ title: "x" }] }, { steps: "x" }])
    expect(formOf(reviewWith({ context: { form } }))).toBeUndefined();
});

test("HP-212 the message carries the question, the deadline and the review link", () => {
  const { text, body, url } = reviewMessage(reviewWith());
  expect(text).toBe(
    [
      "Three letters are ready.",
      "Send three letters?",
      "Open until 2026-03-02 10:00 UTC, then: abort.",
      `Decide here: ${url}`,
    ].join("\n\n"),
  );
  expect(body).not.toContain(url);
});

test("HP-212 the message does not repeat a prompt that the service's message contains", () => {
  expect(reviewMessage(reviewWith({}, "Send three letters?")).body).toMatch(/^Send three letters\?\n\nOpen/);
  expect(reviewMessage(reviewWith({}, null)).body).toMatch(/^Send three letters\?\n\nOpen/);
  expect(reviewMessage(reviewWith({}, "Please: Send three letters?")).body).toMatch(
    /^Please: Send three letters\?\n\nOpen/,
  );
});

test("HP-223 the message has no value of the form, not even a default", () => {
  const review = reviewWith({ type: "input", context: { form: STEPS, note: "SECRET" } });
  expect(reviewMessage(review).text).not.toContain("SECRET");
});

test("G15 the message shows characters that nobody would see", () => {
  const { text } = reviewMessage(reviewWith({ prompt: "Pay\u202e\u200b\u00ad?" }, null));
  expect(text).toContain("Pay⟦U+202E⟧⟦U+200B⟧⟦U+00AD⟧?");
});

test("the message has no control characters that could drive the terminal", () => {
  expect(printable("a\u001b[2Jb\u009bc\ne\tf")).toBe("a⟦U+001B⟧[2Jb⟦U+009B⟧c\ne\tf");
  const { text } = reviewMessage(reviewWith({ prompt: "Hi\u001b]0;x\u0007" }, "\u001b[1mM"));
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u0007");
});
