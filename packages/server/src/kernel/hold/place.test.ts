import { describe, expect, test } from "vitest";
import { contentDigest } from "../../engine/seal.ts";
import {
  AGENT,
  APPROVAL,
  APPROVED,
  DEV,
  decidedHold,
  holdIn,
  INPUT,
  NOW,
  newLink,
  OTHER_AGENT,
  openHold,
} from "../../testing/core-samples.ts";
import { TEST_PLATFORM } from "../../testing/core-step.ts";
import { given } from "../../testing/given.ts";
import type { HoldIn } from "./commands.ts";
import { holdKeyId } from "./hold.ts";

const by = AGENT;
const place = (part: Partial<HoldIn> = {}) => ({ kind: "place_hold", hold: holdIn(part) }) as const;

describe("placing a hold", () => {
  test("a placed hold is open, belongs to the caller and stores the digest of its ask (G12)", () => {
    const after = given()
      .when(place({ metadata: { run: 7 } }), { by })
      .then("hold.placed");
    expect(after.hold()).toEqual({
      id: "h1",
      salt: "salt-1",
      ask: APPROVAL,
      metadata: { run: 7 },
      links: "agent",
      digest: contentDigest(APPROVAL, "salt-1"),
      status: "open",
      createdBy: "refunder",
      creatorKey: "key_refunder",
      createdAt: NOW,
      rungs: [],
      attempt: 1,
    });
    expect(after.reply).toEqual({ ok: true, id: "h1", fresh: true });
  });

  test("placing a hold stores the hashes of its links and no token", () => {
    const links = [
      newLink(),
      newLink({ id: "link_2", hash: "hash-2", purpose: "submit", actions: ["approve"] }),
    ];
    const after = given()
      .when(place({ newLinks: links }), { by })
      .then("hold.placed");
    expect(after.get("link", "h1.hash-2")).toEqual({
      ...links[1],
      holdId: "h1",
      madeAt: NOW,
      madeBy: "key:refunder",
      givenTo: "asker",
    });
    expect(after.hold()).not.toHaveProperty("newLinks");
    expect(after.hold()).not.toHaveProperty("addressed");
  });

  test("durations of a placed hold count from the time of the batch, and absolute times are kept", () => {
    const rungs = [
      { kind: "attempt", when: { afterMs: 50 }, channel: "chat", to: "lead" },
      { kind: "reminder", when: { at: NOW + 20 } },
    ] as const;
    const { rungs: laid, expiresAt } = given()
      .when(place({ expires: { afterMs: 100 }, rungs }), { by })
      .then("hold.placed")
      .hold();
    expect(expiresAt).toBe(NOW + 100);
    expect(laid).toEqual([
      { at: NOW + 20, kind: "reminder", n: 1 },
      { at: NOW + 50, kind: "attempt", n: 2, channel: "chat", to: "lead", blocked: true },
    ]);
    expect(
      given()
        .when(place({ expires: { at: 5_000 } }), { by })
        .then("hold.placed")
        .hold().expiresAt,
    ).toBe(5_000);
  });

  test("placing a hold without a link for the agent notifies people through the default channel at once", () => {
    const notify = { allow: [], channels: {}, defaultChannel: "console" };
    const platform = { ...TEST_PLATFORM, notify };
    const laid = (part: Parameters<typeof place>[0]) =>
      given().when(place(part), { by, platform }).then("hold.placed").hold().rungs;
    const first = { at: NOW, kind: "attempt", n: 1, channel: "console", state: "fired" };
    expect(laid({ links: "server" })).toEqual([first]);
    expect(laid({ links: "agent" })).toEqual([]);
    const own = { kind: "attempt", when: { afterMs: 0 }, channel: "chat" } as const;
    expect(laid({ links: "server", rungs: [own] })).toEqual([{ ...first, channel: "chat" }]);
    const later = { kind: "attempt", when: { afterMs: 9 }, channel: "chat" } as const;
    expect(laid({ links: "server", rungs: [later] })).toMatchObject([first, { n: 2, channel: "chat" }]);
    const remind = { kind: "reminder", when: { at: NOW } } as const;
    expect(laid({ links: "server", rungs: [remind] })).toMatchObject([first, { kind: "reminder" }]);
  });

  test("a placed hold uses the workspace's retention unless it names its own", () => {
    const settings = { kind: "workspace", id: "settings", body: { webhooks: [], retainMs: 70 } } as const;
    expect(given(settings).when(place(), { by }).then("hold.placed").hold().retainMs).toBe(70);
    expect(
      given(settings)
        .when(place({ retainMs: 9 }), { by })
        .then("hold.placed")
        .hold().retainMs,
    ).toBe(9);
    expect(given().when(place(), { by }).then("hold.placed").hold()).not.toHaveProperty("retainMs");
    const under = (retainMs: number | "forever") =>
      given(settings)
        .when(place(), { by, platform: { ...TEST_PLATFORM, retainMs } })
        .then("hold.placed")
        .hold();
    expect(under(8).retainMs).toBe(8);
    expect(under("forever")).not.toHaveProperty("retainMs");
  });

  test("placing is refused for an ask that cannot be shown, and each problem names its place", () => {
    const after = given()
      .when(place({ ask: { type: "selection", prompt: " " } }), { by })
      .refused("invalid_ask");
    expect(after.reply.ok === false && after.reply.failure.problems?.map(({ key }) => key)).toEqual([
      "/prompt",
      "/options",
    ]);
  });

  test.each([{ at: NOW }, { at: NOW - 1 }, { afterMs: 0 }])(
    "placing is refused if the hold would expire at once: %o",
    (expires) => {
      given().when(place({ expires }), { by }).refused("invalid_ask");
    },
  );
});

