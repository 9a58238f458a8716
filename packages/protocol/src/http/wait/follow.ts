/** Events one after the other, across lost connections, without gaps and without repeats. */

import {
  type FollowOptions,
  fromWire,
  type HoldEvent,
  isRetryableError,
  type RetryableError,
} from "../../client/index.ts";
import type { EventOut } from "../../index.ts";
import { pause } from "../runtime.ts";
import type { Transport } from "../transport.ts";
import { connection } from "./connection.ts";

export async function* follow(
  transport: Transport,
  options: FollowOptions = {},
): AsyncGenerator<HoldEvent, void> {
  const signal = options.signal ?? new AbortController().signal;
  const path = pathOf(options);
  let lastId = options.after === undefined ? "" : String(options.after);
  for (let failures = 0; !signal.aborted; failures += 1) {
    let trouble: RetryableError | undefined;
    let isOpen = false;
    try {
      for await (const piece of connection(transport, { path, lastId, signal })) {
        failures = 0;
        if (!isOpen) options.onOpen?.();
        isOpen = true;
        for (const frame of piece.frames) {
          yield fromWire("EventOut", JSON.parse(frame.data) as EventOut);
        }
        if (piece.lastId !== "") lastId = piece.lastId;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isRetryableError(error)) throw error;
      trouble = error;
    }
    await pause(transport.runtime, transport.delayMs(trouble, failures + 1), signal).catch(() => {});
  }
}

function pathOf({ holdIds, types }: FollowOptions): string {
  const query = new URLSearchParams();
  if (holdIds !== undefined) query.set("hold_id", holdIds.join(","));
  if (types !== undefined) query.set("types", types.join(","));
  return `/v1/events${query.size === 0 ? "" : `?${query}`}`;
}
