/** E-mail: the mail servers that people are notified by. Admins connect, change and disconnect them. */

import type { ChannelOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { Name, Text, Usual } from "./channel-fields.tsx";
import { ChannelSection } from "./channel-section.tsx";
import { useActing, useApi } from "./hooks.ts";
import { mailIn } from "./mail-form.ts";
import { Problem } from "./parts.tsx";

const WORDS = {
  title: "E-mail",
  none: "No mail server is connected yet.",
  configured: "connected in holdpoint.yaml",
  by: (from: string, host: string) => `from ${from} by ${host}`,
  asks: (to: string) => `, asks ${to}`,
  removeConsequence: "No more mail is sent by it, and its password is forgotten.",
  connect: "Connect a mail server",
  host: "Host, such as smtp.example.com",
  port: "Port",
  tls: "Encryption",
  tlsKinds: {
    starttls: "STARTTLS, required (usually port 587)",
    implicit: "TLS from the first byte (usually port 465)",
    optional: "STARTTLS if it is offered, otherwise none",
  },
  user: "User (empty: the mail server needs no sign-in)",
  password: "Password",
  newPassword: "New password (empty: keep the one it has; needed for another host, port, encryption or user)",
  from: "Sender, such as Holdpoint <holdpoint@example.com>",
  to: "Address to ask if a question names nobody",
  kept: "The mail server is tried first; no mail is sent. The password is kept encrypted and never shown. It needs a fresh sign-in.",
  trying: "Talking to the mail server …",
  submit: "Connect it",
  save: "Save the mail server",
  whoMay: "Admins of the workspace default connect and change mail servers.",
};

export function Mails({ beat }: { readonly beat: number }): ReactNode {
  return (
    <ChannelSection
      beat={beat}
      title={WORDS.title}
      none={WORDS.none}
      whoMay={WORDS.whoMay}
      removeConsequence={WORDS.removeConsequence}
      isOf={({ platform }) => platform === "email"}
      detailOf={detailOf}
      formFor={(channel, onDone) => <MailForm channel={channel} onDone={onDone} />}
      connect={(all, onDone) => (
        <details>
          <summary>{WORDS.connect}</summary>
          <MailForm name={all.some(({ name }) => name === "mail") ? "" : "mail"} onDone={onDone} />
        </details>
      )}
    />
  );
}

function detailOf({ mail, to }: ChannelOut): string {
  const by = mail === undefined ? WORDS.configured : WORDS.by(mail.from, mail.host);
  return `${by}${to.length === 0 ? "" : WORDS.asks(to.join(", "))}`;
}

interface MailFormProps {
  readonly onDone: () => void;
  /** What a new channel is called, if nobody writes something else. */
  readonly name?: string;
  /** Absent: a new one is connected. */
  readonly channel?: ChannelOut;
}

function MailForm({ name: suggested, channel, onDone }: MailFormProps): ReactNode {
  const api = useApi();
  const { trouble, isBusy, run } = useActing(onDone);
  const [saves, setSaves] = useState(0);

  async function save(form: FormData): Promise<undefined> {
    const name = channel?.name ?? String(form.get("name")).trim();
    await api.send("PUT", `/v1/channels/${encodeURIComponent(name)}`, mailIn(form));
    if (form.has("usual")) await api.send("PATCH", "/v1/settings", { default_channel: name });
    // A new form: no password stays on the page.
    setSaves((before) => before + 1);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(save(new FormData(event.currentTarget)));
  }

  return (
    <form className="app-form" key={saves} onSubmit={onSubmit}>
      <Problem words={trouble} />
      {channel === undefined ? <Name suggested={suggested} /> : null}
      <ServerFields channel={channel} />
      <Text name="from" label={WORDS.from} value={channel?.mail?.from} required />
      <Text name="to" label={WORDS.to} value={channel?.to.join(", ")} />
      {channel === undefined ? <Usual isChecked /> : null}
      <p className="hp-hint">{WORDS.kept}</p>
      <button type="submit" className="app-button" disabled={isBusy}>
        {isBusy ? WORDS.trying : channel === undefined ? WORDS.submit : WORDS.save}
      </button>
    </form>
  );
}

function ServerFields({ channel }: { readonly channel: ChannelOut | undefined }): ReactNode {
  const mail = channel?.mail;
  return (
    <>
      <Text name="host" label={WORDS.host} value={mail?.host} required />
      <Text name="port" label={WORDS.port} value={String(mail?.port ?? 587)} inputMode="numeric" required />
      <label>
        {WORDS.tls}
        <select name="tls" defaultValue={mail?.tls ?? "starttls"}>
          {Object.entries(WORDS.tlsKinds).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Text name="user" label={WORDS.user} value={mail?.user} />
      <Text
        name="password"
        label={channel === undefined ? WORDS.password : WORDS.newPassword}
        value={undefined}
        type="password"
      />
    </>
  );
}
