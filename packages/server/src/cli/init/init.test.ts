/** `holdpoint init` in an empty folder: a script, a server, an answer. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../system/clock.ts";
import type { Io } from "../io.ts";
import { init } from "./index.ts";

const MODULES = fileURLToPath(new URL("../../../../../node_modules", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-init-"));
  symlinkSync(MODULES, join(folder, "node_modules"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `onOut` sees everything that was printed so far. */
async function run(args: readonly string[], onOut: (said: string) => void = () => undefined) {
  let said = "";
  const home = join(folder, ".holdpoint");
  const io: Io = {
    env: { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0", NODE_OPTIONS: "--conditions=@holdpoint/source" },
    folder,
    out: (text) => {
      said += text;
      onOut(said);
    },
    err: (text) => {
      said += text;
    },
    isTerminal: false,
    now: () => systemClock.now(),
  };
  return { code: await init.run(args, io), said };
}

/** Answers as soon as the script has said where. */
function answering(action: string): (said: string) => void {
  let isAnswered = false;
  return (said) => {
    if (isAnswered || !said.includes("Answer here: http")) return;
    isAnswered = true;
    const { url, api_key: apiKey } = JSON.parse(
      readFileSync(join(folder, ".holdpoint/credentials.json"), "utf8"),
    );
    const hp = httpHoldClient({ url, apiKey });
    void hp.list({ status: "open" }).then(({ holds }) => hp.answer(holds[0]?.id ?? "", { action }));
  };
}

describe("holdpoint init", { timeout: 60_000 }, () => {
  test("writes a script, starts a server, runs it, and an approval makes it act; run again it has the recorded result", async () => {
    const { code, said } = await run([], answering("approve"));
    expect(code).toBe(0);
    expect(said).toContain("Wrote first-hold.mjs\n");
    expect(said).toMatch(/Started a server at http:\/\/127\.0\.0\.1:\d+/);
    const [sent = ""] = /Sent at .+/.exec(said) ?? [];
    expect(sent).not.toBe("");
    expect(readFileSync(join(folder, ".holdpoint/.gitignore"), "utf8")).toBe("*\n");
    const again = await run([]);
    expect(again.said).toContain("first-hold.mjs is here already and stays as it is");
    expect(again.said).toContain(sent);
  });

  test("writes TypeScript that runs where there is a tsconfig.json and npm made a package of CommonJS modules; a rejection sends nothing", async () => {
    writeFileSync(join(folder, "tsconfig.json"), "{}");
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
    const { code, said } = await run([], answering("reject"));
    expect(code).toBe(0);
    expect(existsSync(join(folder, "first-hold.mts"))).toBe(true);
    expect(said).toContain("Not sent: reject");
  });

  test("keeps a script that is there, and gives its exit code", async () => {
    writeFileSync(join(folder, "first-hold.ts"), "process.exitCode = 3;");
    mkdirSync(join(folder, ".holdpoint"));
    expect((await run(["--ts"])).code).toBe(3);
  });

  test("takes one language only", async () => {
    await expect(run(["--ts", "--js"])).rejects.toThrow("choose one\nusage: holdpoint init [--ts | --js]");
  });
});
