/** The parts of a server that send: the outbox's sender, its bounds, and what every channel needs. */

import { BacklogKeeper } from "./channels/backlog-keeper.ts";
import type { Channel } from "./channels/channel.ts";
import { Pruner } from "./channels/pruner.ts";
import { noteReach } from "./channels/reach.ts";
import { Sender } from "./channels/sender.ts";
import { carriersOf, chatsOf, type DeliveryOptions } from "./deliveries.ts";
import type { Engine } from "./engine/engine.ts";
import type { Feed } from "./engine/feed.ts";
import { LiveSettings } from "./live-settings.ts";
import type { Measures } from "./measure.ts";
import type { ServerOptions } from "./server.ts";
import { systemRandom } from "./system/ids.ts";
import { liveRedactor } from "./system/redact.ts";
import { newSealer } from "./system/sealing.ts";

export function keepBacklogs(
  engine: Engine,
  { outboxTries }: Measures,
  onFault: (error: unknown) => void,
): BacklogKeeper {
  const { store, clock } = engine;
  const onDropped = (count: number) => outboxTries.add(count, "backlog_full");
  const keeper = new BacklogKeeper({ store, clock, onDropped, onFault });
  engine.onCommit(({ messages }) => keeper.committed(messages));
  return keeper;
}

export function prunerOf(engine: Engine, onFault: (error: unknown) => void): Pruner {
  const { store, clock } = engine;
  return new Pruner({ store, clock, onFault, keepMs: () => engine.platform.deliveryRetainMs });
}

interface LiveDeliveries extends DeliveryOptions {
  readonly channels: Map<string, Channel>;
}

/** What sending needs, chats included. */
export function deliveryOptions(
  options: ServerOptions,
  parts: Pick<DeliveryOptions, "engine" | "identity" | "ids" | "signResult">,
  onFault: (error: unknown) => void,
): LiveDeliveries {
  const { outgoing, publicUrl, channels = {}, chats: bots = {}, chatLeaseMs } = options;
  const deliveries = {
    ...parts,
    ...{ outgoing, publicUrl, channels: new Map(Object.entries(channels)) },
    redact: liveRedactor(() => parts.engine.platform.redact),
  };
  const lease = chatLeaseMs === undefined ? {} : { leaseMs: chatLeaseMs };
  return { ...deliveries, chats: chatsOf({ ...deliveries, ...lease, bots, onFault }) };
}

export function liveSettings(
  { sealer = newSealer(), chatPlatforms: platforms = {}, addressOf }: ServerOptions,
  { engine, chats, channels, outgoing }: LiveDeliveries,
  feed: Feed,
  onFault: (error: unknown) => void,
): LiveSettings {
  const addresses = addressOf === undefined ? {} : { addressOf };
  const configured = engine.platform;
  return new LiveSettings({
    ...{ engine, feed, chats, channels, outgoing, sealer, platforms, configured, onFault },
    ...addresses,
  });
}

export function buildSender(
  options: ServerOptions,
  deliveries: DeliveryOptions,
  measures: Measures,
  onTrouble: (error: unknown) => void,
): Sender {
  const { store } = options;
  const { engine } = deliveries;
  const sender = new Sender({
    store,
    // Messages are due by the engine's time, which goes on when the machine's clock is set back.
    clock: engine.clock,
    random: options.random ?? systemRandom,
    carriers: carriersOf(deliveries),
    ...(store.shared.hasOthers ? { limits: { lookAgainMs: store.shared.lookMs } } : {}),
    hooks: {
      onLag: (lagMs) => measures.outboxLag.observe(lagMs / 1000),
      onTried: (_row, result) => measures.outboxTries.add(1, result),
      beforeSettled: (row, result) => noteReach(engine, row, result),
      onTrouble,
    },
  });
  engine.onCommit(({ messages }) => {
    if (messages > 0) sender.wake();
  });
  return sender;
}
