/** The clients that `Holdpoint` works over. */

import type {
  BrowserTokenClient,
  CallOptions,
  CheckClient,
  CheckGiven,
  FileClient,
  HoldClient,
  ThreadClient,
} from "@holdpoint/protocol/client";

/** A hold client; what it cannot do besides is refused when it is wanted. */
export type AnyClient = HoldClient &
  Partial<ThreadClient> &
  Partial<FileClient> &
  Partial<CheckClient> &
  Partial<BrowserTokenClient> & { serverUrl?(): Promise<string> };

/** What may be said about a tool call besides its name and arguments. */
export type CheckOptions = Omit<CheckGiven, "tool" | "args"> & Pick<CallOptions, "signal">;

/** Whether a hold client is given, instead of where the server is. */
export function hasClient(options: object): options is { readonly client: AnyClient } {
  return Object(options).client !== undefined;
}
