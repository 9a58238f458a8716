/** What the form of a rota sends, and a rota on one line. */

import type { RotaIn, RotaOut } from "@holdpoint/protocol";

export function rotaIn(form: FormData): RotaIn {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  if (text("kind") === "calendar") return { calendar: text("calendar") };
  const people = text("people").split(/[\n,]/);
  return {
    people: people.map((who) => who.trim()).filter((who) => who !== ""),
    every: text("every"),
    from: text("from"),
  };
}

export function rotaText({
  people,
  every,
  calendar,
}: Pick<RotaOut, "people" | "every" | "calendar">): string {
  if (people !== undefined) return `${people.join(", ")}, every ${every}`;
  return calendar === undefined ? "a calendar file" : "a calendar";
}
