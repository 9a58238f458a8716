import { describe, expect, it } from "vitest";
import { type Ask, isCallUnknown } from "./ask.ts";
import { needsNote, noteProblems } from "./unknown-call.ts";

const unknown: Ask = { type: "approval", prompt: "Run it?", context: { call_unknown: true } };
const known: Ask = { type: "approval", prompt: "Run it?", context: { tool: "pay", args: {} } };

describe("an approval of an unknown call", () => {
  it("G15: an approval of an unknown call is recognised by its context", () => {
    expect(
      [unknown, known, { context: { call_unknown: "yes" } }, {}].map((ask) => isCallUnknown(ask)),
    ).toEqual([true, false, false, false]);
  });

  it("G15: an approval of an unknown call needs a note, and a refusal needs none", () => {
    expect(["approve", "edit", "reject"].map((action) => needsNote(unknown, action))).toEqual([
      true,
      false,
      false,
    ]);
    expect(needsNote({ ...unknown, type: "confirmation" }, "confirm")).toBe(true);
    expect(needsNote({ ...unknown, type: "input" }, "submit")).toBe(false);
    expect(needsNote(known, "approve")).toBe(false);
  });

  it("G15: an approval of an unknown call with an empty note is refused", () => {
    for (const data of [{}, { note: "" }, { note: "  " }, { note: 5 }])
      expect(noteProblems(unknown, "approve", data)).toMatchObject([{ key: "/note", rule: "required" }]);
    expect(noteProblems(unknown, "approve", { note: "I looked at the ledger." })).toEqual([]);
    expect(noteProblems(unknown, "reject", {})).toEqual([]);
  });
});
