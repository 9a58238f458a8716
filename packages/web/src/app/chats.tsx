/** Chats where people are asked: whether each bot listens, how to link one's own account, and how to connect another platform. */

import type { AccountCodeOut, ChannelListOut, ChannelOut, MeOut, PersonListOut } from "@holdpoint/protocol";
import { CHAT_PLATFORMS } from "@holdpoint/protocol/chat";
import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { ChatForm, ConnectChat, platformName } from "./connect-chat.tsx";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Copy, Problem, Sure } from "./parts.tsx";
import { TestChannel } from "./test-channel.tsx";

const WORDS = {
  chats: "Chats",
  asks: (join: string | number) => `, asks in ${join}`,
  noChatConnected: "No chat is connected yet.",
  yourAccounts: (join: string | number) => `Your accounts: ${join}.`,
  linkYourAccount: "Link your account",
  sendCodeBot: "Send this code to the bot in a direct message within 15 minutes. It works once.",
  open: (channel: string | number) => `Open ${channel}`,
  remove: (channel: string) => `Disconnect ${channel}`,
  removeConsequence:
    "The bot stops listening, its open messages keep their buttons, and its token is forgotten.",
  change: (channel: string) => `Change ${channel}`,
  adminsOnly: "Admins of the workspace default connect and change chats.",
};

const STATES: Readonly<Record<ChannelOut["state"], string>> = {
  connected: "listening",
  starting: "connecting",
  standby: "another server listens",
  ready: "ready",
  failed: "does not work",
};

function isChat(platform: string): boolean {
  return CHAT_PLATFORMS.some((kind) => kind === platform);
}

export function Chats({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const { role, changesServer: mayChange } = api.state;
  const mayTest = role === "admin" || role === "dev";
  const channels = useLoaded(async () => (await api.get<ChannelListOut>("/v1/channels")).channels, beat);
  const chats = { ...channels, value: channels.value?.filter(({ platform }) => isChat(platform)) };
  return (
    <section className="app-panel">
      <h2>{WORDS.chats}</h2>
      <Await loaded={chats}>
        {(list) => (
          <>
            <ul className="app-plain">
              {list.map((channel) => (
                <li key={channel.name} className="chat-row">
                  <span>
                    <strong>{channel.name}</strong>
                    {channel.bot === undefined ? null : ` @${channel.bot}`}
                    <small>
                      {platformName(channel.platform)}
                      {channel.to.length === 0 ? "" : WORDS.asks(channel.to.join(", "))}
                      {channel.reason === undefined ? "" : `, ${channel.reason.replaceAll("_", " ")}`}
                    </small>
                  </span>
                  <Badge>{STATES[channel.state]}</Badge>
                  {mayTest ? <TestChannel channel={channel} beat={beat} /> : null}
                  {mayChange && channel.source === "console" ? (
                    <Own channel={channel} onDone={channels.reload} />
                  ) : null}
                </li>
              ))}
            </ul>
            {list.length === 0 ? <p className="hp-hint">{WORDS.noChatConnected}</p> : <Link beat={beat} />}
            {mayChange ? (
              CHAT_PLATFORMS.map((kind) => (
                <ConnectChat key={kind} kind={kind} taken={channels.value ?? []} onDone={channels.reload} />
              ))
            ) : (
              <p className="hp-hint">{WORDS.adminsOnly}</p>
            )}
          </>
        )}
      </Await>
    </section>
  );
}

interface OwnProps {
  readonly channel: ChannelOut;
  readonly onDone: () => void;
}

/** What was connected here is changed here: another token, other chats, or an end. */
function Own({ channel, onDone }: OwnProps): ReactNode {
  const api = useApi();
  const { name, platform } = channel;
  return (
    <>
      <Sure
        label={WORDS.remove(name)}
        question={WORDS.removeConsequence}
        act={() => api.send("DELETE", `/v1/channels/${encodeURIComponent(name)}`)}
        onDone={onDone}
        isDanger
      />
      <details>
        <summary>{WORDS.change(name)}</summary>
        <ChatForm kind={platform} channel={channel} onDone={onDone} />
      </details>
    </>
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
        <p className="hp-hint">{WORDS.yourAccounts(linked.value.map(platformName).join(", "))}</p>
      )}
      <p>
        <button type="button" className="app-button" onClick={() => void makeCode()}>
          {WORDS.linkYourAccount}
        </button>
      </p>
      <Problem words={trouble} />
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
