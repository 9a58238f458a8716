import { describe, expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";
import type { HoldFact } from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import { NO_PLATFORM } from "../kernel/platform.ts";
import { openHold } from "../testing/core-samples.ts";
import type { CommandDraft } from "./draft.ts";
import { Overlay } from "./overlay.ts";

const key = { workspace: "w", kind: "hold", id: "h1" } as const;
const stored: Entity = {
  ...key,
  version: 3,
  seq: 7,
  head: "sha256:x",
  body: openHold(),
};
const loaded = () => {
  const overlay = new Overlay({ table: TABLE, platform: NO_PLATFORM, seals: {} });
  overlay.fill([key, { ...key, id: "h2" }], [stored]);
  return overlay;
};
const state = (draft: CommandDraft, id: string, fact: HoldFact, at = 5) =>
  draft.state({ kind: "hold", id, fact, at, actor: "system" });
const place = (draft: CommandDraft, id: string) =>
  state(draft, id, { type: "hold.placed", hold: openHold({ id }) });
const opened: HoldFact = { type: "hold.opened" };
const progressed: HoldFact = { type: "hold.progressed" };
const openedAt = (draft: CommandDraft) => (draft.get("hold", "h1") as Hold | undefined)?.openedAt;

describe("loaded entities", () => {
  test("an entity that was loaded is found, and one that the store did not have is known to be absent", () => {
    const overlay = loaded();
    expect(overlay.entity(key)).toEqual(stored);
    expect(overlay.has({ ...key, id: "h2" })).toBe(true);
    expect(overlay.entity({ ...key, id: "h2" })).toBeUndefined();
    expect(overlay.has({ ...key, id: "h3" })).toBe(false);
    expect(overlay.puts()).toEqual([]);
  });

  test("each workspace sees only its own entities", () => {
    expect(loaded().draft("w").version("hold", "h1")).toBe(3);
    expect(loaded().draft("other").get("hold", "h1")).toBeUndefined();
    expect(loaded().draft("other").version("hold", "h1")).toBe(0);
  });
});

describe("drafts", () => {
  test("a draft sees its own facts at once, and other drafts see them after the commit", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    state(draft, "h1", opened);
    expect(openedAt(draft)).toBe(5);
    expect(openedAt(overlay.draft("w"))).toBeUndefined();
    expect(draft.commit()?.events).toMatchObject([{ type: "hold.opened", seq: 8, previous: "sha256:x" }]);
    expect(openedAt(overlay.draft("w"))).toBe(5);
  });

  test("a draft that is never committed changes nothing", () => {
    const overlay = loaded();
    state(overlay.draft("w"), "h1", opened);
    expect(overlay.entity(key)).toEqual(stored);
    expect(overlay.puts()).toEqual([]);
  });

  test("a rolled-back draft keeps the facts and events stated before keepSoFar, and drops the later ones", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    state(draft, "h1", opened);
    draft.keepSoFar();
    state(draft, "h1", progressed);
    draft.rollBack();
    expect(draft.commit()?.events.map(({ type }) => type)).toEqual(["hold.opened"]);
    expect(overlay.puts()).toMatchObject([{ expected: 3, version: 4, seq: 8 }]);
    expect(overlay.entity(key)?.body).not.toHaveProperty("progressedAt");
  });

  test("a draft that is rolled back without keepSoFar has nothing to commit", () => {
    const draft = loaded().draft("w");
    draft.keepSoFar();
    state(draft, "h1", opened);
    expect(draft.isWritten).toBe(true);
    draft.rollBack();
    expect(draft.isWritten).toBe(false);
    expect(draft.commit()).toBeNull();
  });

  test("a draft knows which entities were loaded, whether they exist or not", () => {
    const draft = loaded().draft("w");
    expect(draft.hasLoaded([key, { ...key, id: "h2" }])).toBe(true);
    expect(draft.hasLoaded([{ ...key, id: "h3" }])).toBe(false);
  });

  test("a draft raises the version by one, no matter how many facts it states", () => {
    const overlay = loaded();
    const first = overlay.draft("w");
    state(first, "h1", opened);
    state(first, "h1", progressed);
    first.commit();
    const second = overlay.draft("w");
    state(second, "h1", progressed, 6);
    second.commit();
    const body = openHold({ openedAt: 5, progressedAt: 6 });
    expect(overlay.puts()).toMatchObject([{ key, expected: 3, version: 5, seq: 10, body }]);
  });
});

describe("puts", () => {
  test("the put of a new entity expects version 0, whether its absence was loaded or not", () => {
    const overlay = loaded();
    const draft = overlay.draft("w");
    place(draft, "h2");
    place(draft, "h3");
    draft.commit();
    expect(overlay.puts()).toMatchObject([
      { key: { id: "h2" }, expected: 0, version: 1, seq: 1 },
      { key: { id: "h3" }, expected: 0, version: 1, seq: 1 },
    ]);
  });

  test("an entity can be deleted and created again in one batch", () => {
    const thread = { workspace: "w", kind: "thread", id: "t" } as const;
    const body = { threadId: "t", createdBy: "a", data: {}, keptAt: 1 };
    const overlay = loaded();
    overlay.fill([thread], [{ ...thread, version: 3, seq: 0, head: "", body }]);
    const frame = { kind: "thread", id: "t", at: 5, actor: "system" };
    const draft = overlay.draft("w");
    draft.state({ ...frame, fact: { type: "thread.forgotten" } });
    draft.commit();
    expect(overlay.entity(thread)).toBeUndefined();
    expect(overlay.puts()).toMatchObject([{ expected: 3, version: 4, body: null }]);
    const again = overlay.draft("w");
    const kept = { type: "thread.kept", thread: body };
    again.state({ ...frame, fact: kept });
    again.commit();
    expect(overlay.puts()).toMatchObject([{ expected: 3, version: 5, body: { threadId: "t" } }]);
  });

  test("a put contains only the entity's key, without the flags of the load", () => {
    const overlay = new Overlay({ table: TABLE, platform: NO_PLATFORM, seals: {} });
    const wanted = { ...key, read: true } as const;
    overlay.fill([wanted], []);
    const draft = overlay.draft("w");
    place(draft, "h1");
    draft.commit();
    expect(overlay.puts()[0]?.key).toEqual(key);
  });
});
