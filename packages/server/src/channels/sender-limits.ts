/** What bounds the sender. */

export interface SenderLimits {
  readonly atOnce: number;
  readonly perLane: number;
  /** How long a claim keeps other senders away from a row. */
  readonly leaseMs: number;
  /** How long one try may take, including rendering. */
  readonly sendMs: number;
  /** The most tries to all channels together that answered the last time. The others are for hosts. */
  readonly channelsAtOnce: number;
  /** The most tries to all hosts together. The others are for channels. */
  readonly hostsAtOnce: number;
  /** The most tries to all hosts together that never answered, and to those that answered late the last time or not at all. */
  readonly strangersAtOnce: number;
  readonly slowAtOnce: number;
  /** The most tries to all channels together that did not answer the last time. */
  readonly silentChannelsAtOnce: number;
  /** How long to wait while rows are due but cannot be claimed: their lane is full, or another sender is claiming them. */
  readonly busyMs: number;
  /** How long a stop waits for running tries. */
  readonly stopMs: number;
  /** How long to wait after the store failed. */
  readonly troubleMs: number;
  /** How often to look although nothing is due: the rows of a server that died become claimable. */
  readonly lookAgainMs: number;
}

export const LIMITS: SenderLimits = {
  atOnce: 32,
  perLane: 4,
  leaseMs: 5_000,
  sendMs: 30_000,
  channelsAtOnce: 24,
  hostsAtOnce: 24,
  strangersAtOnce: 12,
  slowAtOnce: 4,
  silentChannelsAtOnce: 4,
  busyMs: 1_000,
  stopMs: 5_000,
  troubleMs: 5_000,
  lookAgainMs: 60_000,
};
