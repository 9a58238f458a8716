/** Nobody answers with what the inputs of a form did not show (G12). */

import type { Field, Form, Json } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { fillIn, startForm } from "./form-state.ts";

const HIDDEN = "Ada\nand\u202e\u200b Mallory";

function formOf(...fields: readonly (readonly [type: Field["type"], begun?: Json])[]): Form {
  return {
    fields: fields.map(([type, begun], at) => ({
      key: `k${at}`,
      label: "It",
      type,
      ...(begun === undefined ? {} : { default: begun }),
      ...(type === "select" ? { options: [{ value: "a", label: "A" }] } : {}),
    })),
  };
}

describe("a form that starts", () => {
  test("G12 has no default that its inputs do not show whole", () => {
    const wrong = formOf(
      ["text", "Ada\nand Mallory"],
      ["text", "Ada\u202e\u200bx"],
      ["textarea", "one\u200b"],
      ["url", "https://a.example/\u200b"],
      ["x-address", { hidden: true }],
    );
    expect(startForm(wrong).values).toEqual({});
  });

  test("has the defaults that its inputs show", () => {
    const right = formOf(["text", "Ada"], ["textarea", "one\ntwo"], ["number", 2], ["boolean", true]);
    expect(startForm(right).values).toEqual({ k0: "Ada", k1: "one\ntwo", k2: 2, k3: true });
  });

  test("G12 goes on from a draft as its inputs show it, because somebody else may have written into it", () => {
    const form = formOf(["text"], ["textarea"], ["x-own"], ["number", 3]);
    const values = { k0: HIDDEN, k1: HIDDEN, k2: { hidden: true }, k3: 4, other: "x" };
    expect(startForm(form, { values }).values).toEqual({
      k0: "Adaand Mallory",
      k1: "Ada\nand Mallory",
      k3: 4,
    });
  });

  test("G12 takes no value that came late and that its inputs do not show whole", () => {
    const form = formOf(["text"], ["text"], ["textarea"]);
    const filled = fillIn(form, startForm(form), { k0: HIDDEN, k1: "Ada", k2: "one\ntwo" });
    expect(filled.values).toEqual({ k1: "Ada", k2: "one\ntwo" });
  });

  test("takes what a page's own inputs show", () => {
    const form = formOf(["x-address", { street: "A" }], ["x-address"]);
    const values = startForm(form, {}, (_field, value) => value).values;
    expect(values).toEqual({ k0: { street: "A" } });
    const filled = fillIn(form, startForm(form), { k1: { street: "B" } }, (_field, value) => value);
    expect(filled.values).toEqual({ k1: { street: "B" } });
  });
});
