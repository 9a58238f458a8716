import { expect, test } from "vitest";
import type { StoredEvent } from "../../kernel/record.ts";
import { frameOf } from "./frames.ts";

const frame = (type: string) => {
  const event = { ...{ workspace: "default", stream: "intent:i1", seq: 2, type, at: 1, actor: "a" } };
  const sealed = { ...event, audience: null, data: "{}", previous: "", hash: "", position: 1 };
  const read = { event: sealed as StoredEvent, data: {} as never, payload: { kind: "there", payload: {} } };
  return frameOf(read as Parameters<typeof frameOf>[0], "client");
};

test("a frame has the name that clients listen for, and an event of an agent's own keeps its name", () => {
  expect(frame("state_patched").event).toBe("STATE_CHANGED");
  expect(frame("tests_passed").event).toBe("tests_passed");
  expect(frame("constructor")).toMatchObject({ event: "constructor", data: { event_type: "constructor" } });
});
