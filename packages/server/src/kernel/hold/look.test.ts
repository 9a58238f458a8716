import { describe, expect, test } from "vitest";
import { decidedHold, link, NOW, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";

const open = { kind: "open_hold", holdId: "h1" } as const;
const progress = { kind: "progress_hold", holdId: "h1" } as const;
const steps = { current_step: 1, total_steps: 2, completed_fields: 1, total_fields: 3 };

describe("opening a hold", () => {
  test("the first opening of a hold is recorded and decides nothing; later ones change nothing (G6)", () => {
    const once = given(openHold()).when(open).then("hold.opened");
    expect(once.hold()).toEqual({ ...openHold(), openedAt: NOW });
    once.when(open, { now: NOW + 5 }).then();
  });

  test("opening an ended hold changes nothing", () => {
    given(decidedHold()).when(open).then();
  });

  test("opening a hold past its time states the expiry and records no opening", () => {
    const after = given(openHold({ expiresAt: NOW }))
      .when(open)
      .then("hold.expired");
    expect(after.hold()).not.toHaveProperty("openedAt");
  });

  test("opening through a link requires a valid link to that hold", () => {
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

describe("starting to fill in a hold", () => {
  test("the first progress on an unopened hold also states that it was opened", () => {
    const after = given(openHold()).when(progress).then("hold.opened", "hold.progressed");
    expect(after.hold()).toEqual({ ...openHold(), openedAt: NOW, progressedAt: NOW });
  });

  test("progress is recorded again only when the reported steps change", () => {
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

  test("a half-filled form is stored beside the hold and does not change the hold", () => {
    const draft = { values: { city: "Bonn" }, step: 1 };
    const before = given(openHold({ openedAt: 1, progressedAt: 1 }));
    const after = before.when({ ...progress, draft }).then("hold.draft_saved");
    expect(after.get("form_session", "h1")).toEqual({ holdId: "h1", ...draft, savedAt: NOW });
    expect(after.hold()).toBe(before.hold());
  });

  test("progress is refused on a hold that ended or does not exist", () => {
    given(decidedHold()).when(progress).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(progress)
      .refused("hold_expired", "hold.expired");
    given().when(progress).refused("not_found");
  });
});
