/**
 * Answers one question of a coding agent.
 *
 * H1  A hook never makes an agent less careful: what the rules merely allow is left to the agent's own permissions, unless the
 *     agent runs unattended and nobody could answer its prompt.
 * H2  Whatever goes wrong blocks the call: bad input by exit code 2, everything else by a denial in the agent's dialect.
 * H3  When the time is up and somebody sits there, the agent's own prompt appears. The question stays open, and the same call
 *     again finds it. Unattended, the call is denied.
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
    return { out: `${asked.write(await decide(agent, asked, options))}\n`, err: "", code: 0 };
  } catch (error) {
    // The person at the terminal can cure it; the agent is told only that it must not go on.
    return {
      out: `${asked.write({ kind: "deny", reason: UNDECIDED })}\n`,
      err: `holdpoint: ${(error as Error).message}\n`,
      code: 0,
    };
  }
}

function eventIn(text: string): JsonObject {
  const event = JSON.parse(text) as Json;
  if (isObject(event) && typeof event["hook_event_name"] === "string") return event;
  throw new Error("hook_event_name is missing");
}

async function decide(agent: AgentName, { call }: Asked, options: HookOptions): Promise<Decision> {
  const client = options.client();
  const { edited, ...check } = call;
  const ruling = await ruleOn(client, check, { waitMs: () => options.waitMs });
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
      const why = await handOver(client, { edited }, ruling, agent);
      if (why !== null) return { kind: "deny", reason: why };
      return {
        ...{ kind: "allow", reason: approvalWords(ruling.hold) },
        ...(ruling.isEdited ? { args: ruling.args } : {}),
      };
    }
  }
}

const PENDING =
  "A person was asked and has not answered yet. The question stays open: exactly the same call again finds it.";
