/** How a person wants to be asked: by which channel, and when not. */

import type { PersonOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { peopleChanged } from "./changes.ts";

export function NoticesForm({ person }: { readonly person: PersonOut }): ReactNode {
  const api = useApi();
  const [trouble, setTrouble] = useState<string>();
  const { id, preferred_channel: channel = "", quiet_hours: quiet, time_zone: zone = "UTC" } = person;

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim();
    const [from, until] = [text("from"), text("until")];
    const body = {
      preferred_channel: text("channel") || null,
      quiet_hours: from === "" || until === "" ? null : { from, until },
    };
    api.send("PATCH", `/v1/people/${encodeURIComponent(id)}`, body).then(
      () => {
        setTrouble(undefined);
        peopleChanged();
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  }

  return (
    <form className="app-panel app-form" onSubmit={onSubmit} key={JSON.stringify([channel, quiet])}>
      <h2>Notifications</h2>
      {trouble === undefined ? null : (
        <p className="hp-notice hp-bad" role="alert">
          {trouble}
        </p>
      )}
      <label>
        Preferred channel
        <input name="channel" defaultValue={channel} placeholder="the usual one" />
      </label>
      <label>
        Quiet from ({zone})
        <input name="from" type="time" defaultValue={quiet?.from} />
      </label>
      <label>
        Quiet until
        <input name="until" type="time" defaultValue={quiet?.until} />
      </label>
      <p className="hp-hint">
        Notifications wait until the quiet hours are over. Who is on call is told at once.
      </p>
      <button type="submit" className="app-button">
        Save
      </button>
    </form>
  );
}
