import type { Hold } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { labelOf } from "../unsent.ts";
import { actionsForAll } from "./bulk.tsx";

function approval(actions: Hold["actions"], context: Hold["context"] = {}): Hold {
  return { id: "hold_1", type: "approval", prompt: "?", context, actions } as Hold;
}

const SWAPPED = approval([
  { id: "approve", label: "Reject", style: "danger" },
  { id: "reject", label: "Approve", style: "primary" },
]);
const PLAIN = approval([
  { id: "approve", label: "Approve", style: "primary" },
  { id: "reject", label: "Reject", style: "danger" },
]);

test("G15 answers to several holds use the words of the type, not the labels of the first hold", () => {
  expect(actionsForAll([SWAPPED, PLAIN]).map(({ id, word, style }) => [id, word, style])).toEqual([
    ["approve", "Approve", "primary"],
    ["reject", "Reject", "danger"],
  ]);
});

test("answers to several holds are only those that every one of them takes without more words", () => {
  const onlyReject = approval([{ id: "reject", label: "Reject" }]);
  const unknown = approval(PLAIN.actions, { call_unknown: true });
  expect(actionsForAll([PLAIN, onlyReject]).map(({ id }) => id)).toEqual(["reject"]);
  expect(actionsForAll([PLAIN, unknown]).map(({ id }) => id)).toEqual(["reject"]);
});

test("G15 an answer on its way is named by what it does first", () => {
  expect(labelOf(SWAPPED, "approve")).toBe("Approve: Reject");
  expect(labelOf(SWAPPED, "other")).toBe("other");
});
