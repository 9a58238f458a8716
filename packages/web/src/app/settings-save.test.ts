import type { SettingsOut } from "@holdpoint/protocol";
import { expect, test } from "vitest";
import { Refused } from "./api.ts";
import { saveSettings } from "./settings-save.ts";

const at = (version: number, changed: SettingsOut["changed"]) => ({ version, changed }) as SettingsOut;

/** A server whose settings are changed by somebody else before the first patch arrives. */
function serverWith(now: SettingsOut) {
  const sent: (readonly [string, object])[] = [];
  return {
    sent,
    async get<Out>() {
      return now as Out;
    },
    async send<Out>(...[, , body, , headers]: readonly [string, string, object?, string?, object?]) {
      const given = (headers as { "if-match": string })["if-match"];
      sent.push([given, body ?? {}]);
      if (given !== `"${now.version}"`) throw new Refused(412, { code: "precondition_failed" });
      return at(now.version + 1, { ...now.changed, ...body }) as Out;
    },
  };
}

test("a setting that somebody else has saved meanwhile is not replaced, and what it is now is returned", async () => {
  const now = at(4, { max_open_checks: 9 });
  const server = serverWith(now);
  expect(await saveSettings({ max_open_checks: 7 }, at(3, { max_open_checks: 5 }), server)).toEqual({
    ...{ kind: "conflict", now },
  });
  expect(server.sent).toEqual([['"3"', { max_open_checks: 7 }]]);
});

test("a change of another setting is no conflict: the patch is sent again for the version that has it", async () => {
  const server = serverWith(at(4, { max_open_checks: 5, grant_max: "1d" }));
  const saved = saveSettings({ max_open_checks: 7 }, at(3, { max_open_checks: 5 }), server);
  expect(await saved).toEqual({ kind: "saved", now: at(5, { max_open_checks: 7, grant_max: "1d" }) });
  expect(server.sent.map(([version]) => version)).toEqual(['"3"', '"4"']);
});

test("other refusals are passed on, and a version that never fits ends the tries", async () => {
  const refusing = (status: number) => ({
    ...serverWith(at(1, {})),
    send: () => Promise.reject(new Refused(status, { detail: `said ${status}` })),
  });
  await expect(saveSettings({}, at(1, {}), refusing(422))).rejects.toThrow("said 422");
  await expect(saveSettings({}, at(1, {}), refusing(412))).rejects.toThrow("said 412");
});
