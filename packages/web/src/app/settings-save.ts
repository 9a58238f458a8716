/** Saves settings of the server without replacing what somebody else has saved meanwhile. */

import type { SettingsOut } from "@holdpoint/protocol";
import { type Api, Refused } from "./api.ts";
import { changedMeanwhile } from "./settings-patch.ts";

/** Changes of other settings are no conflict, so that the patch is sent again for the next version. */
const TRIES_MAX = 5;

interface Saving {
  /** `conflict`: somebody has changed one of the settings in the patch, and nothing was saved. */
  readonly kind: "saved" | "conflict";
  readonly now: SettingsOut;
}

/** The server takes the patch only for the version that the person saw. */
export async function saveSettings(
  patch: object,
  seen: SettingsOut,
  api: Pick<Api, "get" | "send">,
): Promise<Saving> {
  let { version } = seen;
  for (let tries = 1; ; tries += 1) {
    try {
      const headers = { "if-match": `"${version}"` };
      const now = await api.send<SettingsOut>("PATCH", "/v1/settings", patch, undefined, headers);
      return { kind: "saved", now };
    } catch (fault) {
      if (!(fault instanceof Refused) || fault.status !== 412) throw fault;
      const now = await api.get<SettingsOut>("/v1/settings");
      if (changedMeanwhile(patch, seen.changed, now.changed).length > 0) return { kind: "conflict", now };
      if (tries === TRIES_MAX) throw fault;
      version = now.version;
    }
  }
}
