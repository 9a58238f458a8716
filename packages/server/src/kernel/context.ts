/** What a decision may use besides the draft: the time of the batch, the operator's settings and pure functions. */

import type { Judge } from "@holdpoint/protocol/rules";
import type { Platform } from "./platform.ts";

export interface Context {
  /** Read once per batch, after the store has taken its locks. */
  readonly now: number;
  readonly platform: Platform;
  readonly judge: Judge;
  /** SHA-256 over salt and canonical JSON, as `sha256:<base64url>`. */
  digest(content: unknown, salt: string): string;
}
