import { describe, expect, test } from "vitest";
import { systemClock } from "../system/clock.ts";
import { VERSION } from "../version.ts";
import { commands } from "./commands.ts";
import { requested } from "./help.ts";

async function help(...args: readonly string[]) {
  const said = { out: "", err: "" };
  const code = await (await commands["help"]?.())?.run(args, {
    ...{ env: {}, folder: ".", isTerminal: false, now: () => systemClock.now() },
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
    expect(await help("--version")).toMatchObject({ code: 0, out: `${VERSION}\n` });
    expect(await help("--help")).toMatchObject({ code: 0, err: "" });
    expect(await help("aks")).toMatchObject({ code: 2, err: expect.stringContaining('no command "aks"') });
  });
});

test("holdpoint finds the command in the words after it, also in a wish for help", () => {
  expect(requested([], commands)).toEqual(["help", []]);
  expect(requested(["ask", "Go?"], commands)).toEqual(["ask", ["Go?"]]);
  expect(requested(["ask", "Go?", "--help"], commands)).toEqual(["help", ["ask"]]);
  expect(requested(["mcp-gateway", "--", "server", "-h"], commands)[0]).toBe("mcp-gateway");
  expect(requested(["--version"], commands)).toEqual(["help", ["--version"]]);
  expect(requested(["toString"], commands)).toEqual(["help", ["toString"]]);
});
