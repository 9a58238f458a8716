import { createParser } from "eventsource-parser";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, sseParser } from "./sse-parser.ts";

function parse(...texts: string[]): readonly Frame[] {
  const parser = sseParser();
  return texts.flatMap((text) => parser.push(text));
}

describe("the event stream parser", () => {
  it("reads id, event and data", () => {
    expect(parse("id: 7\nevent: hold.decided\ndata: {}\n\n")).toEqual([
      { id: "7", event: "hold.decided", data: "{}" },
    ]);
  });

  it("joins several data lines and strips one space only", () => {
    expect(parse("data:a\ndata:  b\ndata\n\n")[0]?.data).toBe("a\n b\n");
  });

  it("reads every kind of line break, even one that is split between two chunks", () => {
    expect(parse("data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n").map(({ data }) => data)).toEqual(["1", "2", "3"]);
    expect(parse("data: 1\r", "\n\r", "\n").map(({ data }) => data)).toEqual(["1"]);
  });

  it("skips comments, unknown fields and frames without data", () => {
    expect(parse(": still here\n\nretry: 5\nevent: x\n\n")).toEqual([]);
  });

  it("keeps the last id, also of a frame without data, for the frames after it", () => {
    const parser = sseParser();
    expect(parser.push("id: 41\n: connected\n\n")).toEqual([]);
    expect(parser.lastId()).toBe("41");
    expect(parser.push("data: x\n\n")).toEqual([{ id: "41", event: "message", data: "x" }]);
  });

  it("does not use an id before its frame is complete", () => {
    const parser = sseParser();
    parser.push("id: 8\ndata: half");
    expect(parser.lastId()).toBe("");
  });

  it("ignores an id with a null character and a byte order mark at the start", () => {
    expect(parse("\uFEFFid: a\0b\ndata: x\n\n")).toEqual([{ id: "", event: "message", data: "x" }]);
  });

  it("refuses a frame that grows beyond its limit, in one line or in many", () => {
    const long = () => sseParser({ charsMax: 100 });
    expect(long().push(`data: ${"x".repeat(80)}\n\ndata: ${"y".repeat(80)}\n\n`)).toHaveLength(2);
    expect(() => long().push(`data: ${"x".repeat(101)}`)).toThrow(RangeError);
    expect(() => long().push("data: xxxxxxxxxx\n".repeat(12))).toThrow(RangeError);
  });

  it("reads the same events wherever the text is split", () => {
    const line = fc.constantFrom("data: x", "data: y z", "id: 1", "id: 2", "event: e", ": note", "");
    const text = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(200)), (lines, cuts) => {
        const whole = `${lines.map(([words, end]) => words + end).join("")}\n\n`;
        const places = [0, ...cuts.map((cut) => cut % whole.length), whole.length].sort((a, b) => a - b);
        const pieces = places.slice(1).map((end, at) => whole.slice(places[at], end));
        expect(parse(...pieces)).toEqual(parse(whole));
      }),
    );
  });

  it("reads generated streams as the eventsource-parser package does", () => {
    const line = fc.constantFrom(
      "data: x",
      "data:",
      "data",
      "data:  y",
      "id: 1",
      "id:",
      "id: a\0b",
      "event: e",
      "event:",
      ": note",
      "retry: 5",
      "other: x",
      "",
    );
    const text = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.nat(200), (lines, cut) => {
        const whole = `${lines.map(([words, end]) => words + end).join("")}\n\n`;
        const theirs: Omit<Frame, "id">[] = [];
        const parser = createParser({
          onEvent: ({ event = "message", data }) => theirs.push({ event, data }),
        });
        parser.feed(whole);
        const at = cut % whole.length;
        expect(
          parse(whole.slice(0, at), whole.slice(at)).map(({ event, data }) => ({ event, data })),
        ).toEqual(theirs);
      }),
    );
  });

  it("reads a long line that arrives in many pieces in linear time", () => {
    const parser = sseParser();
    parser.push("data: ");
    for (let at = 0; at < 50_000; at += 1) parser.push("x".repeat(100));
    expect(parser.push("\n\n")[0]?.data).toHaveLength(5_000_000);
  });
});
