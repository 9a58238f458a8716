/** Settings of the whole server, as configured and as changed since. */

import type { SettingsIn } from "@holdpoint/protocol";
import { formatDuration, parseDuration } from "@holdpoint/protocol/rules";
import type { Platform } from "../../../kernel/platform.ts";
import { seesSettings } from "../../../kernel/principal.ts";
import { SERVER_WORKSPACE, type ServerPatch, type ServerSettings } from "../../../kernel/server/server.ts";
import { fail } from "../../http/failure.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const settings = {
  async getSettings({ workspace, by }, deps) {
    if (!seesSettings(by) || workspace !== SERVER_WORKSPACE) throw fail("not_allowed");
    return { status: 200, body: present(deps) };
  },

  async changeSettings({ workspace, by, body }, deps) {
    const patch = patchOf(body);
    accepted(await deps.engine.run({ kind: "change_server", workspace, by, patch }), by);
    await deps.live.refresh();
    return { status: 200, body: present(deps) };
  },
} satisfies Routes;

const MEGABYTE = 1024 * 1024;

function patchOf(body: SettingsIn): ServerPatch {
  const given = {
    defaultChannel: body.default_channel,
    notifyAllow: body.notify_allow,
    agentLinks: body.agent_links,
    maxOpenChecks: body.max_open_checks,
    grantMaxMs: body.grant_max && parseDuration(body.grant_max),
    standingMs: body.standing_allow_ms,
    fileBytesMax: body.file_quota_mb && Math.round(body.file_quota_mb * MEGABYTE),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function present({ live: { configured, settings: changed } }: RestDeps) {
  return {
    configured: { ...presentAll(configured), notify_allow: configured.notify.allow },
    changed: wireOf(changed),
  };
}

function presentAll(platform: Platform) {
  const { agentLinks, maxOpenChecks, grantMaxMs, standingMs, fileBytesMax, notify } = platform;
  return {
    ...{ agent_links: agentLinks, max_open_checks: maxOpenChecks, grant_max: formatDuration(grantMaxMs) },
    ...{ standing_allow_ms: standingMs, file_quota_mb: fileBytesMax / MEGABYTE },
    ...(notify.defaultChannel === undefined ? {} : { default_channel: notify.defaultChannel }),
  };
}

function wireOf(settings: ServerSettings) {
  const { defaultChannel, notifyAllow, agentLinks, maxOpenChecks, grantMaxMs, standingMs, fileBytesMax } =
    settings;
  return {
    ...(defaultChannel === undefined ? {} : { default_channel: defaultChannel }),
    ...(notifyAllow === undefined ? {} : { notify_allow: notifyAllow }),
    ...(agentLinks === undefined ? {} : { agent_links: agentLinks }),
    ...(maxOpenChecks === undefined ? {} : { max_open_checks: maxOpenChecks }),
    ...(grantMaxMs === undefined ? {} : { grant_max: formatDuration(grantMaxMs) }),
    ...(standingMs === undefined ? {} : { standing_allow_ms: standingMs }),
    ...(fileBytesMax === undefined ? {} : { file_quota_mb: fileBytesMax / MEGABYTE }),
  };
}
