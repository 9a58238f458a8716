#!/usr/bin/env node
/** The command that npm installs. It checks the Node version before it loads what an old Node cannot load. */

import { whyTooOld } from "../node-version.ts";

const why = whyTooOld(process.versions.node);
if (why === undefined) await import("./main.ts");
else {
  process.stderr.write(`holdpoint: ${why}\n`);
  process.exitCode = 1;
}
