/** Webhook channels that were connected in the console. They are sent by the same client as those of the configuration. */

import type { Channel } from "./channels/channel.ts";
import type { Outgoing } from "./channels/outgoing.ts";
import {
  closesAlerts,
  type Receiver,
  receiverChannel,
  tryReceiver,
  whyNotReceiver,
} from "./channels/webhook/channel.ts";
import type { WebhookChannel } from "./kernel/server/webhook-channel.ts";
import { LiveChannels, type MadeChannel, UNREADABLE_REASON } from "./live-channels.ts";
import type { Clock } from "./system/clock.ts";
import { type Ids, systemIds } from "./system/ids.ts";
import type { Sealer } from "./system/sealing.ts";

export interface LiveWebhookOptions {
  readonly channels: Map<string, Channel>;
  readonly sealer: Sealer;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly ids?: Ids;
}

export interface WebhookState extends Pick<WebhookChannel, "name" | "platform" | "preset" | "to" | "origin"> {
  readonly isSigned: boolean;
  /** It closes what it has shown when the hold ends. */
  readonly isClosing: boolean;
  readonly error?: string;
}

/** The address and the secret that are tried; what is absent is as the channel has it. */
export interface GivenReceiver {
  readonly name: string;
  readonly preset?: WebhookChannel["preset"];
  readonly url?: string;
  readonly secret?: string;
}

export type WhyNotWebhook = { readonly kind: "settings" | "trial"; readonly reason: string };

export class LiveWebhooks {
  readonly #options: LiveWebhookOptions;
  readonly #made: LiveChannels<WebhookChannel, WebhookState>;

  constructor(options: LiveWebhookOptions) {
    this.#options = options;
    this.#made = new LiveChannels(options.channels, (row) => this.#make(row));
  }

  has(name: string): boolean {
    return this.#made.has(name);
  }

  states(): readonly WebhookState[] {
    return this.#made.states();
  }

  use(rows: readonly WebhookChannel[]): void {
    this.#made.use(rows);
  }

  /** Posts a message that asks nothing. `null`: the receiver took it. */
  async whyNot(given: GivenReceiver, kept: WebhookChannel | undefined): Promise<WhyNotWebhook | null> {
    const before = kept === undefined ? undefined : this.#receiverOf(kept);
    if (before === null && given.url === undefined) return { kind: "trial", reason: UNREADABLE_REASON };
    const url = given.url ?? before?.url ?? "";
    const secret = given.secret ?? before?.secret;
    const { preset } = given;
    const receiver = {
      ...{ url, ...(preset === undefined ? {} : { preset }) },
      ...(secret === undefined ? {} : { secret }),
    };
    const why = whyNotReceiver(receiver);
    if (why !== null) return { kind: "settings", reason: why };
    const { outgoing, clock, ids = systemIds } = this.#options;
    const { name: channel } = given;
    const trial = { id: `trial_${ids.next(clock.now())}`, channel, text: trialText(channel) };
    const result = await tryReceiver(receiver, trial, { outgoing, clock });
    return result.kind === "sent" ? null : { kind: "trial", reason: result.reason };
  }

  #make(row: WebhookChannel): MadeChannel<WebhookState> {
    const { name, platform, preset, to, origin, secret } = row;
    const receiver = this.#receiverOf(row);
    return {
      channel: receiver === null ? null : receiverChannel(receiver, this.#options),
      state: {
        ...{ name, platform, to, origin, isSigned: secret !== undefined, isClosing: closesAlerts(preset) },
        ...(preset === undefined ? {} : { preset }),
        ...(receiver === null ? { error: UNREADABLE_REASON } : {}),
      },
    };
  }

  /** `null`: this server cannot read the address or the secret. */
  #receiverOf({ name, preset, url: sealedUrl, secret: sealed }: WebhookChannel): Receiver | null {
    const { sealer } = this.#options;
    const url = sealer.open(sealedUrl, name);
    const secret = sealed === undefined ? undefined : sealer.open(sealed, name);
    if (url === undefined || (sealed !== undefined && secret === undefined)) return null;
    return {
      ...{ url, ...(preset === undefined ? {} : { preset }) },
      ...(secret === undefined ? {} : { secret }),
    };
  }
}

function trialText(channel: string): string {
  return `Holdpoint sends questions here from now on (channel ${channel}). This is a test: nothing waits for you.`;
}