describe("placing twice under the same key (G8)", () => {
  const first = () =>
    given()
      .when(place({ key: "k" }), { by })
      .then("hold.placed");
  const again = (part: Partial<HoldIn> = {}) => place({ id: "h2", salt: "salt-2", key: "k", ...part });

  test("placing again under the same key returns the first hold and writes nothing", () => {
    const after = first().when(again(), { by }).then();
    expect(after.reply).toEqual({ ok: true, id: "h1", fresh: false });
    expect(after.get("hold", "h2")).toBeUndefined();
  });

  test("placing again finds the hold even if expiry, callback, metadata and retention differ", () => {
    const other = { expires: { afterMs: 9 }, callbackUrl: "https://a.test", metadata: { a: 1 }, retainMs: 1 };
    first().when(again(other), { by }).then();
  });

  test("placing again under the same key makes a new link for the asker, since no token is stored", () => {
    const after = first()
      .when(again({ newLinks: [newLink()] }), { by })
      .then("hold.link_made");
    expect(after.get("link", "h1.hash-1")?.holdId).toBe("h1");
    expect(after.reply).toMatchObject({ fresh: false });
  });

  test("placing again makes no link if links go through the server or the hold has ended (G7)", () => {
    const server = given()
      .when(place({ key: "k", links: "server" }), { by })
      .then("hold.placed");
    server.when(again({ newLinks: [newLink()] }), { by }).then();
    const settled = first().when({ kind: "cancel_hold", holdId: "h1" }, { by }).then("hold.cancelled");
    settled.when(again({ newLinks: [newLink()] }), { by }).then();
  });

  test.each<Partial<HoldIn>>([
    { ask: { ...APPROVAL, prompt: "Refund 41 EUR?" } },
    { ask: { ...APPROVAL, context: { order: "o-2" } } },
    { ask: INPUT },
    { attachedTo: { domain: "intent", id: "i1" } },
    { threadId: "t1" },
    { after: "h0" },
  ])("placing again under the same key is refused if the question or its context differs: %o", (part) => {
    const after = first().when(again(part), { by }).refused("key_reused");
    expect(after.reply.ok === false && after.reply.failure.detail).toEqual({ hold_id: "h1" });
  });

  test("two agents can use the same key for different holds", () => {
    first().when(again(), { by: OTHER_AGENT }).then("hold.placed");
    expect(holdKeyId("a", "k")).not.toBe(holdKeyId("b", "k"));
  });

  test("a key finds its hold after the content was erased, no matter what is asked now", () => {
    const erased = given(openHold({ ask: null, salt: null }), stub("h1"));
    erased.when(again({ ask: INPUT }), { by }).then();
  });
});

describe("placing the next hold with `after`", () => {
  const settled = () => given(decidedHold({ key: "k" }), stub("h1"));
  const next = place({ id: "h2", key: "k", after: "h1" });

  test("after opens the next hold under the same key once the one before has ended", () => {
    const after = settled().when(next, { by }).then("hold.placed");
    expect(after.get("hold_key", holdKeyId("refunder", "k"))).toEqual({ holdId: "h2" });
    expect(after.hold("h2").after).toBe("h1");
    expect(after.hold("h1").outcome).toEqual(APPROVED);
    after.when(place({ id: "h3", key: "k", after: "h1" }), { by }).then();
  });

  test("after is refused while the hold before is open", () => {
    given(openHold({ key: "k" }), stub("h1"))
      .when(next, { by })
      .refused("after_not_settled");
  });

  test("after is refused without a key or under an unknown key", () => {
    given().when(next, { by }).refused("after_not_settled");
    given()
      .when(place({ after: "h1" }), { by })
      .refused("after_not_settled");
  });
});

describe("placing a follow-up hold with `previous`", () => {
  const follow = place({ id: "h2", previous: "h1" });

  test("the hold named by previous records the id of its follow-up", () => {
    const after = given(decidedHold()).when(follow, { by }).then("hold.placed", "hold.followed");
    expect(after.hold("h1").next).toBe("h2");
    expect(after.hold("h2").previous).toBe("h1");
  });

  test("previous must name a hold of the same creator, except for dev", () => {
    given().when(follow, { by }).refused("previous_not_found");
    given(decidedHold()).when(follow, { by: OTHER_AGENT }).refused("previous_not_found");
    given(decidedHold()).when(follow, { by: DEV }).then("hold.placed", "hold.followed");
  });
});

function stub(holdId: string) {
  return { kind: "hold_key", id: holdKeyId("refunder", "k"), body: { holdId } } as const;
}
