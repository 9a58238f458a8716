/** The published file of `@holdpoint/sdk/testing`: nothing of Node in it, and it runs on the Nodes that users have. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../../../tools/pack/bundle.ts";
import { machineNodes } from "../../../../tools/pack/stranger.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
let folder: string;
let script: string;

/** The bundle must not need what only Node has, so these names stand for nothing inside it. */
const WITHOUT_NODE = "var Buffer, process, require, module, setImmediate;\n";

const SCRIPT = `
const { Holdpoint, testHoldpoint } = await import("./bundle.mjs");
const test = testHoldpoint();
const hp = new Holdpoint({ client: test.client });
const refunded = hp.approve("Refund?", { key: "refund:1" }).then((yes) => yes && yes.runOnce(() => "paid"));
await test.answerNext("approve");
const late = hp.ask({ type: "approval", prompt: "Later?", timeout: "2h" });
await test.nextOpen();
await test.advance("2h");
const files = await hp.place({ type: "input", prompt: "?", form: { fields: [{ key: "f", label: "F", type: "x-file-upload" }] } });
const sent = await test.person("mara").uploadFile(files.id, { name: "a.txt", content: new TextEncoder().encode("ada") });
await test.person("mara").answer(files.id, { action: "submit", data: { f: { file_id: sent.file_id, name: sent.name, sha256: sent.sha256 } } });
const read = new TextDecoder().decode(await hp.downloadFile(sent.file_id));
const page = await hp.list({ limit: 1 });
const next = await hp.list({ limit: 1, cursor: page.nextCursor });
const refused = await hp.place({ type: "selection", prompt: "?", options: [] }).catch((error) => error.name);
const events = await hp.events(files.id);
console.log(JSON.stringify([await refunded, (await late).kind, read, next.holds.length, refused, events[0].hash]));
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-testing-"));
  const entry = join(folder, "entry.ts");
  const exports = [join(here, "../index.ts"), join(here, "index.ts")].map(
    (file) => `export * from ${JSON.stringify(file)};`,
  );
  writeFileSync(entry, exports.join("\n"));
  writeFileSync(join(folder, "bundle.mjs"), WITHOUT_NODE + (await bundle({ entry })));
  script = join(folder, "script.mjs");
  writeFileSync(script, SCRIPT);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function expectWorks(node: string): void {
  const told = JSON.parse(execFileSync(node, [script], { encoding: "utf8", env: { NODE_OPTIONS: "" } }));
  expect(told).toEqual([
    "paid",
    "expired",
    "ada",
    1,
    "TerminalError",
    expect.stringMatching(/^sha256:[\w-]{43}$/),
  ]);
}

test("the bundle for tests runs without anything of Node", () => {
  expectWorks(process.execPath);
});

test("the bundle for tests runs on the machine's own Node, however old above 20", () => {
  for (const node of new Set(machineNodes())) expectWorks(node);
});
