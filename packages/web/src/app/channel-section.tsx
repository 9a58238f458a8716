/** One kind of channel on the Channels page: what each is, whether it works, and what an admin may do with it. */

import type { ChannelListOut, ChannelOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Sure } from "./parts.tsx";
import { TestChannel } from "./test-channel.tsx";

const WORDS = {
  change: (name: string) => `Change ${name}`,
  remove: (name: string) => `Disconnect ${name}`,
};

const STATES: Readonly<Record<ChannelOut["state"], string>> = {
  connected: "listening",
  starting: "connecting",
  standby: "another server listens",
  ready: "ready",
  failed: "does not work",
};

interface Props {
  readonly beat: number;
  readonly title: string;
  /** Shown if there is none. */
  readonly none: string;
  /** Shown to those who may not change any. */
  readonly whoMay: string;
  readonly removeConsequence: string;
  isOf(channel: ChannelOut): boolean;
  detailOf(channel: ChannelOut): string;
  /** The form that changes a channel which was connected here. */
  formFor(channel: ChannelOut, onDone: () => void): ReactNode;
  /** What connects another one. `all`: the channels of every kind. */
  connect(all: readonly ChannelOut[], onDone: () => void): ReactNode;
  /** Shown below the list if there are any. */
  readonly children?: ReactNode;
}

export function ChannelSection({ beat, children, ...kind }: Props): ReactNode {
  const api = useApi();
  const { role, changesServer: mayChange } = api.state;
  const mayTest = role === "admin" || role === "dev";
  const channels = useLoaded(async () => (await api.get<ChannelListOut>("/v1/channels")).channels, beat);
  return (
    <section className="app-panel" aria-label={kind.title}>
      <h2>{kind.title}</h2>
      <Await loaded={channels}>
        {(all) => {
          const list = all.filter(kind.isOf);
          return (
            <>
              {list.length === 0 ? <p className="hp-hint">{kind.none}</p> : null}
              <ul className="app-plain">
                {list.map((channel) => (
                  <li key={channel.name} className="chat-row">
                    <span>
                      <strong>{channel.name}</strong>
                      {channel.bot === undefined ? null : ` @${channel.bot}`}
                      <small>
                        {kind.detailOf(channel)}
                        {channel.reason === undefined ? "" : `, ${channel.reason.replaceAll("_", " ")}`}
                      </small>
                    </span>
                    <Badge>{STATES[channel.state]}</Badge>
                    {mayTest ? <TestChannel channel={channel} beat={beat} /> : null}
                    {mayChange && channel.source === "console" ? (
                      <Own name={channel.name} consequence={kind.removeConsequence} onDone={channels.reload}>
                        {kind.formFor(channel, channels.reload)}
                      </Own>
                    ) : null}
                  </li>
                ))}
              </ul>
              {list.length === 0 ? null : children}
              {mayChange ? kind.connect(all, channels.reload) : <p className="hp-hint">{kind.whoMay}</p>}
            </>
          );
        }}
      </Await>
    </section>
  );
}

interface OwnProps {
  readonly name: string;
  readonly consequence: string;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

/** What was connected here is changed and disconnected here. */
function Own({ name, consequence, onDone, children }: OwnProps): ReactNode {
  const api = useApi();
  return (
    <>
      <Sure
        label={WORDS.remove(name)}
        question={consequence}
        act={() => api.send("DELETE", `/v1/channels/${encodeURIComponent(name)}`)}
        onDone={onDone}
        isDanger
      />
      <details>
        <summary>{WORDS.change(name)}</summary>
        {children}
      </details>
    </>
  );
}
