import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rolesServer, rowOf } from "./matrix.ts";
import { rowsIn } from "./page.ts";
import { NAMES } from "./principals.ts";

const sets = await (async () => {
  await using test = await rolesServer();
  return test.server.operationSets;
})();
const page = rowsIn(readFileSync(new URL("../../docs/reference/roles.md", import.meta.url), "utf8"));

describe.each(sets)("who may do what through the $name face (docs/reference/roles.md)", (set) => {
  it("the page has a row for every operation, and no other", () => {
    expect(Object.keys(page[set.name] ?? {})).toEqual(set.operations.map(({ id }) => id));
  });

  it.each(set.operations)(
    "$id is for whom the page says; if that changed on purpose, run `npm run roles`",
    async (operation) => {
      const row = await rowOf(set, operation);
      expect(row).toEqual(page[set.name]?.[operation.id]);
      for (const name of NAMES) expect(row[name], "no call may break the server").not.toMatch(/^5/);
    },
  );
});
