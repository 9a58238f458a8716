import type { Decider, Hold } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { type Column, fileOf, HOLD_COLUMNS } from "./export.ts";

const COLUMNS: readonly Column<string>[] = [["text", (text) => text]];

async function* pagesOf(...pages: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  yield* pages;
}

async function lineOf(text: string): Promise<string> {
  const csv = await (await fileOf("csv", COLUMNS, pagesOf([text]))).text();
  return csv.slice("text\r\n".length, -"\r\n".length);
}

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["\n=1", `"'\n=1"`],
  [" =1", "' =1"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
])("a cell that begins like a formula is text in every program that opens it: %j", async (text, line) => {
  expect(await lineOf(text)).toBe(line);
});

test("what separates cells and lines is quoted, and the rest stands as it is", async () => {
  expect(await lineOf('a,"b"\nc')).toBe('"a,""b""\nc"');
  expect(await lineOf("Tromsø, 80 €")).toBe('"Tromsø, 80 €"');
  expect(await lineOf("2026-01-01T00:00:00Z")).toBe("2026-01-01T00:00:00Z");
});

test("an answer by the asking agent's own link is exported without a name", () => {
  const decidedBy = HOLD_COLUMNS.find(([name]) => name === "decided_by")?.[1];
  const shown = (by: Decider) => decidedBy?.({ outcome: { kind: "decided", by } } as unknown as Hold);
  expect(shown({ kind: "link", id: "link_1", givenTo: "asker" })).toBe(
    "a link that was given to the asking agent",
  );
  expect(shown({ kind: "link", id: "link_1" })).toBe("link_1");
  expect(shown({ kind: "session", id: "s", name: "ada" })).toBe("ada");
});

test("a file has the pages one after the other, the names of the columns once, and nothing for an empty page", async () => {
  const counted: number[] = [];
  const pages = () => pagesOf(["a", "b"], [], ["c"]);
  const csv = await fileOf("csv", COLUMNS, pages(), (count) => counted.push(count));
  expect([csv.type, await csv.text()]).toEqual(["text/csv", "text\r\na\r\nb\r\nc\r\n"]);
  expect(counted).toEqual([2, 2, 3]);
  expect(await (await fileOf("jsonl", COLUMNS, pages())).text()).toBe('"a"\n"b"\n"c"\n');
});
