/**
 * Answers one question of a coding agent.
 *
 * H1  A hook never makes an agent less careful: what the rules merely allow is left to the agent's own permissions, unless the
 *     agent runs unattended and nobody could answer its prompt.
 * H2  Whatever goes wrong blocks the call: bad input by exit code 2, everything else by a denial in the agent's dialect.
 * H3  When the time is up and somebody sits there, the agent's own prompt appears. The question stays open, and the same call
 *     again finds it. Unattended, the call is denied.
 * H4  The hook answers before its agent gives up on it: at the deadline every call is ended and the tool call is denied. An agent whose
 *     hook answers too late may run the tool.
 */

import type { ClaimClient } from "@holdpoint/protocol/client";
import { isObject, type Json, type JsonObject } from "@holdpoint/protocol/rules";
import {
  approvalWords,
  handOver,
  type PlaceOf,
  type RulingClient,
  ruleOn,
} from "@holdpoint/protocol/toolcalls";
import { type AgentName, type Asked, type Decision, DIALECTS } from "./dialect.ts";

export interface HookOptions {
  /** Made only when it is needed; throws if no server is configured. */
  client(): RulingClient & ClaimClient;
  readonly waitMs: number;
  /** Ends everything that is still under way (H4). */
  readonly deadline: AbortSignal;
  readonly isUnattended: boolean;
  /** Absent: people are not told which repository a call is about. */
  readonly placeOf?: PlaceOf;
}

export interface HookReply {
  readonly out: string;
  readonly err: string;
  /** 2 blocks the call in every agent. */
  readonly code: 0 | 2;
}

const UNDECIDED = "Holdpoint could not decide about this call, so it must not run.";

export async function runHook(agent: AgentName, text: string, options: HookOptions): Promise<HookReply> {
  let asked: Asked | null;
  try {
    asked = DIALECTS[agent](eventIn(text), options.placeOf);
  } catch (error) {
    return {
      out: "",
      err: `holdpoint: cannot read what ${agent} sent: ${(error as Error).message}\n`,
      code: 2,
    };
  }
  if (asked === null) return { out: "{}\n", err: "", code: 0 };
  try {
    return {
      out: `${asked.write(await Promise.race([decide(agent, asked, options), timeUp(options.deadline)]))}\n`,
      err: "",
      code: 0,
    };
  } catch (error) {
    // The person at the terminal can cure it; the agent is told only that it must not go on.
    return {
      out: `${asked.write({ kind: "deny", reason: UNDECIDED })}\n`,
      err: `holdpoint: ${(error as Error).message}\n`,
      code: 0,
    };
  }
}

/** A call that ignores its signal does not keep the agent waiting. */
function timeUp(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error("gave up, because the server answered too slowly"));
    if (deadline.aborted) end();
    else deadline.addEventListener("abort", end, { once: true });
  });
}

function eventIn(text: string): JsonObject {
  const event = JSON.parse(text) as Json;
  if (isObject(event) && typeof event["hook_event_name"] === "string") return event;
  throw new Error("hook_event_name is missing");
}

async function decide(agent: AgentName, { call }: Asked, options: HookOptions): Promise<Decision> {
  const client = options.client();
  const { deadline: signal } = options;
  const { edited, ...check } = call;
  const ruling = await ruleOn(client, check, { waitMs: () => options.waitMs, signal });
  switch (ruling.kind) {
    case "denied":
      return { kind: "deny", reason: ruling.reason };
    case "pending":
      return { kind: options.isUnattended ? "deny" : "prompt", reason: PENDING };
    case "run": {
      if (ruling.hold === undefined)
        return options.isUnattended
          ? { kind: "allow", reason: "The rules allow this call." }
          : { kind: "leave" };
      const why = await handOver(ending(client, signal), { edited }, ruling, agent, { signal });
      if (why !== null) return { kind: "deny", reason: why };
      return {
        ...{ kind: "allow", reason: approvalWords(ruling.hold) },
        ...(ruling.isEdited ? { args: ruling.args } : {}),
      };
    }
  }
}

/** Reports are sent whatever becomes of the caller; here the process would stay for them after its agent has gone on. */
function ending(client: ClaimClient, signal: AbortSignal): ClaimClient {
  return {
    get: (...given) => client.get(...given),
    claim: (...given) => client.claim(...given),
    finishClaim: (holdId, claimId, result) => client.finishClaim(holdId, claimId, result, { signal }),
  };
}

const PENDING =
  "A person was asked and has not answered yet. The question stays open: exactly the same call again finds it.";
