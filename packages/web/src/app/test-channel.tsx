/** Sends a real question by a channel, and says what came of it: delivered or why not, and who answered. */

import type { ChannelOut, ChannelTestOut, DeliveryListOut, HoldOut } from "@holdpoint/protocol";
import { type ReactNode, useEffect, useState } from "react";
import { useActing, useApi, useLoaded } from "./hooks.ts";
import { Problem, To } from "./parts.tsx";
import { isOnItsWay, resultOf } from "./test-result.ts";

const WORDS = {
  test: (channel: string) => `Send a test message by ${channel}`,
  sent: (to: string) => `Test for ${to}:`,
  hold: "Look at the question",
  you: "you",
};

const LOOK_MS = 1_000;

export function TestChannel({
  channel,
  beat,
}: {
  readonly channel: ChannelOut;
  readonly beat: number;
}): ReactNode {
  const api = useApi();
  const [sent, setSent] = useState<ChannelTestOut>();
  const { trouble, isBusy, run } = useActing();
  const id = sent?.hold_id;
  const { value, reload } = useLoaded(
    async () => {
      if (id === undefined) return undefined;
      const [hold, { deliveries }] = await Promise.all([
        api.get<HoldOut>(`/v1/holds/${id}`),
        api.get<DeliveryListOut>(`/v1/deliveries?hold_id=${id}`),
      ]);
      return { id, hold, delivery: deliveries.find(({ kind }) => kind === "notice") };
    },
    id,
    beat,
  );
  const found = value?.id === id ? value : undefined;
  const isWaiting = id !== undefined && isOnItsWay(found?.delivery);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [isWaiting, reload]);
  const send = async (): Promise<undefined> => {
    setSent(await api.send<ChannelTestOut>("POST", `/v1/channels/${encodeURIComponent(channel.name)}/test`));
  };
  return (
    <>
      <button type="button" className="app-button" disabled={isBusy} onClick={() => run(send())}>
        {WORDS.test(channel.name)}
      </button>
      <Problem words={trouble} />
      {sent === undefined ? null : (
        <p className="hp-notice" role="status">
          <span>
            {WORDS.sent(sent.to.startsWith("person:") ? WORDS.you : sent.to)}{" "}
            {resultOf(found?.hold, found?.delivery)}
          </span>
          <To href={`/console/holds/${sent.hold_id}`}>{WORDS.hold}</To>
        </p>
      )}
    </>
  );
}
