/** What is removed from notifications: regular expressions, one on each line. */

import type { SettingsOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { Origin, SettingForm } from "./setting-form.tsx";
import { patternsIn } from "./settings-patch.ts";

const WORDS = {
  title: "What is removed from notifications",
  hint: "Regular expressions as RE2 reads them (no lookaround, no back-references), one on each line. What they match is shown as [redacted] in messages; this console and the review page show it. Without a pattern nothing is removed. Patterns are on record: write no secret itself.",
  save: "Save the patterns",
  patterns: "Patterns",
  none: "none",
};

interface RedactSettingProps {
  readonly settings: SettingsOut;
  readonly onSaved: () => void;
}

export function RedactSetting({ settings, onSaved }: RedactSettingProps): ReactNode {
  return (
    <SettingForm
      {...{ title: WORDS.title, hint: WORDS.hint, save: WORDS.save }}
      settings={settings}
      loadedOf={({ changed }) => changed.redact ?? null}
      patchOf={(form) => ({ redact: patternsIn(String(form.get("redact"))) })}
      onSaved={onSaved}
    >
      {({ changed, configured }, back) => (
        <>
          <label>
            {WORDS.patterns}
            <textarea
              name="redact"
              rows={Math.max(3, (changed.redact ?? configured.redact).length + 1)}
              defaultValue={(changed.redact ?? configured.redact).join("\n")}
              spellCheck={false}
              autoComplete="off"
              className="app-code"
            />
          </label>
          {changed.redact === undefined ? null : (
            <Origin
              of={WORDS.patterns}
              configured={configured.redact.join(" ") || WORDS.none}
              onBack={() => back("redact")}
            />
          )}
        </>
      )}
    </SettingForm>
  );
}
