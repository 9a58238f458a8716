/** How a person wants to be asked: by which channel, and when not. */

import type { PersonOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { Problem } from "../parts.tsx";
import { peopleChanged } from "./changes.ts";

const WORDS = {
  notifications: "Notifications",
  preferredChannel: "Preferred channel",
  usualOne: "the usual one",
  quietFrom: (zone: string | number) => `Quiet from (${zone})`,
  quietUntil: "Quiet until",
  urgent: "Tell me at once of questions that end before then",
  notificationsWaitUntil:
    "Notifications wait until the quiet hours are over, and then one comes for each question. Who is on call is told at once. If a question ends before then, the next people on its ladder are notified instead.",
  save: "Save the notifications",
};

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
      quiet_hours: from === "" || until === "" ? null : { from, until, urgent: form.has("urgent") },
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
    <form className="app-panel app-form" onSubmit={onSubmit} key={id}>
      <h2>{WORDS.notifications}</h2>
      <Problem words={trouble} />
      <label>
        {WORDS.preferredChannel}
        <input name="channel" defaultValue={channel} placeholder={WORDS.usualOne} />
      </label>
      <label>
        {WORDS.quietFrom(zone)}
        <input name="from" type="time" defaultValue={quiet?.from} />
      </label>
      <label>
        {WORDS.quietUntil}
        <input name="until" type="time" defaultValue={quiet?.until} />
      </label>
      <label className="app-check">
        <input name="urgent" type="checkbox" defaultChecked={quiet?.urgent === true} />
        {WORDS.urgent}
      </label>
      <p className="hp-hint">{WORDS.notificationsWaitUntil}</p>
      <button type="submit" className="app-button">
        {WORDS.save}
      </button>
    </form>
  );
}
