import { expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import { type Ask, checkAsk, normaliseAsk, type Option } from "./index.ts";

const approval: Ask = { type: "approval", prompt: "Ship it?" };
const selection: Ask = { type: "selection", prompt: "Which?", options: options(3) };
const input: Ask = { type: "input", prompt: "How much?" };

function options(count: number): Option[] {
  return Array.from({ length: count }, (_, at) => ({ id: `o${at}`, label: `Option ${at}` }));
}

const flaws = (ask: Ask) => checkAsk(ask, plainJudge).map(({ key, rule }) => `${key} ${rule}`);

test.each<[string, Ask]>([
  ["an approval", approval],
  [
    "an approval with the schema of the tool's arguments",
    { ...approval, responseSchema: { type: "object" } },
  ],
  ["a selection", selection],
  ["a selection of none or more", { ...selection, select: { min: 0 } }],
  ["a selection of exactly two", { ...selection, select: { min: 2, max: 2 } }],
  ["a selection of a thousand options", { ...selection, options: options(1_000) }],
  ["an input without form", input],
  ["an input with a form", { ...input, form: { fields: [{ key: "a", label: "A", type: "text" }] } }],
  ["an input with a schema", { ...input, responseSchema: { type: "number" } }],
  ["a confirmation", { type: "confirmation", prompt: "Send?" }],
  [
    "an escalation that cannot be skipped",
    { type: "escalation", prompt: "Failed", actions: [{ id: "retry" }, { id: "abort" }] },
  ],
  [
    "HP-049 a type of somebody else's",
    { type: "x-demo-compare", prompt: "Left?", actions: [{ id: "left" }, { id: "right-2" }] },
  ],
  ["an approval for ten thousand uses", { ...approval, uses: 10_000 }],
  ["an approval for as many as wanted", { ...approval, uses: "unlimited" }],
  ["a prompt of the greatest length", { ...approval, prompt: "p".repeat(20_000) }],
])("%s may be asked", (_name, ask) => {
  expect(checkAsk(ask, plainJudge)).toEqual([]);
});

test.each<[string, Ask, readonly string[]]>([
  ["an unknown type", { ...approval, type: "vote" as Ask["type"] }, ["/type type"]],
  ["a type of somebody else's without a name", { ...approval, type: "x-" }, ["/type type"]],
  ["an inherited name as type", { ...approval, type: "constructor" as Ask["type"] }, ["/type type"]],
  ["a blank prompt", { ...approval, prompt: " \n" }, ["/prompt blank"]],
  ["a prompt too long", { ...approval, prompt: "p".repeat(20_001) }, ["/prompt maxLength"]],
  ["options on an approval", { ...approval, options: options(1) }, ["/options not_here"]],
  [
    "options on a type of somebody else's",
    { type: "x-demo", prompt: "?", options: options(1) },
    ["/options not_here"],
  ],
  ["a selection without options", { type: "selection", prompt: "Which?" }, ["/options required"]],
  ["a selection of nothing", { ...selection, options: [] }, ["/options required"]],
  ["too many options", { ...selection, options: options(1_001) }, ["/options maxItems"]],
  [
    "the same option twice",
    { ...selection, options: [...options(2), ...options(1)] },
    ["/options/2/id unique"],
  ],
  ["an option without id", { ...selection, options: [{ id: " ", label: "A" }] }, ["/options/0/id blank"]],
  ["select on an input", { ...input, select: { min: 1 } }, ["/select not_here"]],
  ["fewer than none to select", { ...selection, select: { min: -1 } }, ["/select/min range"]],
  ["half an option to select", { ...selection, select: { min: 0.5 } }, ["/select/min range"]],
  ["more to select than there is", { ...selection, select: { min: 4 } }, ["/select/min range"]],
  ["at most none", { ...selection, select: { min: 0, max: 0 } }, ["/select/max range"]],
  ["at most fewer than at least", { ...selection, select: { min: 2, max: 1 } }, ["/select/max range"]],
  ["at most more than there is", { ...selection, select: { max: 4 } }, ["/select/max range"]],
  ["at most one and a half", { ...selection, select: { max: 1.5 } }, ["/select/max range"]],
  [
    "bounds of a selection without options",
    { type: "selection", prompt: "?", select: {} },
    ["/options required", "/select/min range"],
  ],
  ["a form on an approval", { ...approval, form: { fields: [] } }, ["/form not_here"]],
  [
    "a schema on a confirmation",
    { type: "confirmation", prompt: "?", responseSchema: {} },
    ["/response_schema not_here"],
  ],
  [
    "a form and a schema",
    { ...input, form: { fields: [{ key: "a", label: "A", type: "text" }] }, responseSchema: {} },
    ["/response_schema form_or_schema"],
  ],
  ["a schema that is none", { ...input, responseSchema: { type: "nonsense" } }, ["/response_schema schema"]],
  ["no action at all", { ...approval, actions: [] }, ["/actions range"]],
  ["too many actions", { type: "x-demo", prompt: "?", actions: options(21) }, ["/actions range"]],
  [
    "HP-048 an invented action of a known type",
    { ...approval, actions: [{ id: "approve" }, { id: "select" }] },
    ["/actions/1/id action"],
  ],
  [
    "edit on an escalation",
    { type: "escalation", prompt: "?", actions: [{ id: "edit" }] },
    ["/actions/0/id action"],
  ],
  [
    "the same action twice",
    { ...approval, actions: [{ id: "approve" }, { id: "approve" }] },
    ["/actions/1/id unique"],
  ],
  [
    "an action nobody can spell",
    { type: "x-demo", prompt: "?", actions: [{ id: "Go!" }] },
    ["/actions/0/id action"],
  ],
  [
    "an action with a name too long",
    { type: "x-demo", prompt: "?", actions: [{ id: "a".repeat(65) }] },
    ["/actions/0/id action"],
  ],
  [
    "everything at once",
    { ...input, prompt: "", options: [], actions: [] },
    ["/prompt blank", "/options not_here", "/actions range"],
  ],
])("%s is refused", (_name, ask, expected) => {
  expect(flaws(ask)).toEqual(expected);
});

test("HP-072 dates as bounds are stored as epoch milliseconds, in fields and in steps", () => {
  const validation = { min: "2026-01-01", max: 1_800_000_000_000 };
  const date = { key: "day", label: "Day", type: "date", validation } as const;
  const stored = { ...date, validation: { min: 1_767_225_600_000, max: 1_800_000_000_000 } };
  expect(normaliseAsk({ ...input, form: { fields: [date] } })).toEqual({
    ...input,
    form: { fields: [stored] },
  });
  const steps = (field: object) => ({ session_id: "s", steps: [{ title: "One", fields: [field] }] }) as never;
  expect(normaliseAsk({ ...input, form: steps(date) })).toEqual({ ...input, form: steps(stored) });
});

test("bounds that are no dates, or cannot be converted, stay unchanged", () => {
  const fields = [
    { key: "n", label: "N", type: "number", validation: { min: 1 } },
    { key: "d", label: "D", type: "date" },
    { key: "e", label: "E", type: "date", validation: { min: "soon", max: "2026-02-30" } },
    { key: "f", label: "F", type: "date", validation: {} },
  ] as const;
  const ask: Ask = { ...input, form: { fields } };
  expect(normaliseAsk(ask)).toEqual(ask);
  expect(normaliseAsk(approval)).toBe(approval);
});

test("converting bounds twice changes nothing more", () => {
  const field = { key: "d", label: "D", type: "date", validation: { min: "2026-01-01T12:00:00Z" } } as const;
  const once = normaliseAsk({ ...input, form: { fields: [field] } });
  expect(normaliseAsk(once)).toEqual(once);
  expect(checkAsk(once, plainJudge)).toEqual([]);
});

test("E-06 uses must be a whole number from 1 to 10,000, and one use is stored as the default", () => {
  for (const uses of [0, -1, 1.5, 10_001, Number.NaN])
    expect(flaws({ ...approval, uses })).toEqual(["/uses range"]);
  expect(normaliseAsk({ ...approval, uses: 1 })).toEqual(approval);
  expect(normaliseAsk({ ...approval, uses: 2 })).toEqual({ ...approval, uses: 2 });
});
