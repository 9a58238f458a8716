/** Runs the adapter kit over the driver beside it, and prints what came of each case. */

import { pathToFileURL } from "node:url";
import { adapterTests } from "@holdpoint/adapters/testing";

const { adapter } = await import(pathToFileURL(process.argv[2] ?? "driver.mjs"));
const outcomes = [];
for (const { title, run } of adapterTests(adapter)) {
  const error = await run().then(
    () => undefined,
    (reason) => String(reason?.stack ?? reason),
  );
  outcomes.push({ title, error });
}
await new Promise((resolve) => process.stdout.write(`outcomes: ${JSON.stringify(outcomes)}\n`, resolve));
process.exit(0);
