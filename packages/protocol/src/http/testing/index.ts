/** For the tests of this repository's clients: a server in memory that fails on demand, and a runtime whose time they move. Not published. */

export { errorOut } from "./fake-replies.ts";
export { FakeServer } from "./fake-server.ts";
export { failure } from "./setup.ts";
export { QUICK_RETRY, TestRuntime, until } from "./test-runtime.ts";
