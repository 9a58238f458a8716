/** What a decision may use besides the world: the batch's clock reading and two pure functions the core cannot bring. */

import type { Judge } from "@holdpoint/protocol/rules";

export interface Context {
  /** Read once per batch, after the locks. */
  readonly now: number;
  readonly judge: Judge;
  /** SHA-256 over salt and canonical JSON, as `sha256:<base64url>`. */
  digest(content: unknown, salt: string): string;
}
