/** What a decision may use besides the draft: the batch's clock reading, the operator's settings and pure functions. */

import type { Judge } from "@holdpoint/protocol/rules";
import type { Platform } from "./platform.ts";

export interface Context {
  /** Read once per batch, after the locks. */
  readonly now: number;
  readonly platform: Platform;
  readonly judge: Judge;
  /** SHA-256 over salt and canonical JSON, as `sha256:<base64url>`. */
  digest(content: unknown, salt: string): string;
}
