/** Settings of the whole server, as configured and as changed since. */

import { seesSettings } from "../../../kernel/principal.ts";
import { SERVER_WORKSPACE } from "../../../kernel/server/server.ts";
import { fail } from "../../http/failure.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import { ifVersion } from "../if-version.ts";
import type { Routes } from "../operations.ts";
import { presentChanged, presentConfigured, settingsPatch } from "../settings-map.ts";

export const settings = {
  async getSettings({ workspace, by }, deps) {
    if (!seesSettings(by) || workspace !== SERVER_WORKSPACE) throw fail("not_allowed");
    return reply(deps);
  },

  async changeSettings({ workspace, by, body, headers }, deps) {
    const patch = settingsPatch(body, deps.live);
    const seen = ifVersion(headers["if-match"]);
    const result = await deps.engine.run({ kind: "change_server", workspace, by, patch, ...seen });
    // Before a refusal, too: who reads the settings again must see the change of another server that was in the way.
    await deps.live.refresh();
    accepted(result, by);
    return reply(deps);
  },
} satisfies Routes;

function reply({ live: { configured, settings: changed, version } }: RestDeps) {
  const body = { version, configured: presentConfigured(configured), changed: presentChanged(changed) };
  return { status: 200, body, headers: { etag: `"${version}"` } } as const;
}
