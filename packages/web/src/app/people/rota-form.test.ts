import { expect, test } from "vitest";
import { rotaIn, rotaText } from "./rota-form.ts";

function form(values: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("the people of a rota are sent in their order, without empty lines", () => {
  const values = {
    kind: "rotation",
    people: " ada \n\nlin, kay\n",
    every: "7d",
    from: "2026-03-02T08:00:00Z",
  };
  expect(rotaIn(form(values))).toEqual({
    people: ["ada", "lin", "kay"],
    every: "7d",
    from: "2026-03-02T08:00:00Z",
  });
});

test("a calendar is sent as its text alone", () => {
  expect(rotaIn(form({ kind: "calendar", calendar: "BEGIN:VCALENDAR", every: "7d" }))).toEqual({
    calendar: "BEGIN:VCALENDAR",
  });
});

test("a rota on one line says who takes turns, or that a calendar says it", () => {
  expect(rotaText({ people: ["ada", "lin"], every: "7d" })).toBe("ada, lin, every 7d");
  expect(rotaText({ calendar: "BEGIN:VCALENDAR" })).toBe("a calendar");
  expect(rotaText({})).toBe("a calendar file");
});
