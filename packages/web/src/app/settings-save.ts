/** Saves settings of the server without replacing what somebody else has saved meanwhile. */

import type { SettingsOut } from "@holdpoint/protocol";
import { type Api, Refused } from "./api.ts";
import { changedMeanwhile } from "./settings-patch.ts";

/** Changes of other settings are no conflict, so that the patch is sent again for the next version. */
const TRIES_MAX = 5;

/**
 * The server takes the patch only for the version that the person saw. Resolves to the settings as they are now if somebody has
 * changed one of those in the patch; then nothing was saved.
 */
export async function saveSettings(
  patch: object,
  seen: SettingsOut,
  api: Pick<Api, "get" | "send">,
): Promise<SettingsOut | undefined> {
  let { version } = seen;
  for (let tries = 1; ; tries += 1) {
    try {
      await api.send("PATCH", "/v1/settings", patch, undefined, { "if-match": `"${version}"` });
      return undefined;
    } catch (fault) {
      if (!(fault instanceof Refused) || fault.status !== 412) throw fault;
      const now = await api.get<SettingsOut>("/v1/settings");
      if (changedMeanwhile(patch, seen.changed, now.changed).length > 0) return now;
      if (tries === TRIES_MAX) throw fault;
      version = now.version;
    }
  }
}
