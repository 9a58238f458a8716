/** Verification of what people do with a hold besides answering it. */

import { expect, test } from "vitest";
import type { Hold } from "../kernel/hold/hold.ts";
import { AGENT, holdIn, OPERATOR } from "../testing/core-samples.ts";
import { engineKit } from "../testing/engine-kit.ts";
import { verifyLog } from "../verify-log.ts";

const COMMENTS = "the hold's comments were changed";

test.each<[string, (hold: Hold) => Partial<Hold>, readonly string[]]>([
  ["nothing is changed", () => ({}), []],
  [
    "a comment is reworded",
    ({ comments = [] }) => ({ comments: comments.map((each) => ({ ...each, text: "Fine." })) }),
    [COMMENTS],
  ],
  ["a comment is removed", () => ({ comments: [] }), [COMMENTS]],
  ["a comment is added", ({ comments = [] }) => ({ comments: [...comments, ...comments] }), [COMMENTS]],
  [
    "the expiry is moved",
    () => ({ expiresAt: 1 }),
    ["the hold's creator, expiry, digest or settings were changed"],
  ],
])(
  "verification of a hold that was extended and commented finds that %s behind the server's back",
  async (_n, spoil, found) => {
    const { run, store } = engineKit();
    await run({ kind: "place_hold", hold: holdIn({ expires: { afterMs: 1000 } }) }, AGENT);
    await run({ kind: "comment_hold", holdId: "h1", commentId: "c1", text: "Why?" }, OPERATOR);
    await run({ kind: "extend_hold", holdId: "h1", to: { afterMs: 5000 } }, OPERATOR);
    const key = { workspace: "default", kind: "hold", id: "h1" } as const;
    const [row] = await store.load([key]);
    if (row === undefined) throw new Error("the hold is not stored");
    const { version, seq, head, body } = row;
    const batch = await store.begin();
    await batch.commit({
      ...{ events: [], timers: [], outbox: [] },
      puts: [{ key, expected: version, version: version + 1, seq, head, body: { ...body, ...spoil(body) } }],
    });
    expect((await verifyLog(store)).breaks.map(({ what }) => what)).toEqual(found);
  },
);
