import { expect, test } from "vitest";
import { sourceTree } from "../tidy/tree.ts";
import { casesIn, tableOf, withFindings } from "./cases.ts";

const FINDINGS = Array.from({ length: 15 }, (_, at) => at + 1);

test("every finding about other people's software is named by its number in a test", () => {
  const files = sourceTree();
  const texts = files.filter(({ path }) => /\.(test|suite)\.tsx?$/.test(path)).map(({ text }) => text);
  for (const finding of FINDINGS)
    expect(
      texts.some((text) => new RegExp(`finding ${finding}\\b`).test(text)),
      `finding ${finding}`,
    ).toBe(true);
  expect(withFindings(files)).toEqual(
    expect.arrayContaining([
      ...["e2e/interop/clients.full.test.ts", "e2e/interop/openintent-recording.test.ts"],
      "packages/gate/src/aioc-recording.test.ts",
    ]),
  );
});

test("a case is shown with its finding, its package in the installed version, and its result", () => {
  const results = [
    { fullName: "AG-UI finding 3: it goes on [ag-ui-client-0.0.59]", status: "passed" },
    { fullName: "finding 9: a null name counts", status: "failed" },
    { fullName: "types compile [openapi-typescript]", status: "passed" },
    { fullName: "something else", status: "passed" },
    { fullName: "finding 1: not run", status: "skipped" },
  ];
  const versions = { "ag-ui-client-0.0.59": "npm:@ag-ui/client@0.0.59", "openapi-typescript": "7.13.0" };
  const cases = casesIn("a.test.ts", results, versions);
  expect(cases.map(({ finding, pack, result }) => [finding, pack, result])).toEqual([
    [3, "@ag-ui/client@0.0.59", "passed"],
    [9, "in a.test.ts", "failed"],
    [null, "openapi-typescript 7.13.0", "passed"],
  ]);
  expect(tableOf(cases).split("\n")).toHaveLength(4);
});
