/**
 * The suite that every store must pass. An implementation provides functions to open an empty store and to reopen it.
 */

import { describe } from "vitest";
import { describeBackground } from "./suite/background.ts";
import { describeCommits } from "./suite/commits.ts";
import { indexes, type StoreUnderTest } from "./suite/fixture.ts";
import { describeHistory } from "./suite/history.ts";
import { describeOutbox } from "./suite/outbox.ts";
import { describeReads } from "./suite/reads.ts";
import { describeWaiting } from "./suite/waiting.ts";

export function testStore(under: StoreUnderTest): void {
  describe(under.name, () => {
    describeCommits(under, indexes);
    describeReads(under, indexes);
    describeOutbox(under, indexes);
    describeBackground(under, indexes);
    describeHistory(under, indexes);
    describeWaiting(under, indexes);
  });
}
