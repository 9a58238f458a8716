/**
 * Puts one tool call before the server's rules and waits a short time for people. The MCP server, the MCP gateway and the hooks
 * of coding agents all decide here.
 *
 * R1  A call may run only when the server said `allow`, or when a person approved its hold.
 * R2  Whatever goes wrong on the way throws. No error, delay or malformed reply becomes a permission.
 * R3  What nobody decided is reported as such, never as a person's "no" (G5).
 */

import {
  type Check,
  type CheckClient,
  type CheckGiven,
  deciderWords,
  type Hold,
  type HoldClient,
  isRefusal,
  type Outcome,
} from "../client/index.ts";
import { isGranting, type JsonObject, sameJson } from "../rules/index.ts";

export type RulingClient = CheckClient & Pick<HoldClient, "wait">;

export type Ruling =
  /** `args` are the ones to run with. `hold` must be claimed first, if there is one. */
  | { readonly kind: "run"; readonly args: JsonObject; readonly isEdited: boolean; readonly hold?: Hold }
  | { readonly kind: "denied"; readonly reason: string }
  /** Nobody has decided yet. The same call again finds the same question. */
  | { readonly kind: "pending"; readonly hold: Hold };

export interface RulingOptions {
  /** How long to wait for a person, asked when the waiting begins; absent: as long as it takes. */
  readonly waitMs?: () => number;
  readonly signal?: AbortSignal;
  /** Receives the server's reply to the check. */
  readonly onCheck?: (check: Check) => void;
}

export async function ruleOn(
  client: RulingClient,
  call: CheckGiven,
  { waitMs, signal, onCheck }: RulingOptions,
): Promise<Ruling> {
  const options = signal === undefined ? {} : { signal };
  const check = await checkWithSchema(client, call, options);
  onCheck?.(check);
  const { verdict, reason, hold } = check;
  const args = call.args as JsonObject;
  switch (verdict) {
    case "allow":
      return hold === undefined ? { kind: "run", args, isEdited: false } : approved(hold, args);
    case "deny":
      return { kind: "denied", reason };
    case "ask":
      if (hold === undefined)
        throw new Error("Invariant: the server's verdict is ask, but its reply names no hold");
      {
        const until = waitMs === undefined ? options : { ...options, waitMs: waitMs() };
        return settled(await client.wait(hold.id, until), args);
      }
    default:
      throw new Error(`the server gave an unknown verdict: ${String(verdict)}`);
  }
}

/** A schema that the server refuses must not keep a call from being asked about: then people approve without changes. */
async function checkWithSchema(
  client: RulingClient,
  call: CheckGiven,
  options: { readonly signal?: AbortSignal },
): Promise<Check> {
  try {
    return await client.check(call, options);
  } catch (error) {
    if (call.argsSchema === undefined || !SCHEMA_REFUSALS.some((code) => isRefusal(error, code))) throw error;
    const { argsSchema: _refused, ...without } = call;
    return client.check(without, options);
  }
}

const SCHEMA_REFUSALS = ["invalid_ask", "invalid_body", "too_deep", "too_large"] as const;

function settled(hold: Hold, args: JsonObject): Ruling {
  const { outcome } = hold;
  if (outcome === undefined) return { kind: "pending", hold };
  if (outcome.kind === "decided" && isGranting(hold, outcome.action)) return approved(hold, args);
  return { kind: "denied", reason: whyNot(outcome) };
}

function approved(hold: Hold, args: JsonObject): Ruling {
  const edited = hold.outcome?.kind === "decided" ? hold.outcome.data["edited_args"] : undefined;
  if (edited === undefined || sameJson(edited, args)) return { kind: "run", args, isEdited: false, hold };
  return { kind: "run", args: edited as JsonObject, isEdited: true, hold };
}

/** Who let an approved call run. A grant is no person (G5). */
export function approvalWords({ outcome }: Pick<Hold, "outcome">): string {
  const by = outcome?.kind === "decided" ? outcome.by : undefined;
  if (by?.kind === "grant") return "A person allowed similar calls in advance.";
  return `${by?.name ?? "A person"} approved this call.`;
}

function whyNot(outcome: Outcome): string {
  switch (outcome.kind) {
    case "decided": {
      const { data } = outcome;
      const words = data["reason"] ?? data["feedback"] ?? data["note"];
      const said = typeof words === "string" ? `: ${words}` : ".";
      return `${deciderWords(outcome.by)} answered "${outcome.action}"${said}`;
    }
    case "expired":
      return "Nobody answered in time. Nobody decided, so the call did not run.";
    case "cancelled":
      return "The question was withdrawn. Nobody decided, so the call did not run.";
  }
}
