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
import { TEST_PLATFORM } from "../../testing/core-step.ts";
import { given } from "../../testing/given.ts";
import { closedFor, INTENT_ID, intentRow } from "../../testing/intent-samples.ts";
import { personRow } from "../../testing/people.ts";
import { emailAccountId } from "../people/person.ts";
import { SYSTEM } from "../principal.ts";

const make = {
  kind: "make_link",
  holdId: "h1",
  link: newLink({ recipient: "lead", channel: "chat", attempt: 2 }),
} as const;
const revoke = { kind: "revoke_link", holdId: "h1", linkHash: "hash-1" } as const;

describe("making a link", () => {
  test.each([OPERATOR, SYSTEM])("the role $role may make a link for a recipient", (by) => {
    const after = given(openHold()).when(make, { by }).then("hold.link_made");
    expect(after.get("link", "h1.hash-1")).toMatchObject({ holdId: "h1", recipient: "lead", madeAt: NOW });
    expect(after.hold()).toEqual(openHold({ addressed: ["hash-1"] }));
  });

  test.each(["lead", "person:lead", "Lead@example.com"])(
    "a link for %s keeps the id of the person whom the recipient means",
    (recipient) => {
      const address = {
        kind: "account",
        id: emailAccountId("lead@example.com"),
        body: { personId: "lead" },
      } as const;
      const after = given(openHold(), personRow("lead", { email: "lead@example.com" }), address)
        .when({ ...make, link: newLink({ recipient }) }, { by: SYSTEM })
        .then("hold.link_made");
      expect(after.get("link", "h1.hash-1")).toMatchObject({ recipient, personId: "lead" });
    },
  );

  test("a link keeps the person whom its maker looked up, although the address is nobody's any more", () => {
    const mailed = newLink({ recipient: "lead@example.com", personId: "lead" });
    const after = given(openHold())
      .when({ ...make, link: mailed }, { by: SYSTEM })
      .then("hold.link_made");
    expect(after.get("link", "h1.hash-1")).toMatchObject(mailed);
  });

  test("a link keeps no person for an address that nobody has and for a recipient named by the asker", () => {
    const stranger = given(openHold(), personRow("lead"))
      .when({ ...make, link: newLink({ recipient: "lead@example.com" }) })
      .then("hold.link_made");
    expect(stranger.get("link", "h1.hash-1")).not.toHaveProperty("personId");
    const asked = given(openHold(), personRow("lead"))
      .when({ ...make, link: newLink({ purpose: "submit", recipient: "lead" }) }, { by: AGENT })
      .then("hold.link_made");
    expect(asked.get("link", "h1.hash-1")).not.toHaveProperty("personId");
  });

  test("the agent that asked may not make a review link, and another agent gets not_found (G7)", () => {
    given(openHold()).when(make, { by: AGENT }).refused("not_allowed");
    given(openHold()).when(make, { by: OTHER_AGENT }).refused("not_found");
  });

  test("the agent that asked may make a link for inline answers only if the hold's links go to it and the workspace allows it (G7)", () => {
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
    const server = (inlineAnswers: boolean) => ({ ...TEST_PLATFORM, inlineAnswers });
    given(openHold({ links: "agent" }), forbidden)
      .when(inline, { by: AGENT, platform: server(true) })
      .then("hold.link_made");
    given(openHold({ links: "agent" }))
      .when(inline, { by: AGENT, platform: server(false) })
      .refused("not_allowed");
    given(openHold({ links: "agent" }), forbidden)
      .when(inline, { by: OPERATOR })
      .then("hold.link_made");
  });

  test("no access list of the hold's intent keeps an operator from making a link", () => {
    const waiting = openHold({ intentId: INTENT_ID });
    const under = (acl: Acl) => given(waiting, intentRow({ acl })).when(make, { by: OPERATOR });
    under(closedFor()).then("hold.link_made");
    under(closedFor(["ada", "read"])).then("hold.link_made");
  });

  test("the agent that asked may not make a link for inline answers after an access list closed the hold's intent to it", () => {
    const inline = { ...make, link: newLink({ purpose: "submit", actions: ["approve"] }) };
    const under = (acl: Acl) =>
      given(openHold({ intentId: INTENT_ID }), intentRow({ createdBy: "planner", acl })).when(inline, {
        by: AGENT,
      });
    under(closedFor(["refunder", "write"])).then("hold.link_made");
    under(closedFor(["refunder", "read"])).refused("not_allowed");
  });

  test("a link can be made only for an open hold", () => {
    given().when(make).refused("not_found");
    given(decidedHold()).when(make).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(make)
      .refused("hold_expired", "hold.expired");
  });
});

describe("revoking a link", () => {
  test("a revoked link keeps its first revocation time", () => {
    const after = given(openHold(), link()).when(revoke).then("hold.link_revoked");
    expect(after.get("link", "h1.hash-1")?.revokedAt).toBe(NOW);
    after.when(revoke, { now: NOW + 1 }).then();
  });

  test("a link of an ended hold can be revoked", () => {
    given(decidedHold(), link()).when(revoke).then("hold.link_revoked");
  });

  test("revoking a link is refused for a link of another hold and for callers who may not revoke", () => {
    given(openHold()).when(revoke).refused("not_found");
    given(link()).when(revoke).refused("not_found");
    given(openHold(), link({ holdId: "h9" }))
      .when(revoke)
      .refused("not_found");
    given(openHold(), link()).when(revoke, { by: OTHER_AGENT }).refused("not_found");
    given(openHold(), link()).when(revoke, { by: AGENT }).refused("not_allowed");
  });
});
