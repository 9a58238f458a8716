import { describe, expect, test } from "vitest";
import { AGENT, holdIn, NOW, openHold } from "../../testing/core-samples.ts";
import { TEST_PLATFORM, worldOf } from "../../testing/core-step.ts";
import { given } from "../../testing/given.ts";
import { personRow, rule, teamRow } from "../../testing/people.ts";
import type { Person } from "../people/person.ts";
import { mayBeTold } from "../platform.ts";
import type { SealedEvent } from "../record.ts";
import type { HoldFact } from "./facts.ts";
import { messagesOf } from "./messages.ts";
import { resolveRecipient } from "./route.ts";

const away = { absence: { from: 0, until: NOW + 10, delegate: "eve" } };
const rows = [
  personRow("ada", away),
  personRow("grace"),
  personRow("lin", { status: "suspended" }),
  personRow("eve"),
  teamRow("finance", ["ada", "grace", "lin", "eve"]),
] as const;
const world = worldOf(given(...rows).rows);

describe("recipients that name people", () => {
  test("a team is everybody in it who is active, with delegates in the place of absent people, each once", () => {
    expect(resolveRecipient("team:finance", world, NOW)).toEqual(["person:eve", "person:grace"]);
    expect(resolveRecipient("person:ada", world, NOW)).toEqual(["person:eve"]);
    expect(resolveRecipient("person:ada", world, NOW + 10)).toEqual(["person:ada"]);
  });

  test("a recipient that finds nobody stays as it is, so that its delivery fails visibly", () => {
    for (const to of ["team:none", "person:none", "person:lin", "ada@example.com"])
      expect(resolveRecipient(to, world, NOW)).toEqual([to]);
  });

  test("a role of an OpenIntent ladder is the team with this id; a word that is no team stays as it is", () => {
    for (const role of ["finance", "role:finance"])
      expect(resolveRecipient(role, world, NOW)).toEqual(["person:eve", "person:grace"]);
    for (const to of ["ada", "nobody", "role:nobody", "oncall:ops"])
      expect(resolveRecipient(to, world, NOW)).toEqual([to]);
  });

  test("people and teams of the workspace need no place on the allow-list", () => {
    const nobody = { allow: [], channels: {} };
    expect(mayBeTold(nobody, "email", "team:finance")).toBe(true);
    expect(mayBeTold(nobody, "email", "person:ada")).toBe(true);
    expect(mayBeTold(nobody, "email", "ada@example.com")).toBe(false);
  });
});

describe("whom a decision asks", () => {
  const approve = [
    { need: 1, from: ["team:finance"] },
    { need: 1, from: ["person:eve", "team:finance"] },
  ];
  const platform = {
    ...TEST_PLATFORM,
    notify: { allow: [], channels: {}, defaultChannel: "email" },
  };
  const asked = (order: "any" | "listed", withChannel = true) =>
    given(...rows)
      .when(
        { kind: "place_hold", hold: holdIn({ links: "server", decision: { approve, order } }) },
        { by: AGENT, ...(withChannel ? { platform } : {}) },
      )
      .then("hold.placed")
      .hold()
      .rungs.map(({ to }) => to);

  test("at once everybody whom it names, in listed order the first stage only", () => {
    expect(asked("any")).toEqual(["team:finance", "person:eve"]);
    expect(asked("listed")).toEqual(["team:finance"]);
    expect(asked("any", false)).toEqual([]);
  });

  test("the next stage when the one before is met, through the default channel", () => {
    const hold = openHold({ decision: rule({ approve, order: "listed" }) });
    const { rows: all } = given(...rows, hold);
    const event = {
      workspace: "default",
      stream: "hold:h1",
      seq: 3,
      type: "hold.voted",
      at: NOW,
    } as SealedEvent;
    const told = (nextStage: number | undefined, by = platform) => {
      const fact = { type: "hold.voted", vote: { at: NOW }, nextStage } as unknown as HoldFact;
      const record = { kind: "hold", id: "h1", fact, at: NOW, actor: "system" };
      return messagesOf(record, event, worldOf(all), by).map(
        ({ endpoint, detail }) => `${endpoint} ${detail["to"]}`,
      );
    };
    expect(told(1)).toEqual(["email person:eve", "email person:grace"]);
    expect(told(undefined)).toEqual([]);
    expect(told(1, TEST_PLATFORM as typeof platform)).toEqual([]);
  });

  test("a rung for a team is resolved when it fires", () => {
    const rungs = [{ at: NOW, kind: "attempt", n: 2, channel: "email", to: "team:finance" }] as const;
    given(...rows, openHold({ rungs }))
      .when({ kind: "tick_hold", holdId: "h1" })
      .then("hold.escalated");
  });
});

describe("a person in quiet hours", () => {
  const HOUR_MS = 3_600_000;
  const midnight = Date.UTC(2026, 0, 5);
  const night = { from: 22 * 60, until: 7 * 60 };
  const event = {
    workspace: "default",
    stream: "hold:h1",
    seq: 3,
    type: "hold.reminded",
    at: midnight,
  } as SealedEvent;
  const told = (quietHours: Person["quietHours"], endsAfterMs?: number) => {
    const rung = {
      at: midnight,
      kind: "reminder",
      n: 1,
      channel: "email",
      to: "person:grace",
      state: "fired",
    } as const;
    const expiry = endsAfterMs === undefined ? {} : { expiresAt: midnight + endsAfterMs };
    const person = personRow("grace", quietHours === undefined ? {} : { quietHours });
    const { rows: all } = given(person, openHold({ rungs: [rung], ...expiry }));
    const fact = { type: "hold.reminded", index: 0, rung } as const;
    const record = { kind: "hold", id: "h1", fact, at: midnight, actor: "system" };
    const [row] = messagesOf(record, event, worldOf(all), TEST_PLATFORM);
    return { dueAt: row?.dueAt, detail: row?.detail };
  };
  const detail = { attempt: 1, to: "person:grace" };

  test("a notification waits for their end, and says so", () => {
    const dueAt = midnight + 7 * HOUR_MS;
    expect(told(night)).toEqual({ dueAt, detail: { ...detail, waited_until: dueAt } });
    expect(told(night, 8 * HOUR_MS).dueAt).toBe(dueAt);
  });

  test("one about a hold that ends before then is marked as too late, unless the person wishes to be told at once", () => {
    for (const endsAfterMs of [HOUR_MS, 7 * HOUR_MS])
      expect(told(night, endsAfterMs)).toEqual({ dueAt: midnight, detail: { ...detail, too_quiet: true } });
    expect(told({ ...night, isUrgentTold: true }, HOUR_MS)).toEqual({ dueAt: midnight, detail });
  });

  test("outside of them, and without any, it goes out at once", () => {
    expect(told({ from: 60, until: 120 })).toEqual({ dueAt: midnight, detail });
    expect(told(undefined)).toEqual({ dueAt: midnight, detail });
  });
});
