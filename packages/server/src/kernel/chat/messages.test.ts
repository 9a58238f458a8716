import { describe, expect, test } from "vitest";
import { ADMIN, NOW, openHold } from "../../testing/core-samples.ts";
import { type Circumstances, given } from "../../testing/given.ts";
import { SYSTEM } from "../principal.ts";

const asServer: Circumstances = { by: SYSTEM, now: NOW };
const REF = { chat: "-1", message: "7" };
const made = { id: "m1", channel: "telegram", delivery: "d1", attempt: 1, buttons: [] } as const;
const make = { kind: "make_chat_message", holdId: "h1", message: made } as const;
const sent = { kind: "note_chat_sent", holdId: "h1", messageId: "m1", ref: REF } as const;
const closed = { kind: "note_chat_closed", holdId: "h1", messageId: "m1" } as const;

describe("a chat message", () => {
  test("is stored before it is sent, and the hold lists it", () => {
    const after = given(openHold()).when(make, asServer).then("hold.message_made");
    expect(after.hold().chats).toEqual([{ id: "m1", channel: "telegram" }]);
    expect(after.get("chat_message", "m1")).toMatchObject({ holdId: "h1", ask: "sha256:h1", madeAt: NOW });
    const second = { ...make, message: { ...made, id: "m2" } };
    expect(after.when(second, asServer).then("hold.message_made").hold().chats).toHaveLength(2);
    given(openHold({ status: "cancelled" }))
      .when(make, asServer)
      .refused("already_settled");
    given(openHold()).when(make, { by: ADMIN }).refused("not_allowed");
  });

  test("gets its reference once the platform has accepted it, and is closed once", () => {
    const rows = given(openHold({ unreached: { event: 1, deliveries: ["d0"] } }))
      .when(make, asServer)
      .then("hold.message_made");
    const after = rows.when(sent, asServer).then("hold.message_sent");
    expect(after.get("chat_message", "m1")).toMatchObject({ ref: REF, sentAt: NOW });
    expect(after.hold().unreached).toBeUndefined();
    after.when(sent, asServer).then("hold.message_sent");
    const done = after.when(closed, asServer).then("hold.message_closed");
    done.when(closed, asServer).then();
    given(openHold()).when(sent, asServer).refused("not_found");
    given(openHold()).when(closed, asServer).refused("not_found");
  });
});

describe("a chat message that two servers sent", () => {
  test("keeps both places: the last one counts, and the other copy loses its buttons", () => {
    const first = given(openHold()).when(make, asServer).then("hold.message_made").when(sent, asServer);
    const again = { ...sent, ref: { chat: "-1", message: "8" } };
    const after = first.then("hold.message_sent").when(again, asServer).then("hold.message_sent");
    expect(after.get("chat_message", "m1")).toMatchObject({ ref: again.ref, strays: [REF] });
  });
});

describe("the lease of a bot's connection", () => {
  const take = (holder: string) =>
    ({ kind: "take_listener", name: "telegram", holder, leaseMs: 100 }) as const;
  const leave = (holder: string) => ({ kind: "leave_listener", name: "telegram", holder }) as const;

  test("belongs to one server, is renewed by it, and is free for others when it ends", () => {
    const first = given().when(take("a"), asServer).then("chat.listener_set");
    expect(first.get("listener", "telegram")).toEqual({ holder: "a", fence: 1, until: NOW + 100 });
    first.when(take("b"), asServer).refused("claim_taken");
    const renewed = first.when(take("a"), { by: SYSTEM, now: NOW + 50 }).then("chat.listener_set");
    expect(renewed.get("listener", "telegram")).toEqual({ holder: "a", fence: 1, until: NOW + 150 });
    const taken = renewed.when(take("b"), { by: SYSTEM, now: NOW + 150 }).then("chat.listener_set");
    expect(taken.get("listener", "telegram")).toMatchObject({ holder: "b", fence: 2 });
    taken.when(leave("a"), asServer).then();
    const left = taken.when(leave("b"), asServer).then("chat.listener_set");
    left.when(take("c"), asServer).then("chat.listener_set");
    given().when(leave("a"), asServer).then();
  });
});
