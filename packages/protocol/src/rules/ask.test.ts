import { expect, test } from "vitest";
import {
  ASK_TYPES,
  type AskType,
  actionsOf,
  hasUsesLeft,
  isGranting,
  isKnownType,
  shownActions,
} from "./index.ts";

const ids = (type: AskType) => actionsOf({ type }).map((action) => action.id);

test.each([
  ["HP-043", "approval", ["approve", "edit", "reject"]],
  ["HP-044", "selection", ["select"]],
  ["HP-045", "input", ["submit"]],
  ["HP-046", "confirmation", ["confirm", "cancel"]],
  ["HP-047", "escalation", ["retry", "skip", "abort"]],
  ["HP-049", "x-demo-compare", ["submit"]],
] as const)("%s %s offers its own actions", (_line, type, actions) => {
  expect(ids(type)).toEqual(actions);
});

test("HP-049 a custom type offers the actions that its author declared", () => {
  const actions = [{ id: "left", label: "Left" }, { id: "right" }];
  expect(actionsOf({ type: "x-demo-compare", actions })).toEqual(actions);
});

test("an author narrows and relabels the actions of a known type without losing their style", () => {
  expect(actionsOf({ type: "approval", actions: [{ id: "approve", label: "Ship it" }] })).toEqual([
    { id: "approve", label: "Ship it", style: "primary" },
  ]);
});

test("G15 a button says first what its action means, then the asker's label, in the style of its type", () => {
  const swapped = [
    { id: "approve", label: "Reject", style: "danger" },
    { id: "reject", label: "Approve", style: "primary" },
    { id: "edit", label: " REQUEST changes ", style: "primary" },
  ] as const;
  expect(shownActions({ type: "approval", actions: swapped })).toEqual([
    { id: "approve", word: "Approve", label: "Approve: Reject", style: "primary" },
    { id: "reject", word: "Reject", label: "Reject: Approve", style: "danger" },
    { id: "edit", word: "Request changes", label: "Request changes", style: "default" },
  ]);
  expect(shownActions({ type: "confirmation", actions: [{ id: "cancel", label: " " }] })[0]?.label).toBe(
    "Cancel",
  );
});

test("G15 a type of its author's own cannot give the action of a known type another meaning either", () => {
  const actions = [
    { id: "approve", label: "Reject", style: "danger" },
    { id: "left", label: "Left" },
  ] as const;
  expect(shownActions({ type: "x-demo", actions: [...actions, { id: "right", style: "danger" }] })).toEqual([
    { id: "approve", word: "Approve", label: "Approve: Reject", style: "primary" },
    { id: "left", word: "Left", label: "Left", style: "default" },
    { id: "right", word: "right", label: "right", style: "danger" },
  ]);
});

test("only the five types are known, and names that every object inherits are not", () => {
  expect(ASK_TYPES.every(isKnownType)).toBe(true);
  expect(["x-demo", "constructor", "__proto__", ""].some(isKnownType)).toBe(false);
});

test.each([
  ["approval", "approve", true],
  ["approval", "edit", false],
  ["approval", "reject", false],
  ["confirmation", "cancel", false],
  ["escalation", "retry", true],
  ["escalation", "skip", false],
  ["x-demo", "left", true],
  ["x-demo", "decline", false],
] as const)("an answer to %s with %s lets the agent go on: %s", (type, action, granting) => {
  expect(isGranting({ type }, action)).toBe(granting);
});

test("E-06 an approval is used once unless its ask says how often", () => {
  expect([hasUsesLeft({}, 0), hasUsesLeft({}, 1)]).toEqual([true, false]);
  expect([hasUsesLeft({ uses: 3 }, 2), hasUsesLeft({ uses: 3 }, 3)]).toEqual([true, false]);
  expect(hasUsesLeft({ uses: "unlimited" }, 1_000_000)).toBe(true);
});
