/** Applies the configured settings to every workspace that the configuration names. */

import type { Engine } from "./engine/engine.ts";
import { NO_SETTINGS, type WorkspaceSettings } from "./kernel/access/access.ts";
import { SYSTEM } from "./kernel/principal.ts";
import type { Config } from "./system/config.ts";

type Settings = Pick<Config, "apiKeys" | "retentionMs" | "inlineAnswers"> & Partial<Pick<Config, "rules">>;

/** Writes only settings that differ, so that a restart adds nothing to the log. */
export async function applySettings(engine: Engine, config: Settings): Promise<void> {
  const { apiKeys, retentionMs: retainMs, inlineAnswers: allowed, rules } = config;
  for (const workspace of new Set(["default", ...apiKeys.map((key) => key.workspace)])) {
    const [found] = await engine.store.load([{ workspace, kind: "workspace", id: "settings", read: true }]);
    const settings = (found?.body as WorkspaceSettings | undefined) ?? NO_SETTINGS;
    const by = SYSTEM;
    if ((settings.retainMs ?? null) !== retainMs) {
      await engine.run({ kind: "set_retention", workspace, by, retainMs });
    }
    if ((settings.noInline !== true) !== allowed) {
      await engine.run({ kind: "set_inline", workspace, by, allowed });
    }
    if (rules !== undefined)
      await engine.run({ kind: "publish_rules", workspace, by, set: rules, source: "config" });
  }
}
