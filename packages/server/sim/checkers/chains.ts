/** G4: the log is whole and says what the rows say. */

import { verifyLog } from "../../src/verify-log.ts";
import type { Checker } from "./index.ts";

export const chains: Checker = async ({ store }) => {
  const { breaks } = await verifyLog(store);
  return breaks.map(({ position, stream, what }) => `event ${position} of ${stream}: ${what}`);
};
