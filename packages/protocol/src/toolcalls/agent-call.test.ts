import { expect, test } from "vitest";
import type { JsonObject } from "../rules/index.ts";
import { agentCall } from "./agent-call.ts";

const placeOf = () => ({ repository: "/repo", touches: ".git" });
const argsOf = (tool: string, input: JsonObject) => agentCall(tool, input, { placeOf }).args;
const nowhere = (tool: string, input: JsonObject) => agentCall(tool, input, { placeOf: () => ({}) }).args;

test("G15: no argument of a tool that is not the agent's own is left out, whatever its arguments are called", () => {
  const input = {
    target: "prod",
    file_path: "README.md",
    old_string: "a",
    new_string: "b",
    description: "Deploy",
  };
  expect(nowhere("mcp__ops__deploy", input)).toEqual(input);
  const issue = { title: "Broken", description: "It does not start.", repository: "acme/shop" };
  expect(argsOf("mcp__github__issue", issue)).toEqual(issue);
});

test("G15: arguments with the names of what this machine says stand beside it", () => {
  const input = { file_path: "a.ts", repository: "/elsewhere", touches: "docs", given: 1 };
  expect(argsOf("mcp__files__write", input)).toEqual({
    ...{ file_path: "a.ts", repository: "/repo", touches: ".git" },
    given: { repository: "/elsewhere", touches: "docs", given: 1 },
  });
  expect(nowhere("mcp__files__write", { file_path: "a.ts", repository: "/repo" })).toEqual({
    file_path: "a.ts",
    given: { repository: "/repo" },
  });
});

test("G15: a diff keeps what it does not show, and an edit that it cannot show is shown as it is", () => {
  const edit = { file_path: "a.ts", old_string: "a", new_string: "b" };
  expect(nowhere("Edit", edit)).toEqual({ file_path: "a.ts", diff: expect.stringContaining("-a\n+b") });
  expect(nowhere("Edit", { ...edit, replace_all: true, mode: "force" })).toMatchObject({
    ...{ diff: expect.any(String), replace_all: true, mode: "force" },
  });
  expect(nowhere("Write", { file_path: "a.ts", content: "x", mode: "append" })).toMatchObject({
    ...{ diff: expect.any(String), mode: "append" },
  });
  const named = { ...edit, diff: "another" };
  expect(nowhere("Edit", named)).toEqual(named);
  const everywhere = { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b", replace_all: true }] };
  expect(nowhere("MultiEdit", everywhere)).toEqual(everywhere);
  const once = { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b", replace_all: false }] };
  expect(nowhere("MultiEdit", once)).toEqual({ file_path: "a.ts", diff: expect.any(String), edits: 1 });
});

test("the words with which a model describes a command are not part of the command", () => {
  expect(nowhere("Bash", { command: "ls", description: "List" })).toEqual({ command: "ls" });
});
