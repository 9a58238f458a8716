import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogEvent } from "../kernel/record.ts";
import { contentDigest, eventHash, seal } from "./seal.ts";

const text = fc.string({ unit: "binary" });
const facts: fc.Arbitrary<LogEvent> = fc.record({
  workspace: text,
  stream: text,
  type: text,
  at: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  actor: text,
  data: fc.dictionary(text, fc.jsonValue({ depthSize: "small" })) as fc.Arbitrary<LogEvent["data"]>,
});
const fact: LogEvent = {
  workspace: "w",
  stream: "hold:h1",
  type: "hold.placed",
  at: 5,
  actor: "key:a",
  data: { b: 1, a: 2 },
};

function plainHash(value: unknown): string {
  return `sha256:${createHash("sha256")
    .update(canonicalize(value) as string)
    .digest("base64url")}`;
}

describe("an event's hash (G4)", () => {
  test("an event's hash is SHA-256 over the RFC 8785 JSON of its fields, its number and the hash before it", () => {
    fc.assert(
      fc.property(facts, fc.nat(), text, (given, seq, previous) => {
        const event = seal(given, seq, previous, null);
        const { workspace, stream, type, at, actor, data } = given;
        expect(event.hash).toBe(plainHash({ workspace, stream, type, at, actor, data, seq, previous }));
        expect(event.data).toBe(canonicalize(data));
      }),
    );
  });

  test.each(["workspace", "stream", "type", "at", "actor", "seq", "previous", "data"] as const)(
    "changing %s of an event changes its hash",
    (name) => {
      const event = seal(fact, 1, "", null);
      const changed = { ...event, [name]: typeof event[name] === "number" ? 99 : '"other"' };
      expect(eventHash(changed)).not.toBe(event.hash);
      expect(eventHash({ ...event })).toBe(event.hash);
    },
  );

  test("each event names the hash of the one before it", () => {
    const first = seal(fact, 1, "", null);
    const second = seal(fact, 2, first.hash, null);
    expect(second).toMatchObject({ seq: 2, previous: first.hash });
    expect(second.hash).not.toBe(seal(fact, 2, "", null).hash);
  });
});

describe("private content of events (G9)", () => {
  const content = { ask: "secret words" };

  test("content is written to the log as a salted digest only", () => {
    const event = seal({ ...fact, content }, 1, "", "salt");
    const digest = `sha256:${createHash("sha256")
      .update(`salt\n${canonicalize(content)}`)
      .digest("base64url")}`;
    expect(JSON.parse(event.data)).toEqual({ a: 2, b: 1, content: digest });
    expect(JSON.stringify(event)).not.toContain("secret words");
    expect(contentDigest(content, "salt")).toBe(digest);
  });

  test("the same content with another salt has another digest", () => {
    expect(contentDigest(content, "one")).not.toBe(contentDigest(content, "two"));
  });

  test("the digest of content does not depend on the order of its fields", () => {
    expect(contentDigest({ a: 1, b: [2] }, "s")).toBe(contentDigest({ b: [2], a: 1 }, "s"));
  });

  test("an event without content or without a salt has no digest", () => {
    expect(JSON.parse(seal({ ...fact, content }, 1, "", null).data)).toEqual(fact.data);
    expect(JSON.parse(seal(fact, 1, "", "salt").data)).toEqual(fact.data);
  });
});

test("a sealed event stores which agent may follow it", () => {
  expect(seal({ ...fact, audience: "refunder" }, 1, "", null).audience).toBe("refunder");
  expect(seal(fact, 1, "", null).audience).toBeNull();
});
