/** Webhook channels: Teams, PagerDuty, ntfy, and receivers of one's own. Admins connect, change and disconnect them. */

import type { ChannelOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { Name, Text, Usual } from "./channel-fields.tsx";
import { ChannelSection } from "./channel-section.tsx";
import { useActing, useApi } from "./hooks.ts";
import { Problem } from "./parts.tsx";
import { type WebhookKind, webhookIn } from "./webhook-form.ts";

const WORDS = {
  title: "Teams, PagerDuty, ntfy and your own receivers",
  none: "None is connected yet.",
  configured: "connected in holdpoint.yaml",
  at: (kind: string, origin: string) => `${kind} at ${origin}`,
  signed: ", signed",
  names: (to: string) => `, names ${to}`,
  removeConsequence: "Nothing more is sent there, and its address and secret are forgotten.",
  connect: (kind: string) => `Connect ${kind}`,
  newUrl: "New address (empty: keep address and secret)",
  newSecret: "New secret (empty: keep the one it has; needed for another address)",
  to: "Recipients that messages name if a question names nobody, separated by commas",
  kept: "A message is posted first, to try it. Address and secret are kept encrypted and never shown. It needs a fresh sign-in.",
  trying: "Posting a message …",
  submit: "Connect it",
  save: "Save the channel",
  whoMay: "Admins of the workspace default connect and change these.",
};

interface KindWords {
  readonly name: string;
  readonly steps: string;
  readonly url: string;
  readonly example: string;
  /** Absent: it has none. */
  readonly secret?: string;
  readonly needsSecret?: true;
  readonly trial: string;
}

const KINDS: Readonly<Record<WebhookKind, KindWords>> = {
  teams: {
    name: "Microsoft Teams",
    steps:
      "In Teams, add the workflow “Post to a channel when a webhook request is received” and copy its URL.",
    url: "URL of the workflow",
    example: "https://…",
    trial: "A short card appears in the channel.",
  },
  pagerduty: {
    name: "PagerDuty",
    steps: "In PagerDuty, add an “Events API v2” integration to a service and copy its integration key.",
    url: "Address (in the EU: https://events.eu.pagerduty.com/v2/enqueue)",
    example: "https://events.pagerduty.com/v2/enqueue",
    secret: "Integration key (routing key)",
    needsSecret: true,
    trial: "Nobody is paged by that.",
  },
  ntfy: {
    name: "ntfy",
    steps: "Choose a topic that nobody can guess, or one that needs an access token.",
    url: "Address with the topic at its end",
    example: "https://ntfy.example.com/my-topic",
    secret: "Access token (empty: the topic needs none)",
    trial: "A silent message appears in the topic.",
  },
  webhook: {
    name: "a webhook",
    steps:
      "Your receiver gets JSON, signed as Standard Webhooks say, and replies with a status of 200 to 299.",
    url: "Address of your receiver",
    example: "https://example.com/hooks/holdpoint",
    secret: "Signing secret, whsec_… (empty: messages are not signed)",
    trial: "It has the type channel.test.",
  },
};

const KIND_NAMES = Object.keys(KINDS) as WebhookKind[];

export function WebhookChannels({ beat }: { readonly beat: number }): ReactNode {
  return (
    <ChannelSection
      beat={beat}
      title={WORDS.title}
      none={WORDS.none}
      whoMay={WORDS.whoMay}
      removeConsequence={WORDS.removeConsequence}
      isOf={({ platform }) => platform === "webhook"}
      detailOf={detailOf}
      formFor={(channel, onDone) => (
        <WebhookForm kind={channel.webhook?.preset ?? "webhook"} channel={channel} onDone={onDone} />
      )}
      connect={(all, onDone) =>
        KIND_NAMES.map((kind) => <Connect key={kind} kind={kind} taken={all} onDone={onDone} />)
      }
    />
  );
}

function detailOf({ webhook, to }: ChannelOut): string {
  const names = to.length === 0 ? "" : WORDS.names(to.join(", "));
  if (webhook === undefined) return `${WORDS.configured}${names}`;
  const { preset = "webhook", origin, signed } = webhook;
  const isSigned = signed && preset === "webhook" ? WORDS.signed : "";
  return `${WORDS.at(KINDS[preset].name, origin)}${isSigned}${names}`;
}

interface ConnectProps {
  readonly kind: WebhookKind;
  readonly taken: readonly ChannelOut[];
  readonly onDone: () => void;
}

function Connect({ kind, taken, onDone }: ConnectProps): ReactNode {
  const isTaken = taken.some(({ name }) => name === kind);
  return (
    <details>
      <summary>{WORDS.connect(KINDS[kind].name)}</summary>
      <p>{KINDS[kind].steps}</p>
      <WebhookForm kind={kind} name={isTaken ? "" : kind} isFirst={taken.length === 0} onDone={onDone} />
    </details>
  );
}

interface FormProps {
  readonly kind: WebhookKind;
  readonly onDone: () => void;
  /** What a new channel is called, if nobody writes something else. */
  readonly name?: string;
  /** The server has no other channel, so that this one is probably the usual one. */
  readonly isFirst?: boolean;
  /** Absent: a new one is connected. */
  readonly channel?: ChannelOut;
}

function WebhookForm({ kind, name: suggested, isFirst = false, channel, onDone }: FormProps): ReactNode {
  const api = useApi();
  const { trouble, isBusy, run } = useActing(onDone);
  const [saves, setSaves] = useState(0);
  const words = KINDS[kind];
  const isNew = channel === undefined;

  async function save(form: FormData): Promise<undefined> {
    const name = channel?.name ?? String(form.get("name")).trim();
    await api.send("PUT", `/v1/channels/${encodeURIComponent(name)}`, webhookIn(kind, form, channel));
    if (form.has("usual")) await api.send("PATCH", "/v1/settings", { default_channel: name });
    // A new form: no address and no secret stay on the page.
    setSaves((before) => before + 1);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(save(new FormData(event.currentTarget)));
  }

  return (
    <form className="app-form" key={saves} onSubmit={onSubmit}>
      <Problem words={trouble} />
      {isNew ? <Name suggested={suggested} /> : null}
      <Text
        name="url"
        label={isNew ? words.url : WORDS.newUrl}
        value={isNew && kind === "pagerduty" ? words.example : undefined}
        placeholder={words.example}
        inputMode="url"
        required={isNew}
      />
      {words.secret === undefined ? null : (
        <Text
          name="secret"
          label={isNew ? words.secret : WORDS.newSecret}
          value={undefined}
          type="password"
          required={isNew && words.needsSecret === true}
        />
      )}
      {kind === "webhook" ? <Text name="to" label={WORDS.to} value={channel?.to.join(", ")} /> : null}
      {isNew ? <Usual isChecked={isFirst} /> : null}
      <p className="hp-hint">
        {WORDS.kept} {words.trial}
      </p>
      <button type="submit" className="app-button" disabled={isBusy}>
        {isBusy ? WORDS.trying : isNew ? WORDS.submit : WORDS.save}
      </button>
    </form>
  );
}
