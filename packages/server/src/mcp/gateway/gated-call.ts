/**
 * One `tools/call` that passes the gateway.
 *
 * C1  It is forwarded only after the rules allowed it, or a person approved it and the approval was claimed.
 * C2  Everything that goes wrong before that ends in a reply that says that it was not executed.
 * C3  An approved call is forwarded once. When its result is not known, its claim stays open: the server shows it as unknown, and
 *     the same call is refused until a person has looked.
 */

import {
  type Check,
  type CheckGiven,
  type ClaimClient,
  isRetryableError,
  isTerminalError,
  type OutstandingReport,
  type StandingClient,
  tryOnce,
  warnOutstanding,
} from "@holdpoint/protocol/client";
import { type Ruling, type RulingClient, ruleOn } from "@holdpoint/protocol/toolcalls";
import type { Clock } from "../../system/clock.ts";
import type { LocalRules } from "../../toolcalls/local-rules.ts";
import type { StandingCalls } from "../../toolcalls/standing-calls.ts";
import { type CallToolResult, type Open, said } from "./messages.ts";

export interface GateOptions {
  /** Without `recordStandingCalls` every call is checked. */
  readonly client: RulingClient & ClaimClient & Partial<StandingClient>;
  /** Must never run backwards. */
  readonly clock: Clock;
  readonly session: string;
  readonly localRules?: LocalRules;
  /** `local`: while the server cannot be reached, what the local rules allow goes on. */
  readonly whenUnreachable: "deny" | "local";
  /** How long the tool may take before nobody knows whether it ran. */
  readonly lease?: string;
  readonly standing?: StandingCalls;
  /** Told when an approved call ran and the report of it is outstanding; a warning on the console when absent. */
  readonly onOutstanding?: (report: OutstandingReport) => void;
}

export interface GatedCall extends Pick<CheckGiven, "tool" | "args" | "annotations" | "argsSchema"> {
  /** With an output schema, clients take only errors or structured results. */
  readonly hasOutputSchema: boolean;
  readonly signal: AbortSignal;
  /** Sends the call with these arguments. Throws `NoResult` when nobody knows whether it was executed. */
  forward(args: Open): Promise<Open>;
}

/** The call was sent and no result came back. */
export class NoResult extends Error {
  override readonly name = "NoResult";
}

/** MCP clients often give up after 60 s. */
const WAIT_MS = 50_000;

export async function runGated(call: GatedCall, options: GateOptions): Promise<Open> {
  const { tool, args, hasOutputSchema } = call;
  const why = whyBadName(tool);
  if (why !== null) return said(`Not executed: ${why}.`, true);
  let ruling: Ruling;
  try {
    ruling = await rulingOn(call, options);
  } catch (error) {
    return said(`Not executed: ${troubleWords(error)}`, true);
  }
  switch (ruling.kind) {
    case "denied":
      return said(`Not executed: ${ruling.reason}`, true);
    case "pending":
      return said(PENDING, hasOutputSchema);
    case "run":
      if (ruling.hold === undefined) return call.forward(args);
      return isDeniedHere(ruling, call, options) ? said(DENIED_HERE, true) : claimed(ruling, call, options);
  }
}

const DENIED_HERE =
  "Not executed: a person approved this call with other arguments, which the gateway's local rules deny.";

/** The server does not know the local rules, so it cannot refuse a person's changes that they deny. */
function isDeniedHere(
  { args, isEdited }: Extract<Ruling, { kind: "run" }>,
  { tool, annotations }: GatedCall,
  { localRules }: GateOptions,
): boolean {
  const hints = annotations === undefined ? {} : { annotations };
  return isEdited && localRules?.({ tool, args, ...hints }).verdict === "deny";
}

const PENDING =
  "Pending: a person was asked whether this call may run and has not answered yet. It was not executed. Call this tool again with identical arguments to go on; other arguments are a new question.";

async function rulingOn(
  { tool, args, annotations, argsSchema, signal }: GatedCall,
  { client, localRules, session, clock, whenUnreachable, standing }: GateOptions,
): Promise<Ruling> {
  const startedAt = clock.now();
  const hints = annotations === undefined ? {} : { annotations };
  const local = localRules?.({ tool, args, ...hints });
  const check: CheckGiven = {
    ...{ tool, args, session, ...hints },
    ...(argsSchema === undefined ? {} : { argsSchema }),
    ...(local === undefined ? {} : { localRules: local }),
  };
  let isRuled = false;
  const waitMs = () => {
    isRuled = true;
    return Math.max(0, WAIT_MS - (clock.now() - startedAt));
  };
  try {
    const onCheck = (reply: Check) => standing?.learn(tool, reply, startedAt);
    return await ruleOn(client, check, { waitMs, signal, onCheck });
  } catch (error) {
    // What the server asked a person about is not decided by a file, even if the server is lost afterwards.
    const isAllowed = whenUnreachable === "local" && local?.verdict === "allow" && !isRuled;
    if (!isAllowed || !isRetryableError(error)) throw error;
    return { kind: "run", args: args as never, isEdited: false };
  }
}

async function claimed(
  { hold, args, isEdited }: Ruling & { readonly kind: "run" },
  call: GatedCall,
  { client, lease, onOutstanding }: GateOptions,
): Promise<Open> {
  let hasResult = true;
  const fence: ClaimClient = {
    get: (...given) => client.get(...given),
    claim: (...given) => client.claim(...given),
    // Without a result there is nothing to report: the claim becomes unknown (C3).
    finishClaim: async (...given) => (hasResult ? client.finishClaim(...given) : (undefined as never)),
  };
  const work = async () => {
    try {
      return await call.forward(args);
    } catch (error) {
      hasResult = !(error instanceof NoResult);
      throw error;
    }
  };
  let attempt: Awaited<ReturnType<typeof tryOnce<Open>>>;
  try {
    attempt = await tryOnce(fence, hold as never, work, {
      signal: call.signal,
      takesEdits: ["edited_args"],
      ...(lease === undefined ? {} : { lease }),
    });
  } catch (error) {
    return said(`Not executed: ${troubleWords(error)}`, true);
  }
  switch (attempt.kind) {
    case "ran":
      if (attempt.outstanding !== undefined)
        (onOutstanding ?? warnOutstanding(String(hold?.id)))(attempt.outstanding);
      return isEdited ? noted(attempt.result, editedWords(args)) : attempt.result;
    case "recorded":
      return noted(attempt.result, "This approved call ran before. This is the recorded result.");
    case "refused":
      return said(`Not executed: ${attempt.refusal.message}`, true);
    case "failed":
      throw attempt.error;
  }
}

function editedWords(args: Open): string {
  return `A person changed the arguments before approving. The call ran with ${JSON.stringify(args)}. Do not repeat it.`;
}

/** The gateway's words come first, as a block of their own. */
function noted(result: Open, words: string): Open {
  const { content } = result as Partial<CallToolResult>;
  return { ...result, content: [{ type: "text", text: words }, ...(Array.isArray(content) ? content : [])] };
}

const NAME_MAX = 200;

/** A name with invisible characters could look like another tool to the person who is asked. */
function whyBadName(tool: string): string | null {
  if (tool.length > NAME_MAX) return `the tool's name is longer than ${NAME_MAX} characters`;
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u.test(tool)
    ? "the tool's name contains control or invisible characters"
    : null;
}

function troubleWords(error: unknown): string {
  if (isTerminalError(error)) return `the Holdpoint server refused to decide: ${error.message}`;
  if (isRetryableError(error)) return "the Holdpoint server cannot be reached. Try again later.";
  return "the Holdpoint server gave no valid answer. Try again later.";
}
