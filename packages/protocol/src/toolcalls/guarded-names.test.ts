import { expect, test } from "vitest";
import { guardedName } from "./guarded-names.ts";

test("a guarded name is found whatever dots, spaces, invisible characters or streams a filesystem ignores", () => {
  for (const path of [".claude. . ", "a/.CLAUDE::$DATA/b", ".cl\u200Baude", ".claude:x\ny", "CLAUDE~1 ."])
    expect([path, guardedName(path)]).toEqual([path, ".claude"]);
  for (const path of ["", ". . .", "a:.claude", ".claude.md"])
    expect([path, guardedName(path)]).toEqual([path, undefined]);
});

test("a long name of dots, spaces and colons is read in linear time", () => {
  // Patterns for its end would take some 20 seconds.
  expect(guardedName(`${". ".repeat(50_000)}x/${":".repeat(100_000)}\n`)).toBeUndefined();
});
