import { describe, expect, test } from "vitest";
import { mayBeTold, NO_PLATFORM, usualRecipients } from "./platform.ts";

const notify = {
  allow: ["ada", "lead@example.com", "*@Example.org"],
  channels: { email: ["ops@example.net"], chat: [] },
};

describe("whom this server tells", () => {
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
  ])("%s: %s", (to, allowed) => {
    expect(mayBeTold(notify, "chat", to)).toBe(allowed);
    expect(mayBeTold(notify, undefined, to)).toBe(allowed);
    expect(mayBeTold(NO_PLATFORM.notify, "chat", to), "an empty list allows nobody").toBe(false);
  });

  test("whom the operator put on a channel is allowed there and nowhere else", () => {
    expect(mayBeTold(notify, "email", "ops@example.net")).toBe(true);
    expect(mayBeTold(notify, "chat", "ops@example.net")).toBe(false);
  });

  test("a channel that is not there tells nobody, whatever it is called", () => {
    for (const name of ["none", "constructor", "__proto__", "toString"]) {
      expect(usualRecipients(notify, name)).toEqual([]);
    }
    expect(usualRecipients(notify, "email")).toEqual(["ops@example.net"]);
  });
});
