/** Makes the hold client over HTTP from what its user gives. Nothing is looked up or sent before the first call. */

import { resolveSettings, type Settings, type SettingsOptions } from "./config/settings.ts";
import { systemSurroundings } from "./config/surroundings.ts";
import { HttpHoldClient } from "./http-hold-client.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./retry.ts";
import { type Runtime, runtimeOver } from "./runtime.ts";
import { Transport } from "./transport.ts";

export interface HttpClientOptions extends SettingsOptions {
  /** How often and how fast a call is repeated where repeating is harmless. */
  readonly retry?: Partial<RetryPolicy>;
  /** How long a reply may take, besides what the server was asked to wait. */
  readonly replyTimeoutMs?: number;
  /** `false`: wait by long polls only, for networks that swallow streams. */
  readonly streaming?: boolean;
  /** Instead of the machine's own; for tests. */
  readonly runtime?: Partial<Runtime>;
}

const REPLY_TIMEOUT_MS = 30_000;

const OPTIONS: Readonly<Record<keyof HttpClientOptions, true>> = {
  url: true,
  apiKey: true,
  agent: true,
  headers: true,
  retry: true,
  replyTimeoutMs: true,
  streaming: true,
  runtime: true,
};

export function httpHoldClient(options: HttpClientOptions = {}): HttpHoldClient {
  refuseUnknown("option", options, OPTIONS);
  refuseUnknown("retry option", options.retry ?? {}, DEFAULT_RETRY);
  const { retry, replyTimeoutMs = REPLY_TIMEOUT_MS, streaming = true, runtime } = options;
  let resolved: Promise<Settings> | undefined;
  const settings = () => {
    // A failed look-up is not remembered: the server that leaves the file may just be starting.
    resolved ??= resolveSettings(options, systemSurroundings()).catch((error: unknown) => {
      resolved = undefined;
      throw error;
    });
    return resolved;
  };
  const transport = new Transport({
    settings,
    runtime: runtimeOver(runtime),
    retry: { ...DEFAULT_RETRY, ...retry },
    replyTimeoutMs,
  });
  return new HttpHoldClient(transport, streaming);
}
