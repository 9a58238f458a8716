import { describe, expect, it } from "vitest";
import type { Json } from "../rules/index.ts";
import { bareAnswer, barePayload } from "./bare-answer.ts";

/** Each in a list of its own: `it.each` would spread a payload that is a list over the test's parameters. */
const one = (payloads: readonly (Json | undefined)[]) => payloads.map((payload) => [payload] as const);
const arrives = (payload: Json | undefined) => barePayload(bareAnswer(payload));

describe("the answer to a bare interrupt", () => {
  it.each(
    one([
      undefined,
      null,
      false,
      0,
      "",
      "  ",
      "no",
      "No.",
      "REJECTED",
      "cancel",
      "No, thanks",
      "nope",
      "not now",
      "Don’t pay him",
      "do not",
      "cancel it",
      "reject: too much",
      "false",
      '"no"',
      '{"approved":false}',
      {},
      [],
      { approved: false },
      { confirmed: false },
      { value: "no" },
      { cancelled: true },
      { rejected: true },
      { denied: true, by: "ada" },
      { isApproved: false },
      { confirm: false },
      { response: "no" },
      { behavior: "deny", message: "too much" },
      { type: "reject", args: "too much" },
      [{ type: "ignore" }],
      { decisions: [{ type: "approve" }, { type: "reject", message: "no" }] },
      { approved: null },
      { confirmed: null },
      { value: null },
      { approved: [] },
      { choice: [] },
      { decisions: [] },
      { decisions: null },
      { action: "approve", approved: null },
      [{ decisions: [] }],
      '{"approved":null}',
      '{"decisions":[]}',
    ]),
  )("G14: the answer %j is a rejection, and arrives as false", (payload) => {
    expect(bareAnswer(payload)).toEqual({ action: "reject", data: {} });
    expect(arrives(payload)).toBe(false);
  });

  it("G14 a payload that is nested too deeply to be read is a rejection", () => {
    const deep = Array.from({ length: 20 }).reduce<Json>((inside) => [inside], "yes");
    expect(arrives(deep)).toBe(false);
  });

  it.each(
    one([
      true,
      "yes",
      "Bern",
      "Nova Scotia",
      "notify Ada",
      "0.5",
      { rejected: false, approved: true },
      { rejected: null, approved: true },
      '{"city":"Bern"}',
      7,
      { approved: true },
      { value: "x" },
      [{ type: "accept" }],
    ]),
  )("the answer %j is an approval, and arrives as it was sent", (payload) => {
    expect(bareAnswer(payload).action).toBe("approve");
    expect(arrives(payload)).toEqual(payload);
  });

  it("G14 an approval with changed arguments arrives as false, because the changes would be lost", () => {
    expect(barePayload({ action: "approve", data: { edited_args: { amount: 5 } } })).toBe(false);
  });
});
