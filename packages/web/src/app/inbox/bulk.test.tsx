import type { Hold } from "@holdpoint/protocol/client";
import { loadParts } from "@holdpoint/react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { labelOf } from "../unsent.ts";
import { actionsForAll, Listed } from "./bulk.tsx";
import { Compare } from "./compare.tsx";
import { linesOf } from "./facts.ts";

beforeAll(() => loadParts());

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

test("G12 the list of holds that are answered together shows the call of each of them", () => {
  const context = { tool: "shell", args: { command: "rm -rf /srv" }, amount: "\u202e1" };
  const markup = renderToStaticMarkup(
    <Listed hold={{ ...PLAIN, context, createdBy: "bot", uses: "unlimited" }} />,
  );
  for (const words of ["shell", "rm -rf /srv", "any number of times", "⟦U+202E⟧"])
    expect(markup).toContain(words);
  expect(markup).not.toContain("\u202e");
});

test("G15 comparing says how many of the marked holds it leaves out", () => {
  const marked = (count: number) => Array.from({ length: count }, (_, n) => ({ ...PLAIN, id: `hold_${n}` }));
  const drawn = (count: number) =>
    renderToStaticMarkup(<Compare holds={marked(count)} onClose={() => undefined} />);
  expect(drawn(8)).toContain("These are the first 6 of the 8 marked. The other 2 are not shown here.");
  expect(drawn(6)).not.toContain("not shown");
});

test("comparing shows empty objects too", () => {
  expect([...linesOf({ filter: {}, list: [], name: "" })]).toEqual([
    ["filter", "{}"],
    ["list", "[]"],
    ["name", ""],
  ]);
});
