import { describe, expect, test } from "vitest";
import { systemClock } from "../system/clock.ts";
import { VERSION } from "../version.ts";
import { commands } from "./commands.ts";
import { requested } from "./help.ts";
import type { Io } from "./io.ts";

const silent: Io = {
  ...{ env: {}, folder: ".", isTerminal: false, now: () => systemClock.now() },
  out: () => undefined,
  err: () => undefined,
};

async function help(...args: readonly string[]) {
  const said = { out: "", err: "" };
  const code = await (await commands["help"]?.())?.run(args, {
    ...silent,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

describe("holdpoint help", () => {
  test("lists every command", async () => {
    const { code, out } = await help();
    expect(code).toBe(0);
    for (const name of Object.keys(commands)) expect(out).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  });

  test("explains one command, says its version, and names a command that does not exist", async () => {
    expect(await help("ask")).toMatchObject({
      code: 0,
      out: expect.stringContaining("usage: holdpoint ask "),
    });
    expect((await help("ask")).out).toMatch(/--granted.*--accept-edits.*exit code/s);
    expect(await help("--version")).toMatchObject({ code: 0, out: `${VERSION}\n` });
    expect(await help("--help")).toMatchObject({ code: 0, err: "" });
    expect(await help("aks")).toMatchObject({ code: 2, err: expect.stringContaining('no command "aks"') });
  });
});

test("holdpoint finds the command in the words after it, also in a wish for help", () => {
  expect(requested([], commands)).toEqual(["help", []]);
  expect(requested(["ask", "Go?"], commands)).toEqual(["ask", ["Go?"]]);
  expect(requested(["ask", "--help"], commands)).toEqual(["help", ["ask", "--help"]]);
  expect(requested(["mcp-gateway", "--", "server", "-h"], commands)[0]).toBe("mcp-gateway");
  expect(requested(["--version"], commands)).toEqual(["help", ["--version"]]);
  expect(requested(["toString"], commands)).toEqual(["help", ["toString"]]);
});

test.each([
  "ask Go? --help",
  "ask Go? --key -h",
  "ask -h --key k",
  "answer hold_1 -h",
  "verify --json --help",
  "demo now -h",
])("holdpoint %s is refused by its command and not answered with help and exit code 0", async (line) => {
  const words = line.split(" ");
  const [name, args] = requested(words, commands);
  expect([name, ...args]).toEqual(words);
  await expect((await commands[name]?.())?.run(args, silent)).rejects.toThrow(/usage: holdpoint/);
});

test("holdpoint ask --help does not exit with 0, which means that a person approved", async () => {
  expect(await help("ask", "--help")).toMatchObject({ code: 2, out: expect.stringContaining("usage:") });
  expect(await help("verify", "-h")).toMatchObject({ code: 0 });
});
