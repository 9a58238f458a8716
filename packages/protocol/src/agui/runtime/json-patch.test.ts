import { describe, expect, it } from "vitest";
import type { Json } from "../../rules/index.ts";
import { PatchedDocument, type PatchStep } from "./json-patch.ts";

const apply = (document: Json, ...steps: readonly PatchStep[]): Json => {
  const patched = new PatchedDocument(document);
  patched.apply(steps);
  return patched.value;
};

describe("a patched document", () => {
  const document = { a: { b: [1, 2] }, c: null };

  it.each<[string, readonly PatchStep[], Json]>([
    ["adds a member", [{ op: "add", path: "/a/x", value: 1 }], { a: { b: [1, 2], x: 1 }, c: null }],
    ["adds in a list", [{ op: "add", path: "/a/b/1", value: 9 }], { a: { b: [1, 9, 2] }, c: null }],
    ["adds at a list's end", [{ op: "add", path: "/a/b/-", value: 9 }], { a: { b: [1, 2, 9] }, c: null }],
    ["replaces in a list", [{ op: "replace", path: "/a/b/0", value: 9 }], { a: { b: [9, 2] }, c: null }],
    ["removes from a list", [{ op: "remove", path: "/a/b/0" }], { a: { b: [2] }, c: null }],
    ["removes a member", [{ op: "remove", path: "/a" }], { c: null }],
    ["moves", [{ op: "move", from: "/a/b", path: "/c" }], { a: {}, c: [1, 2] }],
    ["replaces the whole", [{ op: "replace", path: "", value: 5 }], 5],
    ["removes the whole", [{ op: "remove", path: "" }], null],
    ["tests", [{ op: "test", path: "/a", value: { b: [1, 2] } }], document],
    [
      "copies, and what is copied is not the same thing",
      [
        { op: "copy", from: "/a", path: "/c" },
        { op: "add", path: "/c/b/-", value: 3 },
      ],
      { a: { b: [1, 2] }, c: { b: [1, 2, 3] } },
    ],
    [
      "takes a member called __proto__",
      [{ op: "add", path: "/__proto__", value: 1 }],
      JSON.parse(`{"a":{"b":[1,2]},"c":null,"__proto__":1}`),
    ],
  ])("%s, and does not change the document that it was made from", (_what, steps, expected) => {
    const before = structuredClone(document);
    expect(apply(document, ...steps)).toEqual(expected);
    expect(document).toEqual(before);
  });

  it.each<[string, PatchStep]>([
    ["a step it does not know", { op: "grow", path: "/a" }],
    ["a path that leads nowhere", { op: "add", path: "/x/y", value: 1 }],
    ["replacing what is not there", { op: "replace", path: "/x", value: 1 }],
    ["a place beyond a list's end", { op: "add", path: "/a/b/3", value: 1 }],
    ["a test that fails", { op: "test", path: "/c", value: 1 }],
    ["a step without a value", { op: "add", path: "/x" }],
    ["what is no pointer", { op: "add", path: "x", value: 1 }],
  ])("undoes all steps of an event that ends in %s", (_what, wrong) => {
    const patched = new PatchedDocument(document);
    patched.apply([{ op: "add", path: "/mine", value: [1, 2, 3] }]);
    const before = structuredClone(patched.value);
    const steps: PatchStep[] = [
      { op: "add", path: "/mine/0", value: 0 },
      { op: "remove", path: "/mine/2" },
      { op: "replace", path: "/c", value: 1 },
      { op: "remove", path: "/c" },
      { op: "add", path: "/a/new", value: 1 },
    ];
    expect(() =>
      patched.apply([
        { op: "add", path: "/c", value: null },
        ...steps,
        { op: "add", path: "/c", value: 2 },
        wrong,
      ]),
    ).toThrow();
    expect(patched.value).toEqual(before);
  });

  it("does not change a value that it has already returned", () => {
    const patched = new PatchedDocument({ list: [1] });
    patched.apply([{ op: "add", path: "/list/-", value: 2 }]);
    const given = patched.value;
    patched.apply([{ op: "add", path: "/list/-", value: 3 }]);
    expect(given).toEqual({ list: [1, 2] });
    expect(patched.value).toEqual({ list: [1, 2, 3] });
  });

  it("G13: copies a wide object once, however many events write to it", () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at]));
    let copied = 0;
    const patched = new PatchedDocument(
      new Proxy(wide, {
        ownKeys(target) {
          copied += 1;
          return Reflect.ownKeys(target);
        },
      }),
    );
    for (let at = 0; at < 500; at += 1) patched.apply([{ op: "replace", path: `/k${at}`, value: "new" }]);
    expect(patched.value).toMatchObject({ k0: "new", k499: "new", k500: 500 });
    expect(copied).toBe(1);
  });

  it("G13: refuses copies that double a document again and again", () => {
    const patched = new PatchedDocument({ a: [0] });
    const steps = Array.from({ length: 40 }, (): PatchStep => ({ op: "copy", from: "", path: "/a/-" }));
    expect(() => patched.apply(steps)).toThrow("at most 500000 values");
    expect(patched.value).toEqual({ a: [0] });
  });

  it("G13: refuses to compare a wide object again and again", () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at]));
    const steps = Array.from({ length: 500 }, (): PatchStep => ({ op: "test", path: "/a", value: wide }));
    expect(() => apply({ a: wide }, ...steps)).toThrow("at most 500000 values");
  });

  it("G13: moving the rest of a long list counts as work, and a step at its end does not", () => {
    const list = new Array<Json>(1_000_000).fill(0);
    const many = (path: string) => Array.from({ length: 100 }, () => ({ op: "add", path, value: 1 }));
    const grown = apply({ list }, ...many("/list/-")) as { readonly list: readonly Json[] };
    expect(grown.list).toHaveLength(1_000_100);
    expect(() => apply({ list }, ...many("/list/0"))).toThrow("copy, compare and move at most");
    const fewer = Array.from({ length: 100 }, () => ({ op: "remove", path: "/list/0" }));
    expect(() => apply({ list }, ...fewer)).toThrow("copy, compare and move at most");
  });
});
