/** Before the tests: a browser, so that no test waits for a download. Without one only the browser tests fail. */

import { chromiumPath } from "./browser.ts";

await chromiumPath().catch((error: Error) => process.stderr.write(`${error.message}\n`));
