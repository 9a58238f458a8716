import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./system/config.ts";
import { CONFIRMATION, openCase } from "./testing/hitl-cases.ts";
import { testServer } from "./testing/test-server.ts";
import { applySettings } from "./workspace-settings.ts";

const KEYS = [{ secret: "s", role: "agent", name: "a", workspace: "elsewhere" }] as const;
const INLINE = { ...CONFIRMATION, inline: true };

test("configured settings are written to every known workspace, and only when they differ", async () => {
  await using server = await testServer();
  const { engine } = server.server;
  const before = await server.store.lastPosition();
  await applySettings(engine, { apiKeys: KEYS, retentionMs: null, inlineAnswers: true });
  expect(await server.store.lastPosition()).toBe(before);
  const strict = { apiKeys: KEYS, retentionMs: 5, inlineAnswers: false };
  await applySettings(engine, strict);
  const rows = await server.store.load(
    ["default", "elsewhere"].map((workspace) => ({
      workspace,
      kind: "workspace",
      id: "settings",
      read: true,
    })),
  );
  expect(rows.map(({ body }) => body)).toEqual([
    { webhooks: [], retainMs: 5, noInline: true },
    { webhooks: [], retainMs: 5, noInline: true },
  ]);
  const after = await server.store.lastPosition();
  await applySettings(engine, strict);
  expect(await server.store.lastPosition()).toBe(after);
});

test("HP-127 inline answers are offered unless the configuration forbids them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-"));
  const read = async (yaml: string) => {
    await writeFile(join(folder, "holdpoint.yaml"), yaml);
    return readConfig({}, folder);
  };
  await using server = await testServer();
  await applySettings(server.server.engine, await read("inline_answers: false\n"));
  expect((await openCase(server, INLINE)).hitl).not.toHaveProperty("submit_token");
  await applySettings(server.server.engine, await read("port: 4100\n"));
  expect((await openCase(server, INLINE)).hitl).toHaveProperty("submit_token");
  await rm(folder, { recursive: true });
});
