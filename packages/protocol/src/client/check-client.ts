/** What a program that runs tools asks before it runs one, wherever the server is. */

import type { ArgTermIn, Verdict } from "../rules/gating/index.ts";
import type { CallOptions } from "./hold-client.ts";
import type { Hold, OpenIn } from "./types.ts";

/** One tool call to put before the rules. */
export interface CheckGiven {
  readonly tool: string;
  readonly args: OpenIn;
  readonly session?: string;
  readonly threadId?: string;
  /** Hints of the tool's own server. They may add questions and never remove any. */
  readonly annotations?: OpenIn;
  /** Tells two calls with the same arguments apart. */
  readonly key?: string;
  /** JSON Schema of the arguments, for people who approve with changes. */
  readonly argsSchema?: OpenIn;
  /** What the caller's own rules said. The stricter verdict counts. */
  readonly localRules?: { readonly digest: string; readonly verdict: Verdict };
}

export interface RuleRef {
  readonly index: number;
  readonly name?: string;
}

export interface Check {
  readonly id: string;
  /** `allow`: run it, after claiming `hold` if there is one. `ask`: wait for `hold`. `deny`: do not run it. */
  readonly verdict: Verdict;
  readonly reason: string;
  /** The rule that matched; `null`: the default. */
  readonly rule: RuleRef | null;
  readonly rulesVersion: number;
  /** What rules in shadow mode would have said. */
  readonly shadow?: { readonly verdict: Verdict; readonly rule: RuleRef | null };
  readonly grantId?: string;
  readonly agent: string;
  readonly tool: string;
  readonly at: string;
  readonly hold?: Hold;
  /** For so long after the check was sent, every call of this tool is allowed; the caller records such calls. */
  readonly standingMs?: number;
  /** How many calls it is about, if it records several. */
  readonly calls?: number;
}

/** Calls that ran under a standing permission. */
export interface StandingCalls {
  readonly tool: string;
  readonly annotations?: OpenIn;
  readonly rulesVersion: number;
  readonly calls: readonly OpenIn[];
  readonly session?: string;
  readonly localRules?: { readonly digest: string };
}

/** Similar calls to allow in advance, together with an approval. */
export interface GrantGiven {
  /** How long, such as `2h`; either this or `until`. */
  readonly for?: string;
  readonly until?: string;
  /** How many calls; 1 when absent. */
  readonly uses?: number;
  /** What each argument may be; those not named must be equal. */
  readonly args?: Readonly<Record<string, ArgTermIn>>;
  /** Every nth matching call is still asked about. */
  readonly sampleEvery?: number;
}

export interface CheckClient {
  check(check: CheckGiven, options?: CallOptions): Promise<Check>;
}

export interface StandingClient {
  recordStandingCalls(calls: StandingCalls, options?: CallOptions): Promise<Check>;
}
