import { describe, expect, test } from "vitest";
import { AGENT, NOW, openHold } from "../../testing/core-samples.ts";
import { type Circumstances, given } from "../../testing/given.ts";
import type { Person } from "../people/person.ts";
import { chatNamed, mayBeTold, type Notify } from "../platform.ts";
import { SYSTEM } from "../principal.ts";
import { channelFor } from "./preferred.ts";

const asServer: Circumstances = { by: SYSTEM, now: NOW };

function failed(
  delivery: string,
  part: Partial<{ siblings: readonly string[]; anySent: boolean; event: number }> = {},
) {
  const base = { kind: "note_unreached", holdId: "h1", channel: "telegram", event: 1 } as const;
  return { ...base, delivery, siblings: [delivery], anySent: false, ...part };
}

const next = { at: NOW + 9_000, kind: "attempt", n: 2, channel: "email" } as const;
const beside = { ...next, channel: "slack" } as const;
const last = { at: NOW + 99_000, kind: "attempt", n: 3 } as const;

describe("a rung whose every delivery failed", () => {
  test("advances at once: all rungs of the next time fire now, later ones wait", () => {
    const after = given(openHold({ rungs: [next, beside, last] }))
      .when(failed("d1"), asServer)
      .then("hold.delivery_failed", "hold.escalated", "hold.escalated");
    expect(after.hold().rungs).toEqual([
      { ...next, at: NOW, state: "fired" },
      { ...beside, at: NOW, state: "fired" },
      last,
    ]);
    expect(after.hold().unreached).toEqual({ event: 1, deliveries: ["d1"], since: NOW });
  });

  test("waits for its other deliveries, in whatever order they fail, and counts none twice", () => {
    const siblings = ["d1", "d2"];
    const first = given(openHold({ rungs: [next] }))
      .when(failed("d1", { siblings }), asServer)
      .then("hold.delivery_failed");
    first.when(failed("d1", { siblings }), asServer).then();
    expect(first.hold().unreached).toEqual({ event: 1, deliveries: ["d1"] });
    const second = first
      .when(failed("d2", { siblings }), asServer)
      .then("hold.delivery_failed", "hold.escalated");
    const third = second
      .when(failed("d3", { event: 4 }), { by: SYSTEM, now: NOW + 5 })
      .then("hold.delivery_failed");
    expect(third.hold().unreached).toEqual({ event: 4, deliveries: ["d3"], since: NOW });
  });

  test("says nothing about nobody being reached if an earlier delivery arrived", () => {
    const after = given(openHold())
      .when(failed("d1", { anySent: true }), asServer)
      .then("hold.delivery_failed");
    expect(after.hold().unreached).toEqual({ event: 1, deliveries: ["d1"] });
  });

  test("is forgotten when somebody is reached", () => {
    const reached = { kind: "note_reached", holdId: "h1", channel: "email" } as const;
    const rows = given(openHold()).when(failed("d1"), asServer).then("hold.delivery_failed");
    const after = rows.when(reached, asServer).then("hold.reached");
    expect(after.hold().unreached).toBeUndefined();
    after.when(reached, asServer).then();
    rows.when(reached, { by: AGENT }).refused("not_allowed");
    rows.when(failed("d2"), { by: AGENT }).refused("not_allowed");
    given(openHold({ status: "cancelled" }))
      .when(failed("d1"), asServer)
      .refused("already_settled");
    given(openHold({ status: "cancelled" }))
      .when(reached, asServer)
      .refused("already_settled");
  });
});

describe("where a person is told", () => {
  const base: Person = {
    ...{ id: "ada", name: "Ada", role: "operator", teams: [], status: "active", isVerified: true },
    ...{ source: "api", madeAt: 0, accounts: [{ platform: "telegram", userId: "1", at: 1 }] },
  };
  const notify: Notify = {
    ...{ allow: ["tg:-5"], channels: { tg: ["-1"], mail: [], sl: [], hook: [] }, defaultChannel: "hook" },
    kinds: { hook: "webhook", sl: "slack", tg: "telegram", mail: "email" },
  };
  const told = (person: Partial<Person>, part: Partial<Notify> = {}) => {
    const world = { get: () => ({ ...base, ...person }) } as never;
    return channelFor("person:ada", world, { ...notify, ...part });
  };

  test("is the channel they prefer if it reaches them, then the usual one, then any that does", () => {
    expect(told({ preferredChannel: "tg" })).toBe("tg");
    expect(told({ preferredChannel: "sl" })).toBe("hook");
    expect(told({ preferredChannel: "unknown" })).toBe("hook");
    expect(told({}, { defaultChannel: "sl" })).toBe("tg");
    expect(told({ accounts: [], email: "a@b" }, { defaultChannel: "sl" })).toBe("mail");
    expect(told({ accounts: [] }, { defaultChannel: "sl" })).toBe("sl");
    const { defaultChannel: _none, kinds: _kinds, ...bare } = notify;
    expect(channelFor("person:ada", { get: () => base } as never, bare)).toBeUndefined();
    expect(channelFor("-1", { get: () => base } as never, notify)).toBe("hook");
    expect(channelFor(undefined, { get: () => base } as never, notify)).toBe("hook");
  });

  test("is web push if they prefer it, unless the operator gave this name to a chat that does not reach them", () => {
    expect(told({ preferredChannel: "push" })).toBe("push");
    expect(told({ preferredChannel: "push" }, { kinds: { push: "slack" } })).toBe("hook");
  });

  test("may be a chat with the name of its channel before it, if the operator allows it", () => {
    expect(chatNamed("tg:-1", notify)).toEqual({ channel: "tg", to: "-1" });
    expect(chatNamed("team:tg", notify)).toBeUndefined();
    expect(chatNamed("ada@example.com", notify)).toBeUndefined();
    expect(chatNamed(undefined, notify)).toBeUndefined();
    expect(chatNamed("other:1", notify)).toBeUndefined();
    expect(mayBeTold(notify, undefined, "tg:-1")).toBe(true);
    expect(mayBeTold(notify, undefined, "tg:-5")).toBe(true);
    expect(mayBeTold(notify, "tg", "-5")).toBe(true);
    expect(mayBeTold(notify, undefined, "tg:-9")).toBe(false);
  });
});
