/** A form for settings of the server: saves what its fields say, or goes back to the configuration. */

import type { SettingsOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { useActing, useApi } from "./hooks.ts";
import { Panel } from "./parts.tsx";
import { isChangedMeanwhile } from "./settings-patch.ts";

const WORDS = {
  saved: "Saved.",
  meanwhile:
    "Nothing was saved: somebody has changed this setting since this page was loaded. The page shows the new value now; change it again if it is not what you want.",
  changed: (configured: string) => `Changed here. holdpoint.yaml: ${configured}.`,
  back: "Back to the file’s value",
};

type Name = keyof SettingsOut["changed"];

interface SettingFormProps {
  readonly title: string;
  readonly hint: string;
  readonly save: string;
  /** As the person saw them. */
  readonly settings: SettingsOut;
  /** The form starts again when this changes. */
  readonly loaded: unknown;
  readonly patchOf: (form: FormData) => object;
  readonly onSaved: () => void;
  readonly children: (back: (name: Name) => void) => ReactNode;
}

export function SettingForm(props: SettingFormProps): ReactNode {
  const { title, hint, save, settings, loaded, patchOf, onSaved, children } = props;
  const api = useApi();
  const { trouble, isBusy, run } = useActing(onSaved);
  const [isSaved, setSaved] = useState(false);

  async function send(patch: object): Promise<string | undefined> {
    setSaved(false);
    const { changed } = await api.get<SettingsOut>("/v1/settings");
    if (isChangedMeanwhile(patch, settings.changed, changed)) return WORDS.meanwhile;
    await api.send("PATCH", "/v1/settings", patch);
    setSaved(true);
    return undefined;
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(send(patchOf(new FormData(event.currentTarget))));
  }

  return (
    <Panel title={title} hint={hint} trouble={trouble}>
      <form className="app-form" onSubmit={onSubmit} key={JSON.stringify(loaded)}>
        {children((name) => run(send({ [name]: null })))}
        <button type="submit" className="app-button" disabled={isBusy}>
          {save}
        </button>
      </form>
      <p role="status">{isSaved ? WORDS.saved : ""}</p>
    </Panel>
  );
}

interface OriginProps {
  readonly of: string;
  readonly configured: string;
  readonly onBack: () => void;
}

/** Where the value comes from, for one that was changed here. */
export function Origin({ of, configured, onBack }: OriginProps): ReactNode {
  return (
    <p className="hp-hint app-origin">
      {WORDS.changed(configured)}{" "}
      <button type="button" className="app-button" aria-label={`${WORDS.back}: ${of}`} onClick={onBack}>
        {WORDS.back}
      </button>
    </p>
  );
}
