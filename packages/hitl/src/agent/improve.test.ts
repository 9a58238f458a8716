import type { JsonObject } from "@holdpoint/protocol/rules";
import { expect, test } from "vitest";
import { type ImproveOptions, improve, suggestionsOf } from "./improve.ts";

const suggestion = (field: string, priority: string): JsonObject => ({
  field,
  issue: "Missing",
  agent_action: `Ask for ${field}`,
  impact: "+1",
  priority,
});

function journal(overrides: Partial<ImproveOptions> = {}) {
  const log: string[] = [];
  const options: ImproveOptions = {
    share: (result) => void log.push(`share ${result["id"]}`),
    ask: async (one) => {
      log.push(`ask ${one.field}`);
      return `my ${one.field}`;
    },
    resubmit: async (answers) => {
      log.push(`resubmit ${Object.keys(answers)}`);
      return { id: log.length, improvement_suggestions: [suggestion("again", "high")] };
    },
    ...overrides,
  };
  return { log, options };
}

test("HP-188 improve shares the result first, asks one question a turn, and stops after two cycles", async () => {
  const { log, options } = journal();
  const first = {
    id: 0,
    improvement_suggestions: [suggestion("summary", "low"), suggestion("title", "high")],
  };
  expect(await improve(first, options)).toMatchObject({ cycles: 2, stopped: "cap" });
  expect(log).toEqual([
    "share 0",
    "ask title",
    "resubmit title",
    "share 3",
    "ask again",
    "resubmit title,again",
    "share 6",
  ]);
});

test("HP-188 improve stops when no suggestion is left", async () => {
  const { log, options } = journal({ resubmit: async () => ({ id: 9, improvement_suggestions: [] }) });
  const first = { id: 0, improvement_suggestions: [suggestion("title", "high")] };
  expect(await improve(first, options)).toMatchObject({
    cycles: 1,
    stopped: "nothing_left",
    result: { id: 9 },
  });
  expect(log).toEqual(["share 0", "ask title", "share 9"]);
  expect((await improve({ id: 1 }, options)).stopped).toBe("nothing_left");
});

test.each([undefined, "", "   "])("HP-188 improve stops when the person answers %j", async (answer) => {
  const { log, options } = journal({ ask: async () => answer });
  const first = { id: 0, improvement_suggestions: [suggestion("title", "high")] };
  expect(await improve(first, options)).toMatchObject({ cycles: 0, stopped: "declined" });
  expect(log).toEqual(["share 0"]);
});

test("HP-186 suggestions are sorted by priority, and unreadable ones are left out", () => {
  const listed = [
    suggestion("c", "low"),
    suggestion("b", "medium"),
    suggestion("a", "high"),
    7,
    { field: "x" },
  ];
  expect(suggestionsOf({ improvement_suggestions: listed }).map((one) => one.field)).toEqual(["a", "b", "c"]);
  expect(suggestionsOf({ improvement_suggestions: "many" })).toEqual([]);
  expect(suggestionsOf({ improvement_suggestions: [suggestion("d", "urgent")] })[0]?.priority).toBe("low");
});
