import { expect, test } from "vitest";
import { whoMayAnswer } from "./who-may.ts";

const nameOf = (id: string) => (id === "ada" ? "Ada Obi" : id);
const rule = { reject: 1, exclude: [], strength: "session", order: "any" } as const;

test("without a rule it is anybody, or those whom the asker named", () => {
  expect(whoMayAnswer({}, nameOf)).toBe("any operator, and anybody with a link");
  expect(whoMayAnswer({ answerers: ["ada", "lin"] }, nameOf)).toBe("Ada Obi, lin");
});

test("with a decision rule it is the people and teams of its stages, by name and in order", () => {
  const approve = [
    { need: 2, from: ["team:finance"] },
    { need: 1, from: ["person:ada", "team:board"] },
  ];
  const missing = [{ need: 2, given: 0, from: ["team:finance"], names: ["Money people"] }];
  expect(whoMayAnswer({ decision: { ...rule, approve }, missing }, nameOf)).toBe(
    "2 of Money people, and 1 of Ada Obi, board",
  );
  expect(whoMayAnswer({ decision: { ...rule, approve, order: "listed" } }, nameOf)).toBe(
    "2 of finance, then 1 of Ada Obi, board",
  );
});
