/** What a program keeps about its conversations between runs, wherever the server is. */

import type { JsonObject } from "../rules/json.ts";
import type { CallOptions } from "./hold-client.ts";
import type { OpenIn } from "./types.ts";

export interface Thread {
  readonly id: string;
  readonly version: number;
  readonly data: JsonObject;
  readonly keptAt: string;
}

export interface ThreadGiven {
  readonly data: OpenIn;
  /** Refused with `precondition_failed` unless the thread still has this version; 0: unless there is none. */
  readonly ifVersion?: number;
  /** The group whose holds its next run waits for: it is not forgotten before they are settled. */
  readonly waitsFor?: string;
}

export interface ThreadClient {
  /** Null when nothing was kept. */
  getThread(threadId: string, options?: CallOptions): Promise<Thread | null>;
  keepThread(threadId: string, thread: ThreadGiven, options?: CallOptions): Promise<Thread>;
  forgetThread(threadId: string, options?: CallOptions): Promise<void>;
}
