/** Before the tests: a browser, so that no test waits for a download. Without one only the browser tests fail. */

import { browserPaths } from "./browser.ts";

await browserPaths().catch((error: Error) => process.stderr.write(`${error.message}\n`));
