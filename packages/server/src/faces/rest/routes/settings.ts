/** Settings of the whole server, as configured and as changed since. */

import { seesSettings } from "../../../kernel/principal.ts";
import { SERVER_WORKSPACE } from "../../../kernel/server/server.ts";
import { fail } from "../../http/failure.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { presentChanged, presentConfigured, settingsPatch } from "../settings-map.ts";

export const settings = {
  async getSettings({ workspace, by }, deps) {
    if (!seesSettings(by) || workspace !== SERVER_WORKSPACE) throw fail("not_allowed");
    return { status: 200, body: present(deps) };
  },

  async changeSettings({ workspace, by, body }, deps) {
    const patch = settingsPatch(body, deps.live);
    accepted(await deps.engine.run({ kind: "change_server", workspace, by, patch }), by);
    await deps.live.refresh();
    return { status: 200, body: present(deps) };
  },
} satisfies Routes;

function present({ live: { configured, settings: changed } }: RestDeps) {
  return { configured: presentConfigured(configured), changed: presentChanged(changed) };
}
