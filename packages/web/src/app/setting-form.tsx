/** A form for settings of the server: saves what its fields say, or goes back to the configuration. */

import type { SettingsOut } from "@holdpoint/protocol";
import { Text } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useActing, useApi } from "./hooks.ts";
import { Panel } from "./parts.tsx";
import { changedMeanwhile, settingText } from "./settings-patch.ts";
import { saveSettings } from "./settings-save.ts";

const WORDS = {
  saved: "Saved.",
  meanwhile: (now: string) =>
    `Nothing was saved: somebody has changed this meanwhile. It is saved as ${now}. What you typed is still here; save again to replace what is saved.`,
  load: "Show what is saved",
  changed: (configured: string) => `Changed here. holdpoint.yaml: ${configured}.`,
  back: "Back to the file’s value",
};

type Name = keyof SettingsOut["changed"];

interface Conflict {
  /** The settings that somebody else has saved. */
  readonly now: SettingsOut;
  /** Those that were sent and not saved. */
  readonly names: readonly string[];
  readonly changed: readonly Name[];
}

interface SettingFormProps {
  readonly title: string;
  readonly hint: string;
  readonly save: string;
  /** As they were read last. */
  readonly settings: SettingsOut;
  /** Those of this form: it starts again when they change. */
  readonly loadedOf: (shown: SettingsOut) => unknown;
  /** `refused`: the settings that were sent before and not saved. */
  readonly patchOf: (form: FormData, shown: SettingsOut, refused: readonly string[]) => object;
  readonly onSaved: () => void;
  readonly children: (shown: SettingsOut, back: (name: Name) => void) => ReactNode;
}

export function SettingForm(props: SettingFormProps): ReactNode {
  const { title, hint, save, settings, loadedOf, patchOf, onSaved, children } = props;
  const api = useApi();
  const { trouble, isBusy, run } = useActing();
  const [isSaved, setSaved] = useState(false);
  const [conflict, setConflict] = useState<Conflict>();
  const [isEdited, setEdited] = useState(false);
  // What somebody has begun to edit stays as it is, whatever is read meanwhile; saving tells of a conflict.
  const [shown, setShown] = useState(settings);
  if (!isEdited && shown !== settings && settings.version >= shown.version) setShown(settings);

  async function send(patch: object): Promise<undefined> {
    setSaved(false);
    const seen = conflict?.now ?? shown;
    const { kind, now } = await saveSettings(patch, seen, api);
    if (kind === "saved") {
      setSaved(true);
      setShown(now);
      startAgain();
    } else {
      const changed = changedMeanwhile(patch, seen.changed, now.changed);
      setConflict({ now, names: Object.keys(patch), changed });
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(send(patchOf(new FormData(event.currentTarget), shown, conflict?.names ?? [])));
  }

  function startAgain(): void {
    setConflict(undefined);
    setEdited(false);
    onSaved();
  }

  return (
    <Panel title={title} hint={hint} trouble={trouble}>
      {conflict === undefined ? null : (
        <div className="hp-notice" role="alert">
          <p>
            <Text>
              {WORDS.meanwhile(
                conflict.changed.map((name) => settingText(name, conflict.now.changed)).join("; "),
              )}
            </Text>
          </p>
          <button type="button" className="hp-button" onClick={startAgain}>
            {WORDS.load}
          </button>
        </div>
      )}
      <form
        className="app-form"
        onSubmit={onSubmit}
        onInput={() => setEdited(true)}
        key={JSON.stringify(loadedOf(shown))}
      >
        {children(shown, (name) => run(send({ [name]: null })))}
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
