/** A terminal says of a hold what the pages say (G15). */

import type { Place } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { commandLine } from "./commands.fixture.ts";
import { wholeAsk } from "./show.ts";

const cli = commandLine();
const io = {
  ...{ env: {}, folder: "", isTerminal: false, now: () => 0 },
  ...{ out: () => undefined, err: () => undefined },
};

async function shown(more: object): Promise<string> {
  const hold = await cli.hp.place({ type: "approval", prompt: "Go?", ...more } as Place);
  return wholeAsk(await cli.hp.get(hold.id), io);
}

test("G15 the terminal says how often an approval may be used", async () => {
  expect(await shown({ uses: "unlimited" })).toContain(
    "Approving allows it any number of times, until it is taken back.",
  );
  expect(await shown({ uses: 3 })).toContain("Approving allows it up to 3 times.");
  expect(await shown({})).not.toContain("Approving allows it");
});

test("G15 the terminal says that the exact call is unknown", async () => {
  expect(await shown({ context: { call_unknown: true } })).toContain("The exact call is unknown.");
  expect(await shown({ context: { tool: "t" } })).not.toContain("unknown");
});

test("G15 the terminal shows unseen characters of a question, its context and its options", async () => {
  const context = { "a\u200b": "b\u{e0041}" };
  const options = [{ id: "a", label: "A\u00ad", description: "B\u202e" }];
  const text = await shown({ type: "selection", prompt: "Go\u200b?", context, options });
  for (const words of ["Go⟦U+200B⟧?", '"a⟦U+200B⟧": "b⟦U+E0041⟧"', "A⟦U+00AD⟧", "B⟦U+202E⟧"])
    expect(text).toContain(words);
});
