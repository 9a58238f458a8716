import { describe, expect, test } from "vitest";
import type { Entity } from "../core/entity.ts";
import { openHold } from "../testing/core-samples.ts";
import { Overlay } from "./overlay.ts";

const key = { workspace: "w", kind: "hold", id: "h1" } as const;
const stored: Entity = {
  ...key,
  version: 3,
  seq: 7,
  head: "sha256:x",
  body: openHold() as unknown as Entity["body"],
};
const loaded = () => {
  const overlay = new Overlay();
  overlay.fill([key, { ...key, id: "h2" }], [stored]);
  return overlay;
};
const change = (id: string, part = {}) => ({ kind: "hold", id, body: openHold({ id, ...part }) }) as const;

describe("what was loaded", () => {
  test("is there; what was not found is known to be absent", () => {
    const overlay = loaded();
    expect(overlay.entity(key)).toEqual(stored);
    expect(overlay.has({ ...key, id: "h2" })).toBe(true);
    expect(overlay.entity({ ...key, id: "h2" })).toBeUndefined();
    expect(overlay.has({ ...key, id: "h3" })).toBe(false);
    expect(overlay.puts()).toEqual([]);
  });

  test("is seen per workspace", () => {
    expect(loaded().draft("w").version("hold", "h1")).toBe(3);
    expect(loaded().draft("other").get("hold", "h1")).toBeUndefined();
    expect(loaded().draft("other").version("hold", "h1")).toBe(0);
    expect(loaded().draft("other").head("hold", "h1")).toEqual({ seq: 0, head: "" });
  });
});

describe("a draft", () => {
  test("sees its own changes, and nobody else does until it is kept", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    draft.apply(change("h1", { openedAt: 5 }));
    expect(draft.get("hold", "h1")?.openedAt).toBe(5);
    expect(overlay.draft("w").get("hold", "h1")).not.toHaveProperty("openedAt");
    draft.keep();
    expect(overlay.draft("w").get("hold", "h1")?.openedAt).toBe(5);
  });

  test("that is never kept leaves no trace", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    draft.apply(change("h1", { openedAt: 5 }));
    draft.append("hold", "h1", 8, "sha256:y");
    expect(overlay.entity(key)).toEqual(stored);
    expect(overlay.puts()).toEqual([]);
  });

  test("makes one version, however many facts it takes", () => {
    const overlay = loaded();
    const first = overlay.draft("w");
    first.apply(change("h1", { openedAt: 5 }));
    first.append("hold", "h1", 8, "sha256:y");
    first.apply(change("h1", { openedAt: 5, progressedAt: 5 }));
    first.append("hold", "h1", 9, "sha256:z");
    expect(first.head("hold", "h1")).toMatchObject({ seq: 9, head: "sha256:z" });
    first.keep();
    const second = overlay.draft("w");
    second.apply(change("h1", { openedAt: 5, progressedAt: 6 }));
    second.keep();
    expect(overlay.puts()).toEqual([
      {
        key,
        expected: 3,
        version: 5,
        seq: 9,
        head: "sha256:z",
        body: openHold({ openedAt: 5, progressedAt: 6 }),
      },
    ]);
  });
});

describe("puts", () => {
  test("expect nothing of what is new, known to be absent or not", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    draft.apply(change("h2"));
    draft.apply(change("h3"));
    draft.keep();
    expect(overlay.puts()).toMatchObject([
      { key: { id: "h2" }, expected: 0, version: 1, seq: 0 },
      { key: { id: "h3" }, expected: 0, version: 1, seq: 0 },
    ]);
  });

  test("delete, and let what was deleted come back", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    draft.apply({ kind: "hold", id: "h1", body: null });
    draft.keep();
    expect(overlay.entity(key)).toBeUndefined();
    expect(overlay.puts()).toMatchObject([{ expected: 3, version: 4, body: null }]);
    const again = overlay.draft("w");
    again.apply(change("h1"));
    again.keep();
    expect(overlay.puts()).toMatchObject([{ expected: 3, version: 5, seq: 7, body: { id: "h1" } }]);
  });

  test("name entities by their key alone, however they were wanted", () => {
    const overlay = new Overlay();
    const wanted = { ...key, read: true } as const;
    overlay.fill([wanted], []);
    const draft = overlay.draft("w");
    draft.apply(change("h1"));
    draft.keep();
    expect(overlay.puts()[0]?.key).toEqual(key);
  });
});
