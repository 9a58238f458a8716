import type { Hold } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { actorName, personName, withNames } from "./person-names.ts";

const nameOf = (id: string) => ({ ada: "Ada Obi" })[id] ?? id;

test("a person is shown by name, not by the id that they signed in with", () => {
  expect(actorName({ kind: "session", name: "ada" }, nameOf)).toBe("Ada Obi");
  expect(actorName({ kind: "link", name: "lead@example.com" }, nameOf)).toBe("lead@example.com");
});

test("a link that names nobody is somebody with a link, and one given to the asker is nobody's", () => {
  expect(actorName({ kind: "link" }, nameOf)).toBe("somebody with a review link");
  expect(actorName({ kind: "link", name: "ada", givenTo: "asker" }, nameOf)).toBe(
    "a link that was given to the asking agent",
  );
  expect(actorName({ kind: "grant", name: "ada" }, nameOf)).not.toBe("Ada Obi");
});

test("a person who was erased is said to be erased, without the pseudonym", () => {
  expect(personName("erased-2Dcv_pIw")).toBe("a person who was erased");
  expect(personName("Erased Ink")).toBe("Erased Ink");
});

test("only the name of who decided changes in a hold", () => {
  const by = { kind: "session", id: "session_1", name: "ada" };
  const outcome = { kind: "decided", action: "approve", data: {}, by, door: "console", at: "" };
  const hold = { id: "hold_1", outcome } as unknown as Hold;
  expect(withNames(hold, nameOf).outcome).toEqual({ ...outcome, by: { ...by, name: "Ada Obi" } });
  const expired = { id: "hold_1", outcome: { kind: "expired", at: "" } } as unknown as Hold;
  expect(withNames(expired, nameOf)).toBe(expired);
});
