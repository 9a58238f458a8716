import { describe, expect, test } from "vitest";
import {
  ADMIN,
  APPROVAL,
  APPROVED,
  decidedHold,
  NOW,
  OPERATOR,
  openHold,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { personRow } from "../../testing/people.ts";
import { evolveHold } from "../../testing/tables.ts";
import { emailAccountId } from "../people/person.ts";
import { SYSTEM } from "../principal.ts";
import type { Hold, Outcome } from "./hold.ts";

const erase = { kind: "erase_hold", holdId: "h1" } as const;
const by = ADMIN;

const person = { kind: "session", id: "s1", name: "Ada", claimed: { email: "ada@example.test" } } as const;
const full: Partial<Hold> = {
  key: "refund:o-1",
  metadata: { secret: "m" },
  onTimeout: { action: "reject", data: { secret: "t" } },
  callbackUrl: "https://agent.test/secret",
  answerers: ["ada"],
  progress: { current_step: 1, total_steps: 1, completed_fields: 1, total_fields: 1 },
  face: { secret: "f" },
  rungs: [{ at: 1, kind: "attempt", n: 2, channel: "chat", to: "lead@example.test", state: "fired" }],
  claim: { id: "c", by: "key:refunder", at: 1, until: 2, state: "done", detail: { secret: "c" } },
};

describe("erasing", () => {
  test.each<[Outcome, Outcome]>([
    [
      { ...APPROVED, data: { secret: "d" }, by: person, shown: "sha256:h1" },
      { ...APPROVED, data: {}, by: { kind: "session", id: "s1" } },
    ],
    [
      { kind: "expired", default: { action: "reject" }, reason: "r", at: 5 },
      { kind: "expired", at: 5 },
    ],
    [
      { kind: "cancelled", cancelledBy: person, reason: "secret", at: 5 },
      { kind: "cancelled", cancelledBy: { kind: "session", id: "s1" }, at: 5 },
    ],
  ])("erasing a hold removes content, names and salt and keeps ids and times: $kind", (outcome, bare) => {
    const before = openHold({ ...full, status: outcome.kind, outcome });
    const after = given(before).when(erase, { by }).then("hold.erased");
    expect(after.hold()).toEqual({
      id: "h1",
      ask: null,
      digest: "sha256:h1",
      salt: null,
      status: outcome.kind,
      createdBy: "refunder",
      creatorKey: "key_refunder",
      createdAt: 0,
      rungs: [{ at: 1, kind: "attempt", n: 2, channel: "chat", state: "fired" }],
      attempt: 1,
      links: "agent",
      outcome: bare,
      claim: { id: "c", by: "key:refunder", at: 1, until: 2, state: "done", detail: {} },
      erasedAt: NOW,
    });
  });

  test("erasing a hold removes the recipients of its links, on request and by retention", () => {
    const link = (hash: string, recipient?: string) => ({
      ...{ id: `link_${hash}`, hash, purpose: "review" as const },
      ...(recipient === undefined ? {} : { recipient }),
    });
    const make = (made: ReturnType<typeof link>) =>
      ({ kind: "make_link", holdId: "h1", link: made }) as const;
    const owner = {
      kind: "account",
      id: emailAccountId("ada@example.com"),
      body: { personId: "ada" },
    } as const;
    const begun = given(openHold({ retainMs: 5, addressed: ["gone"] }), personRow("ada"), owner)
      .when(make(link("a", "ada@example.com")), { by })
      .then("hold.link_made")
      .when(make(link("b")), { by })
      .then("hold.link_made")
      .when({ kind: "cancel_hold", holdId: "h1" }, { by })
      .then("hold.cancelled");
    expect(begun.hold().addressed).toEqual(["gone", "a"]);
    expect(begun.get("link", "h1.a")).toMatchObject({ recipient: "ada@example.com", personId: "ada" });
    for (const [command, circumstances] of [
      [erase, { by }],
      [
        { kind: "tick_hold", holdId: "h1" },
        { by: SYSTEM, now: NOW + 5 },
      ],
    ] as const) {
      const after = begun.when(command, circumstances).then("hold.erased");
      expect(after.get("link", "h1.a")).toMatchObject({ id: "link_a", hash: "a" });
      expect(after.get("link", "h1.a")).not.toHaveProperty("personId");
      const ofHold = [...after.rows].filter(([name]) => !name.startsWith("account "));
      expect(JSON.stringify(ofHold)).not.toContain("ada@example.com");
      expect(after.hold()).not.toHaveProperty("addressed");
    }
  });

  test("a hold is erased once, only after it ended and only by an admin", () => {
    given(decidedHold()).when(erase, { by }).then("hold.erased").when(erase, { by }).then();
    given(openHold()).when(erase, { by }).refused("not_settled");
    given().when(erase, { by }).refused("not_found");
    given(decidedHold()).when(erase, { by: OPERATOR }).refused("not_allowed");
  });

  test("erasing a hold that was never claimed adds no claim", () => {
    expect(given(decidedHold()).when(erase, { by }).then("hold.erased").hold()).not.toHaveProperty("claim");
  });

  test("evolving hold.erased removes the content even if the hold has no outcome", () => {
    expect(evolveHold(openHold(), { type: "hold.erased" }, 7)).toMatchObject({
      ask: null,
      salt: null,
      erasedAt: 7,
    });
  });
});

test("evolve throws for a fact about a hold that was never placed", () => {
  expect(() => evolveHold(undefined, { type: "hold.opened" }, 1)).toThrow(
    "hold.opened about hold h1, which was never placed",
  );
});

test("evolving hold.placed returns the hold of the fact", () => {
  const hold = openHold({ ask: APPROVAL });
  expect(evolveHold(undefined, { type: "hold.placed", hold }, 1)).toBe(hold);
});
