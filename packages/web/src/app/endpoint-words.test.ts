import { expect, test } from "vitest";
import { endpointWords } from "./endpoint-words.ts";

const HOOK = "hook_01m7p2jv4wkbxpng88cr199nk9";

test.each([
  [{ endpoint: HOOK, host: "example.com" }, "the webhook at example.com"],
  [{ endpoint: HOOK }, "a webhook"],
  [{ endpoint: "callback", host: "agent.example.com" }, "the callback at agent.example.com"],
  [{ endpoint: "callback" }, "the callback"],
  [{ endpoint: "team-chat" }, "team-chat"],
  [{ endpoint: "agui-proxy:refunds" }, "agui-proxy:refunds"],
])("the endpoint %j is told without its id", (given, words) => {
  expect(endpointWords(given)).toBe(words);
});
