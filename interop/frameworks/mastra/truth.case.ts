/** The row of the truth table for Mastra, played with the real package. */

import { expect, test } from "vitest";
import { adapter } from "./driver.mjs";
import { ENDINGS, TRUTH_TABLE } from "./src/testing/truth-table.ts";
import { playedWrapped } from "./src/testing/wrapped-tools.ts";

test.each(ENDINGS)(
  "G14 a question that ended as %s shows Mastra's model what the table says",
  async (ending) => {
    expect(await playedWrapped(adapter, ending)).toEqual(TRUTH_TABLE.mastra.cells[ending]);
  },
);
