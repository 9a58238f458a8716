import { pausesSuite } from "./suite.ts";

await pausesSuite(false);
