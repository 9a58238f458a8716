import { expect, it } from "vitest";
import { canonicalPath } from "./paths.ts";

it.each([
  ["/v1/intents", "/api/v1/intents"],
  ["/v1/intents/x/suspend/respond", "/api/v1/intents/x/suspend/respond"],
  ["/v1/verify/consistency", "/api/v1/verify/consistency"],
  ["/intents/x", "/api/v1/intents/x"],
  ["/intents", "/api/v1/intents"],
  ["/api/v1/intents/x", "/api/v1/intents/x"],
  ["/v1/holds/x", "/v1/holds/x"],
  ["/v1/intentsx", "/v1/intentsx"],
  ["/v1/events", "/v1/events"],
  ["/x/intents", "/x/intents"],
])("OI-001 %s is served as %s", (path, canonical) => {
  expect(canonicalPath(path)).toBe(canonical);
});
