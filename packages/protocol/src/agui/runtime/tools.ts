/**
 * Tool calls: streamed, approved, executed once. An approved call is claimed on its hold before it runs and reported after
 * (G10), so a repeated run finds the result instead of executing again, or learns that the result is unknown.
 */

import { type HoldClient, tryOnce } from "../../client/index.ts";
import { isObject, type Json, type JsonObject, member } from "../../rules/index.ts";
import type { AgUiEvent, InterruptAnswer, InterruptAsk } from "../index.ts";
import type { ToolOutcome, ToolUse } from "./agent.ts";
import { RunRefusal } from "./codes.ts";

export interface Stage {
  readonly holdpoint: HoldClient;
  signal(): AbortSignal;
  newId(prefix: string): string;
  say(event: AgUiEvent): void;
  interruptAll(asks: readonly InterruptAsk[]): Promise<readonly InterruptAnswer[]>;
  step(work: () => Promise<Json>): Promise<Json>;
  /** Work that is not begun after an abort, and is waited for before anybody else goes on. */
  whole<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Remembers something with the thread. */
  keep(name: string, value: Json): Promise<void>;
  kept(name: string): Json | undefined;
  /** A call ran and the server could not be told so. */
  onOutstanding(error: unknown): void;
}

export async function perform(calls: readonly ToolUse[], stage: Stage): Promise<readonly ToolOutcome[]> {
  const streamed = calls.map((call) => ({ call, toolCallId: stream(call, stage) }));
  const asking = streamed.filter(({ call }) => call.approval !== false);
  const answers = await stage.interruptAll(asking.map(({ call, toolCallId }) => askFor(call, toolCallId)));
  const outcomes: ToolOutcome[] = [];
  for (const { call, toolCallId } of streamed) {
    const at = asking.findIndex((one) => one.toolCallId === toolCallId);
    const answer = answers[at];
    const outcome = answer === undefined ? await freely(call, stage) : await approved(call, answer, stage);
    stage.say({
      type: "TOOL_CALL_RESULT",
      messageId: stage.newId("result"),
      toolCallId,
      content: wordsFor(outcome),
      role: "tool",
    });
    outcomes.push(outcome);
  }
  return outcomes;
}

function stream({ name, args }: ToolUse, stage: Stage): string {
  const toolCallId = stage.newId("call");
  stage.say({ type: "TOOL_CALL_START", toolCallId, toolCallName: name });
  stage.say({ type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) });
  stage.say({ type: "TOOL_CALL_END", toolCallId });
  return toolCallId;
}

function askFor({ name, args, approval, editable }: ToolUse, toolCallId: string): InterruptAsk {
  const ask = approval === false || approval === undefined ? {} : approval;
  const edits = { type: "object", properties: APPROVAL, required: ["approved"] };
  return {
    reason: "tool_call",
    toolCallId,
    ...ask,
    payload: { ...ask.payload, tool: name, args },
    ...(editable === undefined
      ? {}
      : { responseSchema: { ...edits, properties: { ...APPROVAL, editedArgs: editable } } }),
  };
}

const APPROVAL = { approved: { type: "boolean" }, feedback: { type: "string" } } as const;

async function freely(call: ToolUse, stage: Stage): Promise<ToolOutcome> {
  const result = await stage.step(async () => (await call.execute(call.args, stage.signal())) ?? null);
  return { kind: "executed", args: call.args, result };
}

async function approved(call: ToolUse, answer: InterruptAnswer, stage: Stage): Promise<ToolOutcome> {
  if (answer.status === "cancelled") return { kind: "cancelled", expired: answer.expired };
  if (!answer.approved) return { kind: "denied", payload: answer.payload };
  const edited = isObject(answer.payload) ? member(answer.payload, "editedArgs") : undefined;
  // A full replacement: what the person left out is not there (AG-055).
  const args = isObject(edited) ? edited : call.args;
  // Not what was offered, and not what was proposed: neither is run.
  if (edited !== undefined && call.editable === undefined) return { kind: "denied", payload: answer.payload };
  return stage.whole(() =>
    once(call, { args, answer, takesEdits: edited === undefined ? [] : ["edited_args"] }, stage),
  );
}

interface Approval {
  readonly args: JsonObject;
  readonly takesEdits: readonly "edited_args"[];
  readonly answer: Extract<InterruptAnswer, { status: "resolved" }>;
}

async function once(
  call: ToolUse,
  { args, takesEdits, answer }: Approval,
  stage: Stage,
): Promise<ToolOutcome> {
  const { interruptId } = answer;
  const work = async (): Promise<Json> => asJson(await call.execute(args, stage.signal()));
  const attempt = await tryOnce(stage.holdpoint, interruptId, work, {
    takesEdits,
    record: (result) => detailOf(interruptId, result, stage),
    recall: (detail) => member(detail, "result") ?? stage.kept(`result:${interruptId}`) ?? null,
  });
  switch (attempt.kind) {
    case "failed":
      return { kind: "failed", args };
    case "refused":
      // The approval was taken back before anything ran, or it is one of other arguments than the answer names.
      if (["not_claimable", "edited_args"].includes(attempt.refusal.code))
        return { kind: "denied", payload: answer.payload };
      if (attempt.claim?.state === "failed") return { kind: "failed", args };
      throw new RunRefusal("EXECUTION_UNKNOWN", `(${interruptId})`);
    case "ran":
      if (attempt.outstanding !== undefined) stage.onOutstanding(attempt.outstanding.error);
      return { kind: "executed", args, result: attempt.result };
    case "recorded":
      return { kind: "executed", args, result: attempt.result };
  }
}

/** It ran: that what it returned is no JSON makes nothing undone. */
function asJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null") as Json;
  } catch {
    return null;
  }
}

/** Beyond this a result is kept with the thread; a claim takes a little less than a body does. */
const DETAIL_CHARS_MAX = 200_000;

async function detailOf(holdId: string, result: Json, stage: Stage): Promise<JsonObject> {
  const { length } = JSON.stringify(result);
  if (length <= DETAIL_CHARS_MAX) return { result };
  // That it ran counts for more than what it returned: whatever becomes of this, the claim is reported.
  await stage.keep(`result:${holdId}`, result).catch(() => undefined);
  return { result_chars: length };
}

function wordsFor(outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case "executed":
      return typeof outcome.result === "string" ? outcome.result : JSON.stringify(outcome.result);
    case "denied":
      return "Not executed: a person denied it.";
    case "cancelled":
      return outcome.expired ? "Not executed: nobody answered in time." : "Not executed: it was cancelled.";
    case "failed":
      return "Failed: the tool reported an error.";
  }
}
