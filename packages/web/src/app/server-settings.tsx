/** The server's settings that need no restart: as configured, and what was changed here instead. */

import type { SettingsOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { Changes } from "./activity/changes.tsx";
import { found } from "./api.ts";
import { useApi, useLoaded } from "./hooks.ts";
import { HoursSetting } from "./hours-setting.tsx";
import { Await, Panel } from "./parts.tsx";
import { RedactSetting } from "./redact-setting.tsx";
import { Origin, SettingForm } from "./setting-form.tsx";
import { NUMBERS, patchOf, type SettingName, textOf } from "./settings-patch.ts";

const WORDS = {
  settings: {
    title: "Settings of the server",
    hint: "A change counts at once and after a restart, and is on record. An empty field means what holdpoint.yaml says. Saving needs a fresh sign-in.",
    save: "Save the settings",
    fields: {
      default_channel: "Channel for notifications that name none",
      notify_allow: "Whom else agents may notify, separated by commas (*@example.com: a whole domain)",
      agent_links: "Which askers get review links",
      inline_answers: "Tokens for inline answers",
      max_open_checks: "Open questions that the checks of one agent may have",
      grant_max: "Longest time for which similar calls may be allowed in advance, such as 7d",
      standing_allow_ms:
        "Milliseconds for which a tool that needs no check stays allowed (0: check every call)",
      file_quota_mb: "Megabytes that the uploaded files of one workspace may take",
    },
  },
  keeping: {
    title: "How long data is kept",
    hint: "What is older is removed for good; the log keeps that it was there. The first counts for questions that are asked from now on.",
    save: "Save the retention",
    fields: {
      retention_days: "Days until the content of an ended question is erased, or “forever”",
      delivery_retention_days: "Days for which finished deliveries are kept",
      check_retention_days: "Days for which checks of tool calls are kept",
    },
  },
  whoMay: "Only admins of the workspace default change them.",
  configured: (value: string) => `holdpoint.yaml: ${value}`,
  none: "none",
  asConfigured: (value: string) => `as configured (${value})`,
};

/** Settings of a few values are chosen from a list. */
const CHOICES: Readonly<Partial<Record<SettingName, Readonly<Record<string, string>>>>> = {
  agent_links: { never: "nobody", hitl: "those of HITL cases", always: "everyone who asks for one" },
  inline_answers: { true: "allowed", false: "not allowed" },
};

type Group = typeof WORDS.settings | typeof WORDS.keeping;

/** Only admins of the server's own workspace see it. */
export function ServerSettings(): ReactNode {
  const api = useApi();
  const settings = useLoaded(async () => (await found(api.get<SettingsOut>("/v1/settings"))) ?? null);
  if (settings.value === null)
    return (
      <Panel title={WORDS.settings.title}>
        <p className="hp-hint">{WORDS.whoMay}</p>
      </Panel>
    );
  return (
    <>
      <Await loaded={settings}>
        {(value) =>
          value === null ? null : (
            <>
              <Fields group={WORDS.settings} settings={value} onSaved={settings.reload} />
              <Fields group={WORDS.keeping} settings={value} onSaved={settings.reload} />
              <HoursSetting settings={value} onSaved={settings.reload} />
              <RedactSetting settings={value} onSaved={settings.reload} />
            </>
          )
        }
      </Await>
      <Changes of="settings" />
    </>
  );
}

interface FieldsProps {
  readonly group: Group;
  readonly settings: SettingsOut;
  readonly onSaved: () => void;
}

function Fields({ group, settings, onSaved }: FieldsProps): ReactNode {
  const { fields, ...words } = group;
  const names = Object.keys(fields) as readonly SettingName[];
  return (
    <SettingForm
      {...words}
      settings={settings}
      // Only its own: what is typed here stays when another form is saved.
      loadedOf={({ changed }) => names.map((name) => changed[name] ?? null)}
      patchOf={(form, { changed }, refused) => {
        const texts = new Map(names.map((name) => [name, String(form.get(name)).trim()]));
        return patchOf(texts, changed, refused);
      }}
      onSaved={onSaved}
    >
      {(seen, back) =>
        (Object.entries(fields) as [SettingName, string][]).map(([name, label]) => (
          <div key={name} className="app-setting">
            <Field name={name} label={label} settings={seen} />
            {seen.changed[name] === undefined ? null : (
              <Origin of={label} configured={shown(name, seen)} onBack={() => back(name)} />
            )}
          </div>
        ))
      }
    </SettingForm>
  );
}

function shown(name: SettingName, { configured }: SettingsOut): string {
  const text = textOf(configured[name]);
  return (CHOICES[name]?.[text] ?? text) || WORDS.none;
}

interface FieldProps {
  readonly name: SettingName;
  readonly label: string;
  readonly settings: SettingsOut;
}

function Field({ name, label, settings }: FieldProps): ReactNode {
  const changed = textOf(settings.changed[name]);
  const configured = shown(name, settings);
  const choices = CHOICES[name];
  if (choices === undefined)
    return (
      <label>
        {label}
        <input
          name={name}
          defaultValue={changed}
          placeholder={WORDS.configured(configured)}
          autoComplete="off"
          {...(NUMBERS.has(name) ? { type: "number", min: 0, step: "any" } : {})}
        />
      </label>
    );
  return (
    <label>
      {label}
      <select name={name} defaultValue={changed}>
        <option value="">{WORDS.asConfigured(configured)}</option>
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
