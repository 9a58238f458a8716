/** Throws one sentence on an old Node. The library's entries import it before everything else. */

import { whyTooOld } from "./node-version.ts";

const why = whyTooOld(process.versions.node);
if (why !== undefined) throw new Error(why);
