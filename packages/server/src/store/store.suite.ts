/** The one suite that every store passes. An implementation says how to open a fresh one and how to open it again. */

import { describe } from "vitest";
import { describeBackground } from "./suite/background.ts";
import { describeCommits } from "./suite/commits.ts";
import { indexes, type StoreUnderTest } from "./suite/fixture.ts";
import { describeHistory } from "./suite/history.ts";
import { describeOutbox } from "./suite/outbox.ts";
import { describeReads } from "./suite/reads.ts";

export function testStore(under: StoreUnderTest): void {
  describe(under.name, () => {
    describeCommits(under, indexes);
    describeReads(under, indexes);
    describeOutbox(under, indexes);
    describeBackground(under, indexes);
    describeHistory(under, indexes);
  });
}
