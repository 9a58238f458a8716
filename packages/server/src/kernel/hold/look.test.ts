import { describe, expect, test } from "vitest";
import { decidedHold, link, NOW, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";

const open = { kind: "open_hold", holdId: "h1" } as const;
const progress = { kind: "progress_hold", holdId: "h1" } as const;
const steps = { current_step: 1, total_steps: 2, completed_fields: 1, total_fields: 3 };

describe("opening a hold", () => {
  test("is noted the first time only, and decides nothing (G6)", () => {
    const once = given(openHold()).when(open).then("hold.opened");
    expect(once.hold()).toEqual({ ...openHold(), openedAt: NOW });
    once.when(open, { now: NOW + 5 }).then();
  });

  test("of a hold that is over changes nothing", () => {
    given(decidedHold()).when(open).then();
  });

  test("brings forward what the clock has decided, and nothing else", () => {
    const after = given(openHold({ expiresAt: NOW }))
      .when(open)
      .then("hold.expired");
    expect(after.hold()).not.toHaveProperty("openedAt");
  });

  test("by a link needs a living link to that hold", () => {
    const by = reviewer(link().body);
    given(openHold(), link())
      .when({ ...open, linkHash: "hash-1" }, { by })
      .then("hold.opened");
    given(openHold(), link({ revokedAt: 5 }))
      .when({ ...open, linkHash: "hash-1" }, { by })
      .refused("not_allowed");
    given(openHold(), link({ holdId: "h9" }))
      .when({ ...open, linkHash: "hash-1" }, { by })
      .refused("not_found");
    given(openHold()).when(open, { by }).refused("not_found");
    given().when(open).refused("not_found");
  });
});

describe("beginning to fill it in", () => {
  test("states the opening first: nobody fills in what they have not seen", () => {
    const after = given(openHold()).when(progress).then("hold.opened", "hold.progressed");
    expect(after.hold()).toEqual({ ...openHold(), openedAt: NOW, progressedAt: NOW });
  });

  test("is noted again only when it says how far it got", () => {
    const begun = given(openHold({ openedAt: 1 }))
      .when(progress)
      .then("hold.progressed");
    begun.when(progress).then();
    const further = begun.when({ ...progress, progress: steps }, { now: NOW + 1 }).then("hold.progressed");
    expect(further.hold()).toMatchObject({ progress: steps, progressedAt: NOW + 1, status: "open" });
    further.when({ ...progress, progress: { ...steps } }, { now: NOW + 2 }).then();
    const back = { ...steps, completed_fields: steps.completed_fields + 1 };
    further.when({ ...progress, progress: back }, { now: NOW + 2 }).then("hold.progressed");
  });

  test("keeps a draft beside the hold, for the person who comes back", () => {
    const draft = { values: { city: "Bonn" }, step: 1 };
    const before = given(openHold({ openedAt: 1, progressedAt: 1 }));
    const after = before.when({ ...progress, draft }).then("hold.draft_saved");
    expect(after.get("form_session", "h1")).toEqual({ holdId: "h1", ...draft, savedAt: NOW });
    expect(after.hold()).toBe(before.hold());
  });

  test("is too late for a hold that is over", () => {
    given(decidedHold()).when(progress).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(progress)
      .refused("hold_expired", "hold.expired");
    given().when(progress).refused("not_found");
  });
});
