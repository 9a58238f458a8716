/** Chats where people are asked: whether each bot listens, how to link one's own account, and how to connect another platform. */

import type { AccountCodeOut, MeOut, PersonListOut } from "@holdpoint/protocol";
import { CHAT_PLATFORMS } from "@holdpoint/protocol/chat";
import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { ChannelSection } from "./channel-section.tsx";
import { ChatForm, ConnectChat, platformName } from "./connect-chat.tsx";
import { useApi, useLoaded } from "./hooks.ts";
import { Copy, Problem } from "./parts.tsx";

const WORDS = {
  chats: "Chats",
  asks: (join: string | number) => `, asks in ${join}`,
  noChatConnected: "No chat is connected yet.",
  yourAccounts: (join: string | number) => `Your accounts: ${join}.`,
  linkYourAccount: "Link your account",
  sendCodeBot: "Send this code to the bot in a direct message within 15 minutes. It works once.",
  open: (channel: string | number) => `Open ${channel}`,
  removeConsequence:
    "The bot stops listening, its open messages keep their buttons, and its token is forgotten.",
  adminsOnly: "Admins of the workspace default connect and change chats.",
};

function isChat(platform: string): boolean {
  return CHAT_PLATFORMS.some((kind) => kind === platform);
}

export function Chats({ beat }: { readonly beat: number }): ReactNode {
  return (
    <ChannelSection
      beat={beat}
      title={WORDS.chats}
      none={WORDS.noChatConnected}
      whoMay={WORDS.adminsOnly}
      removeConsequence={WORDS.removeConsequence}
      isOf={({ platform }) => isChat(platform)}
      detailOf={({ platform, to }) =>
        `${platformName(platform)}${to.length === 0 ? "" : WORDS.asks(to.join(", "))}`
      }
      formFor={(channel, onDone) => <ChatForm kind={channel.platform} channel={channel} onDone={onDone} />}
      connect={(all, onDone) =>
        CHAT_PLATFORMS.map((kind) => <ConnectChat key={kind} kind={kind} taken={all} onDone={onDone} />)
      }
    >
      <Link beat={beat} />
    </ChannelSection>
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
