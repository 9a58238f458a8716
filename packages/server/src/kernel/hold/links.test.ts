import { describe, expect, test } from "vitest";
import type { Acl } from "../../openintent/rules/intent/intent.ts";
import {
  AGENT,
  AUDITOR,
  decidedHold,
  link,
  NOW,
  newLink,
  OPERATOR,
  OTHER_AGENT,
  openHold,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { closedFor, INTENT_ID, intentRow } from "../../testing/intent-samples.ts";
import { SYSTEM } from "../principal.ts";

const make = {
  kind: "make_link",
  holdId: "h1",
  link: newLink({ recipient: "lead", channel: "chat", attempt: 2 }),
} as const;
const revoke = { kind: "revoke_link", holdId: "h1", linkHash: "hash-1" } as const;

describe("making a link", () => {
  test.each([OPERATOR, SYSTEM])("is for people and for the server's own channels: $role", (by) => {
    const after = given(openHold()).when(make, { by }).then("hold.link_made");
    expect(after.get("link", "h1.hash-1")).toMatchObject({ holdId: "h1", recipient: "lead", madeAt: NOW });
    expect(after.hold()).toEqual(openHold({ addressed: ["hash-1"] }));
  });

  test("is not for the agent that asked, and another's hold does not exist (G7)", () => {
    given(openHold()).when(make, { by: AGENT }).refused("not_allowed");
    given(openHold()).when(make, { by: OTHER_AGENT }).refused("not_found");
  });

  test("for inline answers is for the agent that asked too, where links go to it (G7)", () => {
    const inline = { ...make, link: newLink({ purpose: "submit", actions: ["approve"] }) };
    given(openHold({ links: "agent" }))
      .when(inline, { by: AGENT })
      .then("hold.link_made");
    given(openHold({ links: "server" }))
      .when(inline, { by: AGENT })
      .refused("not_allowed");
    given(openHold({ links: "agent" }))
      .when(inline, { by: AUDITOR })
      .refused("not_allowed");
    const forbidden = { kind: "workspace", id: "settings", body: { webhooks: [], noInline: true } } as const;
    given(openHold({ links: "agent" }), forbidden)
      .when(inline, { by: AGENT })
      .refused("not_allowed");
    given(openHold({ links: "agent" }), forbidden)
      .when(inline, { by: OPERATOR })
      .then("hold.link_made");
  });

  test("is not for who may not answer on the intent that waits", () => {
    const waiting = openHold({ intentId: INTENT_ID });
    const under = (acl: Acl) => given(waiting, intentRow({ acl })).when(make, { by: OPERATOR });
    under(closedFor()).refused("not_allowed");
    under(closedFor(["ada", "read"])).refused("not_allowed");
    under(closedFor(["ada", "write"])).then("hold.link_made");
  });

  test("needs an open hold", () => {
    given().when(make).refused("not_found");
    given(decidedHold()).when(make).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(make)
      .refused("hold_expired", "hold.expired");
  });
});

describe("revoking a link", () => {
  test("stops it, once", () => {
    const after = given(openHold(), link()).when(revoke).then("hold.link_revoked");
    expect(after.get("link", "h1.hash-1")?.revokedAt).toBe(NOW);
    after.when(revoke, { now: NOW + 1 }).then();
  });

  test("works on a hold that is over", () => {
    given(decidedHold(), link()).when(revoke).then("hold.link_revoked");
  });

  test("finds only links of that hold, and only for who may see it", () => {
    given(openHold()).when(revoke).refused("not_found");
    given(link()).when(revoke).refused("not_found");
    given(openHold(), link({ holdId: "h9" }))
      .when(revoke)
      .refused("not_found");
    given(openHold(), link()).when(revoke, { by: OTHER_AGENT }).refused("not_found");
    given(openHold(), link()).when(revoke, { by: AGENT }).refused("not_allowed");
  });
});
