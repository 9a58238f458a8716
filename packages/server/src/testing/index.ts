/**
 * @module
 * A whole server in one process for tests: real parts, a clock that the test moves, keys for every role.
 */

import "../needs-node.ts";

export { upstreamAt } from "../channels/upstream/upstream.ts";
export { ManualClock } from "./manual-clock.ts";
export { testDatabase } from "./postgres/test-database.ts";
export type { TestCall, TestReply, TestServer } from "./test-server.ts";
export { testServer } from "./test-server.ts";
