/**
 * Claude Code's permission prompt: allows or denies a call of one of its tools. Every failure denies. People and rules see the call as the
 * hook shows it; which repository it works in is not known here, so that what the model says about it does not count.
 */

import { type ClaimClient, defined } from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { agentCall, handOver, type RulingClient, ruleOn } from "@holdpoint/protocol/toolcalls";
import * as z from "zod";
import { WAIT_MS } from "./questions.ts";

export type PermissionClient = RulingClient & ClaimClient;

export const PermissionIn = z.object({
  tool_name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

export type Permission =
  | { readonly behavior: "allow"; readonly updatedInput: Readonly<Record<string, unknown>> }
  | { readonly behavior: "deny"; readonly message: string };

export async function permissionFor(
  client: PermissionClient,
  { tool_name, input, tool_use_id: threadId }: z.infer<typeof PermissionIn>,
  signal: AbortSignal,
): Promise<Permission> {
  try {
    const { edited, ...call } = agentCall(tool_name, input as JsonObject, {});
    const check = { ...call, ...defined({ threadId }) };
    const ruling = await ruleOn(client, check, { waitMs: () => WAIT_MS, signal });
    if (ruling.kind === "denied") return { behavior: "deny", message: ruling.reason };
    if (ruling.kind === "pending") return { behavior: "deny", message: PENDING };
    const why = await handOver(client, { edited }, ruling, "claude-code");
    if (why !== null) return { behavior: "deny", message: why };
    const given = ruling.isEdited ? edited(ruling.args) : input;
    return given === null
      ? { behavior: "deny", message: FAILED }
      : { behavior: "allow", updatedInput: given };
  } catch {
    return { behavior: "deny", message: FAILED };
  }
}

const PENDING =
  "Pending: a person was asked and has not answered yet. The question stays open. Make exactly the same call again to go on waiting.";
const FAILED = "Holdpoint could not decide about this call, so it must not run. Try again later.";
