import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { commit, event } from "../store/suite/fixture.ts";
import { readConfig } from "../system/config.ts";
import { logFindings, weaknesses } from "./doctor-guarantees.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PUBLIC = { HOLDPOINT_HOST: "0.0.0.0", HOLDPOINT_PUBLIC_URL: "https://holdpoint.example" };
const elsewhere = () => ({
  ...PUBLIC,
  HOLDPOINT_SIGNING_KEY_FILE: join(folder, "..", "keys", "signing-key.json"),
});
const names = (env: Readonly<Record<string, string>>) =>
  weaknesses(readConfig(env, folder)).map(({ name }) => name);

describe("settings that weaken a guarantee", () => {
  test("are reported neither on a local server nor on a public one that is set up well", () => {
    expect(names({})).toEqual(["guarantees"]);
    expect(names(elsewhere())).toEqual(["guarantees"]);
  });

  test.each([
    ["agent_links: always", {}, "G7 links"],
    ["allow_dev_key: true", {}, "G7 dev key"],
    ["openintent: { default_access: open }", {}, "intents"],
    ["rules: { rules: [], default: allow }", {}, "G14 rules"],
    ["rules: { rules: [], mode: shadow }", {}, "G14 shadow"],
    ["webhook_allow: ['0.0.0.0/0']", {}, "webhooks"],
    ["webhook_allow: ['*']", {}, "webhooks"],
    ["trusted_proxies: ['0.0.0.0/0']", {}, "proxies"],
    ["trusted_proxies: ['10.0.0.1', '::/0']", {}, "proxies"],
    ["port: 4100", { HOLDPOINT_API_KEYS: "k=agent:*" }, "G7 any agent"],
  ])("are reported for holdpoint.yaml with %s", (yaml, env, name) => {
    writeFileSync(join(folder, "holdpoint.yaml"), `${yaml}\n`);
    expect(names({ ...elsewhere(), ...env })).toEqual([name]);
  });

  test("include a signing key beside the database of a public server", () => {
    expect(names(PUBLIC)).toEqual(["G4 anchor"]);
  });
});

test("holdpoint doctor reports a clock behind the log and a lost checkpoint", async () => {
  const config = readConfig({ HOLDPOINT_HOME: folder }, folder);
  const store = openSqliteStore({ path: join(folder, "holdpoint.db"), indexes: TABLE });
  await commit(store, { events: [{ ...event("hold:h1", 1), at: 90_000 }] });
  await store.close();
  expect(await logFindings(config, 90_000)).toEqual([]);
  writeFileSync(config.anchorFile, JSON.stringify({ id: "cp_1", hash: "sha256:x" }));
  const found = await logFindings(config, 30_000);
  expect(found.map(({ name, state }) => [name, state])).toEqual([
    ["G3 clock", "wrong"],
    ["G4 log", "wrong"],
  ]);
  expect(found[0]?.text).toContain("60 s behind");
});
