/** Chats where people are asked: whether each bot listens, how to link one's own account, and how to connect another platform. */

import type { AccountCodeOut, ChannelListOut, ChannelOut, MeOut, PersonListOut } from "@holdpoint/protocol";
import { CHAT_PLATFORMS, chatConfig, chatManifest, chatSteps } from "@holdpoint/protocol/chat";
import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Copy } from "./parts.tsx";

const WORDS = {
  chats: "Chats",
  asks: (join: string | number) => `, asks in ${join}`,
  noChatConnected: "No chat is connected yet.",
  yourAccounts: (join: string | number) => `Your accounts: ${join}.`,
  linkYourAccount: "Link your account",
  sendCodeBot: "Send this code to the bot in a direct message within 15 minutes. It works once.",
  open: (channel: string | number) => `Open ${channel}`,
  connect: (nameOf: string | number) => `Connect ${nameOf}`,
  addChannelHoldpoint:
    "Add the channel to holdpoint.yaml and restart the server. The chat then appears here.",
  linkOrRunConnect: (kind: string | number) =>
    `Link your account here, or run holdpoint connect ${kind}: it also sends you a first test message.`,
  manifestPaste: "Manifest to paste",
  holdpointYaml: "In holdpoint.yaml",
};

const STATES: Readonly<Record<ChannelOut["state"], string>> = {
  connected: "listening",
  starting: "connecting",
  standby: "another server listens",
  failed: "does not work",
};

export function Chats({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const channels = useLoaded(async () => (await api.get<ChannelListOut>("/v1/channels")).channels, beat);
  return (
    <section className="app-panel">
      <h2>{WORDS.chats}</h2>
      <Await loaded={channels}>
        {(list) => (
          <>
            <ul className="app-plain">
              {list.map((channel) => (
                <li key={channel.name}>
                  <span>
                    <strong>{channel.name}</strong>
                    {channel.bot === undefined ? null : ` @${channel.bot}`}
                    <small>
                      {nameOf(channel.platform)}
                      {channel.to.length === 0 ? "" : WORDS.asks(channel.to.join(", "))}
                      {channel.reason === undefined ? "" : `, ${channel.reason.replaceAll("_", " ")}`}
                    </small>
                  </span>
                  <Badge>{STATES[channel.state]}</Badge>
                </li>
              ))}
            </ul>
            {list.length === 0 ? <p className="hp-hint">{WORDS.noChatConnected}</p> : <Link beat={beat} />}
            {CHAT_PLATFORMS.filter((kind) => !list.some(({ platform }) => platform === kind)).map((kind) => (
              <Connect key={kind} kind={kind} />
            ))}
          </>
        )}
      </Await>
    </section>
  );
}

/** A code that the person sends to the bot: from then on their presses count as theirs. */
function Link({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [code, setCode] = useState<AccountCodeOut>();
  const [trouble, setTrouble] = useState<string>();
  const linked = useLoaded(async () => {
    const { name } = await api.get<MeOut>("/v1/me");
    const { people } = await api.get<PersonListOut>("/v1/people");
    return (people.find(({ id }) => id === name)?.accounts ?? []).map(({ platform }) => platform);
  }, beat);

  async function makeCode(): Promise<void> {
    try {
      const { name } = await api.get<MeOut>("/v1/me");
      setCode(
        await api.send<AccountCodeOut>("POST", `/v1/people/${encodeURIComponent(name)}/account_codes`, {}),
      );
      setTrouble(undefined);
    } catch (fault) {
      setTrouble(wordsOf(fault));
    }
  }

  return (
    <>
      {linked.value === undefined || linked.value.length === 0 ? null : (
        <p className="hp-hint">{WORDS.yourAccounts(linked.value.map(nameOf).join(", "))}</p>
      )}
      <p>
        <button type="button" className="app-button" onClick={() => void makeCode()}>
          {WORDS.linkYourAccount}
        </button>
      </p>
      {trouble === undefined ? null : (
        <p className="hp-notice hp-bad" role="alert">
          {trouble}
        </p>
      )}
      {code === undefined ? null : (
        <div className="hp-notice" role="status">
          <p>{WORDS.sendCodeBot}</p>
          <p className="app-secret">
            <code>{code.code}</code> <Copy text={code.code} />
          </p>
          {code.links.map(({ channel, url }) => (
            <p key={channel}>
              <a href={url} target="_blank" rel="noreferrer">
                {WORDS.open(channel)}
              </a>
            </p>
          ))}
        </div>
      )}
    </>
  );
}

/** The steps of `holdpoint connect`. The token goes into the server's environment, never through the console. */
function Connect({ kind }: { readonly kind: string }): ReactNode {
  const manifest = chatManifest(kind);
  const config = chatConfig(kind, "<chat>");
  return (
    <details>
      <summary>{WORDS.connect(nameOf(kind))}</summary>
      <ol>
        {chatSteps(kind).map((step) => (
          <li key={step}>{step}</li>
        ))}
        <li>{WORDS.addChannelHoldpoint}</li>
        <li>{WORDS.linkOrRunConnect(kind)}</li>
      </ol>
      {manifest === undefined ? null : (
        <>
          <p>
            {WORDS.manifestPaste} <Copy text={manifest} />
          </p>
          <pre>{manifest}</pre>
        </>
      )}
      <p>
        {WORDS.holdpointYaml} <Copy text={config} />
      </p>
      <pre>{config}</pre>
    </details>
  );
}

function nameOf(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
