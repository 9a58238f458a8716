import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { applyPatches, namesOf, type Patch, whyTooMuch } from "./patch.ts";

describe("patch paths", () => {
  test.each([
    ["/a/b", ["a", "b"]],
    ["a/b", ["a", "b"]],
    ["plain", ["plain"]],
    ["/", []],
    ["", []],
    ["/a~1b/c~0d/~01", ["a/b", "c~d", "~1"]],
    ["/a//b", ["a", "", "b"]],
  ])("the patch path %j is split into the names %j", (path, names) => {
    expect(namesOf(path)).toEqual(names);
  });
});

describe("state patches", () => {
  const state = { text: "x", list: [1, [2]], deep: { er: { n: 1 } } };
  const apply = (...patches: readonly Patch[]) => applyPatches(state, patches);

  test.each<[Patch, object]>([
    [
      { op: "set", path: "/new/place", value: 1 },
      { ...state, new: { place: 1 } },
    ],
    [
      { op: "set", path: "/text" },
      { ...state, text: null },
    ],
    [
      { op: "set", path: "/list/1/0", value: 3 },
      { ...state, list: [1, [3]] },
    ],
    [
      { op: "append", path: "/list/1", value: 3 },
      { ...state, list: [1, [2, 3]] },
    ],
    [
      { op: "append", path: "/fresh", value: 3 },
      { ...state, fresh: [3] },
    ],
    [
      { op: "remove", path: "/deep/er" },
      { ...state, deep: {} },
    ],
    [
      { op: "remove", path: "/deep/er/n" },
      { ...state, deep: { er: {} } },
    ],
    [
      { op: "remove", path: "/list/0" },
      { ...state, list: [[2]] },
    ],
    [
      { op: "remove", path: "/list/1/0" },
      { ...state, list: [1, []] },
    ],
    [{ op: "remove", path: "/not/there" }, state],
    [{ op: "set", path: "", value: { all: 1 } }, { all: 1 }],
    [
      { op: "set", path: "/constructor/prototype", value: 1 },
      { ...state, constructor: { prototype: 1 } },
    ],
  ])("the patch %j is applied", (patch, expected) => {
    expect(apply(patch)).toEqual({ state: expected });
    expect(state).toEqual({ text: "x", list: [1, [2]], deep: { er: { n: 1 } } });
  });

  test.each<[Patch, string]>([
    [{ op: "set", path: "/text/in", value: 1 }, "path"],
    [{ op: "set", path: "/list/x", value: 1 }, "path"],
    [{ op: "set", path: "/list/2", value: 1 }, "path"],
    [{ op: "set", path: "/list/1/5/x", value: 1 }, "path"],
    [{ op: "set", path: "/list/00", value: 1 }, "path"],
    [{ op: "append", path: "/text", value: 1 }, "path"],
    [{ op: "append", path: "/", value: 1 }, "path"],
    [{ op: "remove", path: "" }, "path"],
    [{ op: "set", path: "", value: [] }, "value"],
    [{ op: "set", path: "x/".repeat(33), value: 1 }, "path"],
  ])("the patch %j is refused", (patch, place) => {
    expect(apply({ op: "set", path: "/fine", value: 1 }, patch)).toMatchObject({
      problems: [{ key: `/patches/1/${place}` }],
    });
  });

  test("patches cannot grow a state beyond the limits of one request", () => {
    const deep = Array.from({ length: 30 }, () => "d").join("/");
    const once = applyPatches({}, [{ op: "set", path: deep, value: {} }]);
    if (!("state" in once)) throw new Error("the first patch was refused");
    expect(applyPatches(once.state, [{ op: "set", path: `${deep}/d`, value: nested(30) }])).toHaveProperty(
      "problems",
    );
    expect(whyTooMuch({ text: "x".repeat(1_100_000) })).toMatchObject({
      problems: [{ message: "the state would be too large" }],
    });
    expect(whyTooMuch({ text: "x" })).toBeNull();
  });
});

function nested(levels: number): JsonObject {
  return levels === 0 ? {} : { n: nested(levels - 1) };
}

describe("large patch requests", () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at]));

  test("G13: a large object is copied once per request, not once per patch", () => {
    let copied = 0;
    const state = new Proxy(wide, {
      ownKeys(target) {
        copied += 1;
        return Reflect.ownKeys(target);
      },
    });
    const patches = Array.from({ length: 500 }, (_, at): Patch[] => [
      { op: "set", path: `/k${at}`, value: "new" },
      { op: "append", path: "/list", value: at },
      { op: "remove", path: `/k${at + 10_000}` },
    ]).flat();
    const patched = applyPatches(
      { state },
      patches.map((patch) => ({ ...patch, path: `/state${patch.path}` })),
    );
    const after = ("state" in patched ? patched.state : {})["state"] as JsonObject;
    expect(Object.keys(after)).toHaveLength(20_000 - 500 + 1);
    expect(after).toMatchObject({ k0: "new", k499: "new", k500: 500, k9999: 9999, k10500: 10_500 });
    expect(after["list"]).toHaveLength(500);
    expect(copied).toBe(1);
    expect(wide["k0"]).toBe(0);
  });

  test("patches change neither the previous state nor the values they carry", () => {
    const state = { list: [[1]], deep: { n: 1 } };
    const value = { inner: [1] };
    const before = structuredClone({ state, value });
    applyPatches(state, [
      { op: "append", path: "/list/0", value: 2 },
      { op: "set", path: "/deep/n", value: 2 },
      { op: "remove", path: "/deep/n" },
      { op: "set", path: "/given", value },
      { op: "append", path: "/given/inner", value: 2 },
      { op: "remove", path: "/list/0" },
      { op: "set", path: "/__proto__/polluted", value: true },
    ]);
    expect({ state, value }).toEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.each(["_io_inputs", "_io_outputs"])(
    "G13: a state declares at most 1,000 %s, unless it did before",
    (name) => {
      const declaring = (count: number) => ({
        [name]: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "review.n"])),
      });
      expect(whyTooMuch(declaring(1_000))).toBeNull();
      expect(whyTooMuch(declaring(1_001))).toMatchObject({
        problems: [{ message: `${name} would have more than 1000 members` }],
      });
      const old = declaring(1_001);
      expect(applyPatches(old, [{ op: "set", path: "/n", value: 1 }])).toHaveProperty("state.n", 1);
      expect(applyPatches(old, [{ op: "set", path: `/${name}/more`, value: "review.n" }])).toHaveProperty(
        "problems",
      );
    },
  );

  test("G13: a state of more than 50,000 values is refused with a message that names the limit", () => {
    const list = (count: number) => ({ list: Array.from({ length: count }, () => 0) });
    expect(whyTooMuch(list(49_998))).toBeNull();
    expect(whyTooMuch(list(49_999))).toMatchObject({
      problems: [{ message: "the state would have more than 50000 values" }],
    });
  });
});
