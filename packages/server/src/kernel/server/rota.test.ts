import { describe, expect, test } from "vitest";
import { ADMIN, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import type { Draft } from "../draft.ts";
import { NO_PLATFORM } from "../platform.ts";
import { putRota, removeRota } from "./decide-rota.ts";
import { eventsOf, ROTAS_MAX, turnsAt } from "./rota.ts";
import { platformWith } from "./server.ts";

const DAY_MS = 86_400_000;
const from = Date.parse("2026-03-02T08:00:00Z");

const CALENDAR = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "DTSTART;VALUE=DATE:20260312",
  "DTEND;VALUE=DATE:20260313",
  "SUMMARY:lin",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "DTSTART:20260302T080000Z",
  "DTEND:20260309T080000Z",
  "SUMMARY:ada@exam",
  " ple.com",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "DTSTART;VALUE=DATE:20260310",
  "DTEND;VALUE=DATE:20260311",
  "SUMMARY:grace",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");

describe("who is on call", () => {
  test("a line of an event ends where its text ends, whatever the next line has", () => {
    const lines = [
      "DTSTART;X",
      "SUMMARY;X=1:ada",
      "SUMMARY:lin",
      "DTSTART:20260302T080000Z",
      "DTEND:20260309T080000Z",
    ];
    expect(eventsOf(`BEGIN:VEVENT\n${lines.join("\n")}`)).toEqual([
      { begin: from, end: from + 7 * DAY_MS, who: "ada" },
    ]);
  });

  const rota = { kind: "rotation", people: ["ada", "grace", "lin"], everyMs: DAY_MS, from } as const;
  const at = (days: number) => turnsAt(rota, from + days * DAY_MS);

  test("a rotation passes on at each turn, and goes round before its beginning too", () => {
    expect([0, 0.99, 1, 2, 3, -1].map((days) => at(days).now?.who)).toEqual([
      ...["ada", "ada", "grace", "lin", "ada", "lin"],
    ]);
  });

  test("a rotation says until when, and who is next", () => {
    const change = from + DAY_MS;
    expect(at(0.5)).toEqual({ now: { who: "ada", until: change }, next: { who: "grace", from: change } });
    expect(at(2).next).toEqual({ who: "ada", from: from + 3 * DAY_MS });
  });

  test("a calendar names the person of the event that is on, nobody between events, and the next event", () => {
    const on = (now: number) => turnsAt({ kind: "calendar", text: CALENDAR }, now);
    const tenth = Date.parse("2026-03-10T00:00:00Z");
    expect(on(from)).toEqual({
      now: { who: "ada@example.com", until: Date.parse("2026-03-09T08:00:00Z") },
      next: { who: "grace", from: tenth },
    });
    expect(on(Date.parse("2026-03-09T08:00:00Z"))).toEqual({ next: { who: "grace", from: tenth } });
    expect(on(tenth + 1).now?.who).toBe("grace");
    expect(on(Date.parse("2026-03-12T12:00:00Z"))).toEqual({
      now: { who: "lin", until: Date.parse("2026-03-13T00:00:00Z") },
    });
  });

  test("events without a time that can be compared, without an end or without a name do not count", () => {
    const event = (...lines: readonly string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\n");
    const whole = ["DTSTART:20260302T080000Z", "DTEND:20260309T080000Z"];
    expect(eventsOf(event("DTSTART:soon", "SUMMARY:ada"))).toEqual([]);
    expect(eventsOf(event(...whole))).toEqual([]);
    expect(eventsOf(event(...whole, "SUMMARY: "))).toEqual([]);
    expect(eventsOf(event(...whole, "SUMMARY:ada"))).toHaveLength(1);
  });
});

describe("rotas that are changed in the console", () => {
  const rotation = { kind: "rotation", people: ["ada", "lin"], everyMs: DAY_MS, from } as const;
  const put = { kind: "put_rota", name: "ops", rota: rotation } as const;
  const remove = { kind: "remove_rota", name: "ops" } as const;
  const by = { by: ADMIN };
  const added = given().when(put, by).then("rota.added");

  test("an admin adds, changes and removes one; the log says from what to what", () => {
    expect(added.get("rota", "ops")).toEqual(rotation);
    const calendar = { kind: "calendar", text: CALENDAR } as const;
    const changed = added.when({ ...put, rota: calendar }, by).then("rota.changed");
    expect(changed.get("rota", "ops")).toEqual(calendar);
    const removed = changed.when(remove, by).then("rota.removed");
    expect(removed.get("rota", "ops")).toBeUndefined();
    const logged = { people: ["ada", "lin"], every_ms: DAY_MS, from };
    const data = (fact: (typeof added.facts)[number] | undefined) => fact && asLogged(fact, "default")?.data;
    expect(data(added.facts[0])).toEqual({ name: "ops", rota: logged, before: null });
    expect(data(changed.facts[0])).toEqual({ name: "ops", rota: { calendar_events: 3 }, before: logged });
    expect(data(removed.facts[0])).toEqual({ name: "ops", rota: null, before: { calendar_events: 3 } });
  });

  test("the same rota again is not on record", () => {
    added.when(put, by).then();
  });

  test("a rota of the configuration is what counted before, and counts again after its change is removed", () => {
    const platform = { ...NO_PLATFORM, rotas: { ops: { ...rotation, people: ["kay"] } } };
    const changed = given()
      .when(put, { ...by, platform })
      .then("rota.changed");
    expect(asLogged(changed.facts[0] as never, "default")?.data).toMatchObject({
      before: { people: ["kay"] },
    });
    expect(platformWith(platform, [], {}, { ops: rotation }).rotas).toEqual({ ops: rotation });
    expect(platformWith(platform, [], {}).rotas).toEqual(platform.rotas);
    const file = { ...NO_PLATFORM, rotas: { ops: { kind: "ical", file: "/etc/ops.ics" } as const } };
    const over = given()
      .when(put, { ...by, platform: file })
      .then("rota.changed");
    expect(asLogged(over.facts[0] as never, "default")?.data).toMatchObject({ before: { file: true } });
  });

  test("a rota that was not added in the console is not removed", () => {
    given().when(remove, by).refused("not_found");
  });

  test("one rota more than a server keeps is refused, and one that is there can still be changed", () => {
    const rotas = Object.fromEntries(Array.from({ length: ROTAS_MAX }, (_, n) => [`rota-${n}`, rotation]));
    const full = { ...by, platform: { ...NO_PLATFORM, rotas } };
    given().when(put, full).refused("too_many_rotas");
    added.when({ ...put, rota: { ...rotation, people: ["kay"] } }, full).then("rota.changed");
  });

  test("an operator, a session that is not fresh and an admin of another workspace are refused", () => {
    const stale = { ...ADMIN, via: "session", signedInAt: NOW - 600_000 } as const;
    for (const command of [put, remove]) {
      given().when(command, { by: OPERATOR }).refused("not_allowed");
      given().when(command, { by: stale }).refused("fresh_sign_in_required");
    }
    const context = { now: NOW, platform: NO_PLATFORM } as Parameters<typeof putRota>[2];
    const elsewhere = { workspace: "elsewhere", by: ADMIN };
    const refused = { ok: false, failure: { code: "not_allowed" } };
    expect(putRota({ ...put, ...elsewhere }, {} as Draft, context)).toMatchObject(refused);
    expect(removeRota({ ...remove, ...elsewhere }, {} as Draft, context)).toMatchObject(refused);
  });
});
