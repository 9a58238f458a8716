/** The server's settings that need no restart: as configured, and what was changed here instead. */

import type { SettingsOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { Changes } from "./activity/changes.tsx";
import { found } from "./api.ts";
import { useActing, useApi, useLoaded } from "./hooks.ts";
import { Await, Panel } from "./parts.tsx";
import { NUMBERS, patchOf, type SettingName, textOf } from "./settings-patch.ts";

const WORDS = {
  title: "Settings of the server",
  hint: "A change counts at once and after a restart, and is on record. An empty field means what holdpoint.yaml says. Saving needs a fresh sign-in.",
  save: "Save the settings",
  saved: "Saved.",
  configured: (value: string) => `holdpoint.yaml: ${value}`,
  none: "none",
  asConfigured: (value: string) => `as configured (${value})`,
  fields: {
    default_channel: "Channel for notifications that name none",
    notify_allow: "Whom else agents may notify, separated by commas (*@example.com: a whole domain)",
    agent_links: "Which askers get review links",
    max_open_checks: "Open questions that the checks of one agent may have",
    grant_max: "Longest time for which similar calls may be allowed in advance, such as 7d",
    standing_allow_ms:
      "Milliseconds for which a tool that needs no check stays allowed (0: check every call)",
    file_quota_mb: "Megabytes that the uploaded files of one workspace may take",
  },
  links: { never: "nobody", hitl: "those of HITL cases", always: "everyone who asks for one" },
};

const NAMES = Object.keys(WORDS.fields) as readonly SettingName[];

/** Only admins of the server's own workspace see it. */
export function ServerSettings(): ReactNode {
  const api = useApi();
  const settings = useLoaded(async () => (await found(api.get<SettingsOut>("/v1/settings"))) ?? null);
  return settings.value === null ? null : <Loaded settings={settings} />;
}

function Loaded({
  settings,
}: {
  readonly settings: ReturnType<typeof useLoaded<SettingsOut | null>>;
}): ReactNode {
  const api = useApi();
  const { trouble, isBusy, run } = useActing(settings.reload);
  const [isSaved, setSaved] = useState(false);

  async function save(form: FormData): Promise<undefined> {
    setSaved(false);
    const texts = new Map(NAMES.map((name) => [name, String(form.get(name)).trim()]));
    await api.send("PATCH", "/v1/settings", patchOf(texts, settings.value?.changed ?? {}));
    setSaved(true);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(save(new FormData(event.currentTarget)));
  }

  return (
    <>
      <Panel title={WORDS.title} hint={WORDS.hint} trouble={trouble}>
        <Await loaded={settings}>
          {(value) =>
            value === null ? null : (
              <form className="app-form" onSubmit={onSubmit} key={JSON.stringify(value.changed)}>
                {NAMES.map((name) => (
                  <Field key={name} name={name} settings={value} />
                ))}
                <button type="submit" className="app-button" disabled={isBusy}>
                  {WORDS.save}
                </button>
                {isSaved ? <p role="status">{WORDS.saved}</p> : null}
              </form>
            )
          }
        </Await>
      </Panel>
      <Changes of="settings" />
    </>
  );
}

function Field({
  name,
  settings,
}: {
  readonly name: SettingName;
  readonly settings: SettingsOut;
}): ReactNode {
  const changed = textOf(settings.changed[name]);
  const configured = textOf(settings.configured[name]) || WORDS.none;
  if (name === "agent_links")
    return (
      <label>
        {WORDS.fields[name]}
        <select name={name} defaultValue={changed}>
          <option value="">{WORDS.asConfigured(WORDS.links[settings.configured.agent_links])}</option>
          {Object.entries(WORDS.links).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <label>
      {WORDS.fields[name]}
      <input
        name={name}
        defaultValue={changed}
        placeholder={WORDS.configured(configured)}
        autoComplete="off"
        {...(NUMBERS.has(name) ? { type: "number", min: 0, step: "any" } : {})}
      />
    </label>
  );
}
