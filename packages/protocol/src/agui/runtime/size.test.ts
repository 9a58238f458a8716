import { describe, expect, it } from "vitest";
import { packed, unpacked } from "./size.ts";

const letter = (id: string) => ({ id, role: "user" as const, content: "" });

describe("messages that a thread and its work share", () => {
  const [one, two] = [letter("a"), letter("b")];
  const work = {
    id: "w",
    input: { messages: [one], state: {}, tools: [], context: [] },
    groups: [],
    journal: {},
  };

  it("are written once, and read as they were", () => {
    const record = { messages: [one, two], state: {}, work };
    expect(packed(record).work?.input.messages).toBe(1);
    expect(unpacked(packed(record))).toEqual(record);
  });

  it.each([{ messages: [two] }, { messages: [] }])(
    "are both written where they differ: %j",
    ({ messages }) => {
      const record = { messages, state: {}, work };
      expect(packed(record)).toBe(record);
      expect(unpacked(packed(record))).toEqual(record);
    },
  );
});
