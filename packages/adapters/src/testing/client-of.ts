/** A client of a whole server in this process. */

import { Holdpoint } from "@holdpoint/sdk";
import type { TestServer } from "holdpoint/testing";

export function clientOf(
  test: TestServer,
  role: "app" | "agent" | "otherAgent" | "operator" | "dev" = "app",
): Holdpoint {
  return new Holdpoint({
    url: "http://localhost:4100",
    apiKey: test.keys[role],
    streaming: false,
    runtime: { fetch: async (input, init) => test.server.app.request(input, init) },
  });
}
