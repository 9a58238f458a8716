/** Connects a chat bot by its token, and changes one that was connected here. The token goes to the server once and is never shown again. */

import type { ChannelOut } from "@holdpoint/protocol";
import { chatManifest, chatSteps } from "@holdpoint/protocol/chat";
import { type FormEvent, type ReactNode, useState } from "react";
import { useActing, useApi } from "./hooks.ts";
import { Copy, Problem } from "./parts.tsx";

const WORDS = {
  connect: (platform: string) => `Connect ${platform}`,
  manifest: "Manifest to paste",
  name: "Name of the channel, as ladders write it",
  token: "Token of the bot",
  newToken: "New token (empty: keep the one it has)",
  appToken: "App-level token (xapp-…)",
  to: "Chats to ask, separated by commas",
  show: "Show the context of questions in the chat",
  usual: "Ask here if a question names no other channel",
  trying: "Trying the token …",
  submit: "Connect the bot",
  save: "Save the chat",
  kept: "The token is tried first, kept encrypted and never shown. It needs a fresh sign-in.",
  instead: (kind: string) =>
    `Or keep the token in the server's environment: holdpoint connect ${kind} shows what to write into holdpoint.yaml.`,
};

/** How each platform writes its chats. */
const CHAT_FORM: Readonly<Record<string, string>> = {
  telegram: "-1001234567890",
  slack: "#finance",
  discord: "1098765432109876543",
};

interface FormProps {
  readonly kind: string;
  readonly onDone: () => void;
}

interface ConnectProps extends FormProps {
  /** A second bot of a platform needs another name. */
  readonly taken: readonly ChannelOut[];
}

export function ConnectChat({ kind, taken, onDone }: ConnectProps): ReactNode {
  const isTaken = taken.some(({ name }) => name === kind);
  const manifest = chatManifest(kind);
  return (
    <details>
      <summary>{WORDS.connect(platformName(kind))}</summary>
      {manifest === undefined ? null : (
        <>
          <p>
            {WORDS.manifest} <Copy text={manifest} />
          </p>
          <pre>{manifest}</pre>
        </>
      )}
      <ol>
        {chatSteps(kind).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <ChatForm kind={kind} name={isTaken ? "" : kind} onDone={onDone} />
      <p className="hp-hint">{WORDS.instead(kind)}</p>
    </details>
  );
}

interface ChatFormProps extends FormProps {
  /** What a new channel is called, if nobody writes something else. */
  readonly name?: string;
  /** Absent: a new one is connected. */
  readonly channel?: ChannelOut;
}

export function ChatForm({ kind, name: suggested, channel, onDone }: ChatFormProps): ReactNode {
  const api = useApi();
  const { trouble, isBusy, run } = useActing(onDone);
  const [tries, setTries] = useState(0);

  async function save(form: FormData): Promise<undefined> {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const name = channel?.name ?? text("name");
    const tokens = { token: text("token"), app_token: text("app_token") };
    const given = Object.fromEntries(Object.entries(tokens).filter(([, token]) => token !== ""));
    const to = text("to")
      .split(",")
      .map((chat) => chat.trim());
    await api.send("PUT", `/v1/channels/${encodeURIComponent(name)}`, {
      ...{ platform: kind, ...given, to: to.filter((chat) => chat !== "") },
      show: form.has("show") ? "full" : "prompt",
    });
    if (form.has("usual")) await api.send("PATCH", "/v1/settings", { default_channel: name });
    // A new form: no token stays on the page.
    setTries((before) => before + 1);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(save(new FormData(event.currentTarget)));
  }

  return (
    <form className="app-form" key={tries} onSubmit={onSubmit}>
      <Problem words={trouble} />
      {channel === undefined ? (
        <label>
          {WORDS.name}
          <input name="name" required pattern="[a-z][a-zA-Z0-9_\-]{0,63}" defaultValue={suggested} />
        </label>
      ) : null}
      <Secret
        name="token"
        label={channel === undefined ? WORDS.token : WORDS.newToken}
        isNew={channel === undefined}
      />
      {kind === "slack" ? (
        <Secret name="app_token" label={WORDS.appToken} isNew={channel === undefined} />
      ) : null}
      <label>
        {WORDS.to}
        <input name="to" defaultValue={channel?.to.join(", ")} placeholder={CHAT_FORM[kind]} />
      </label>
      <label className="app-check">
        <input name="show" type="checkbox" defaultChecked={channel?.show !== "prompt"} />
        {WORDS.show}
      </label>
      {channel === undefined ? (
        <label className="app-check">
          <input name="usual" type="checkbox" defaultChecked />
          {WORDS.usual}
        </label>
      ) : null}
      <p className="hp-hint">{WORDS.kept}</p>
      <button type="submit" className="app-button" disabled={isBusy}>
        {isBusy ? WORDS.trying : channel === undefined ? WORDS.submit : WORDS.save}
      </button>
    </form>
  );
}

interface SecretProps {
  readonly name: string;
  readonly label: string;
  readonly isNew: boolean;
}

function Secret({ name, label, isNew }: SecretProps): ReactNode {
  return (
    <label>
      {label}
      <input
        name={name}
        type="password"
        autoComplete="off"
        spellCheck={false}
        minLength={10}
        required={isNew}
      />
    </label>
  );
}

export function platformName(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
