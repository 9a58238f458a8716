import { describe, expect, test } from "vitest";
import { mayBeTold, NO_PLATFORM, usualRecipients } from "./platform.ts";

const notify = {
  allow: ["ada", "lead@example.com", "*@Example.org"],
  channels: { email: ["ops@example.net"], chat: [] },
};

describe("recipients of notifications", () => {
  test.each([
    ["ada", true],
    ["Ada", false],
    ["lead@example.com", true],
    ["other@example.com", false],
    ["anybody@example.org", true],
    ["any@body@EXAMPLE.ORG", true],
    ["@example.org", false],
    ["example.org", false],
    ["x@sub.example.org", false],
    ["*@Example.org", true],
  ])("an agent may have %s notified: %s", (to, allowed) => {
    expect(mayBeTold(notify, "chat", to)).toBe(allowed);
    expect(mayBeTold(notify, undefined, to)).toBe(allowed);
    expect(mayBeTold(NO_PLATFORM.notify, "chat", to), "an empty allow-list allows nobody").toBe(false);
  });

  test("a recipient that the operator configured for a channel is allowed on that channel only", () => {
    expect(mayBeTold(notify, "email", "ops@example.net")).toBe(true);
    expect(mayBeTold(notify, "chat", "ops@example.net")).toBe(false);
  });

  test("a channel that is not configured has no recipients, even if it is named like an object property", () => {
    for (const name of ["none", "constructor", "__proto__", "toString"]) {
      expect(usualRecipients(notify, name)).toEqual([]);
    }
    expect(usualRecipients(notify, "email")).toEqual(["ops@example.net"]);
  });
});
