/** What is published, installed by somebody who has none of these sources, works. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Everything a package offers, imported by plain Node without any of this repository's conditions. */
const SCRIPT = `
import { Holdpoint } from "@holdpoint/sdk";
import "@holdpoint/gate"; import "@holdpoint/gate/host"; import "@holdpoint/openintent";
import "@holdpoint/hitl"; import "@holdpoint/hitl/agent"; import "@holdpoint/hitl/render"; import "@holdpoint/hitl/service";
import "@holdpoint/sdk/webhooks"; import "@holdpoint/sdk/agui"; import "@holdpoint/protocol/agui"; import "@holdpoint/protocol/http"; import "@holdpoint/adapters/ag-ui";
import "@holdpoint/protocol"; import "@holdpoint/protocol/rules"; import "@holdpoint/react/headless"; import "holdpoint";
const [url, apiKey] = process.argv.slice(2);
const hp = new Holdpoint({ url, apiKey });
const hold = await hp.place({ type: "approval", prompt: "Ship it?" });
const page = await (await fetch(hold.reviewUrl)).text();
const headers = { authorization: "Bearer " + apiKey, "content-type": "application/json" };
const answer = { method: "POST", headers, body: JSON.stringify({ action: "approve" }) };
await fetch(url + "/v1/holds/" + hold.id + "/answer", answer);
const { kind, action } = await hp.outcome(hold.id);
console.log(JSON.stringify({ kind, action, hasScript: /<script[^>]+src=/.test(page) }));
`;

test("the tarballs install into an empty project, serve, and go from a question to its answer", {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-pack-"));
  try {
    const tarballs = join(folder, "tarballs");
    const home = join(folder, "home");
    execFileSync(process.execPath, [join(ROOT, "tools/pack.ts"), tarballs], { cwd: ROOT, stdio: "ignore" });
    writeFileSync(join(folder, "package.json"), '{ "name": "stranger", "private": true, "type": "module" }');
    writeFileSync(join(folder, "script.js"), SCRIPT);
    const files = globSync("*.tgz", { cwd: tarballs }).map((file) => join(tarballs, file));
    // React is a peer of whoever renders with it.
    const install = [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefix",
      folder,
      ...files,
      "react",
      "react-dom",
    ];
    execFileSync("npm", install, { cwd: folder, stdio: "ignore" });
    const env = { ...process.env, HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
    const command = join(folder, "node_modules/.bin/holdpoint");
    const server = spawn(process.execPath, [command, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      for await (const said of server.stdout) if (String(said).includes("Next")) break;
      const { url, api_key: key } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8"));
      const told = execFileSync(process.execPath, [join(folder, "script.js"), url, key], {
        encoding: "utf8",
      });
      expect(JSON.parse(told)).toEqual({ kind: "decided", action: "approve", hasScript: true });
    } finally {
      const gone = once(server, "exit");
      server.kill("SIGTERM");
      await gone;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
