/**
 * An agent whose framework stops before tool calls, as a run for `advanceRun` and `finishRun`.
 *
 * R1  The state is saved before people are asked, so that no question is left without a run that can go on.
 * R2  What the server's rules said is saved before the run goes on: a repeat acts on the same holds.
 * R3  A framework's next state is saved only when every guarded call in it has a known end.
 */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import {
  type CheckClient,
  type ClientSource,
  type HoldClient,
  holdClientOf,
  type ThreadClient,
} from "@holdpoint/protocol/client";
import { type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import { type RunStore, serverStore } from "../workflow/store.ts";
import type { Progress, SuspendableRun, Suspension } from "../workflow/workflow.ts";
import type { CallDecision, GuardedTool, ToolCall } from "./call.ts";
import { type CurrentRun, inRun } from "./current.ts";
import { askAbout, decisionOf, type Ruling, ruledDecision, ruleOn } from "./decide.ts";
import { asJson, readBack } from "./json.ts";
import { SAME_ID } from "./notices.ts";

/** How far a framework got: stopped before calls, with what it needs to go on, or at its end. */
export type AgentStep<Result> =
  | { readonly kind: "stopped"; readonly state: Json; readonly calls: readonly ToolCall[] }
  | { readonly kind: "done"; readonly result: Result };

/** What a framework gives: pending calls, and how it goes on with what became of them. */
export interface ToolAgent<Result> {
  start(): Promise<AgentStep<Result>>;
  resume(state: Json, decisions: ReadonlyMap<string, CallDecision>): Promise<AgentStep<Result>>;
  /** Whether the framework itself can run a call with other arguments. */
  readonly editsCalls?: boolean;
}

export type ToolClient = HoldClient & ThreadClient & Partial<CheckClient>;

export interface ToolRunOptions<Result> {
  /** Names the run for good: its state, its lease and its holds are found by it. */
  readonly key: string;
  readonly holdpoint: ClientSource<ToolClient>;
  readonly agent: ToolAgent<Result>;
  /** The tools that are guarded, by name. */
  readonly tools: ReadonlyMap<string, GuardedTool>;
  /** Where the state is kept; on the Holdpoint server when absent. */
  readonly store?: RunStore;
  /** A name for the agent's code. A state that other code saved is not resumed: `RunOfOtherVersion` is thrown. */
  readonly version?: string;
}

/** The state of the run was saved by another version of the agent. */
export class RunOfOtherVersion extends Error {
  override readonly name = "RunOfOtherVersion";
  readonly key: string;

  constructor(key: string, saved: string, version: string) {
    super(
      `The run ${key} was stopped by version ${saved} of the agent, and this is version ${version}. ` +
        "Finish it with the code that started it, or start another run under a new key.",
    );
    this.key = key;
  }
}

interface Stopped {
  readonly kind: "stopped";
  readonly state: Json;
  readonly calls: readonly ToolCall[];
  readonly rulings: Readonly<Record<string, Ruling>>;
}
type Saved<Result> = Stopped | { readonly kind: "done"; readonly result: Result };

/** A run of an agent whose framework pauses before tool calls, as a run that any host can advance. */
export function toolRun<Result>(options: ToolRunOptions<Result>): SuspendableRun<Result> {
  const { key, agent, version = "" } = options;
  const client = holdClientOf(options.holdpoint);
  const store = options.store ?? serverStore(client);
  let at = 0;

  const load = async (): Promise<Saved<Result> | null> => {
    const found = await store.load(key);
    at = found?.version ?? 0;
    if (found === null) return null;
    const saved = String(member(found.state, "version") ?? "");
    if (saved !== version) throw new RunOfOtherVersion(key, saved, version);
    return readBack(member(found.state, "saved"));
  };
  const save = async (saved: Saved<Result>): Promise<Saved<Result>> => {
    const kept = asJson(saved) as JsonObject;
    at = await store.save(key, { version, saved: kept }, at);
    return readBack(kept);
  };
  const play = async (
    decisions: ReadonlyMap<string, CallDecision>,
    work: () => Promise<AgentStep<Result>>,
  ): Promise<Saved<Result>> => {
    const run: CurrentRun = { key, client, decisions };
    const step = await inRun(run, work);
    if (run.halted !== undefined) throw run.halted;
    return save(step.kind === "done" ? step : { ...step, rulings: {} });
  };
  const decide = (saved: Stopped, answers: ReadonlyMap<string, InterruptAnswer>) =>
    new Map(saved.calls.map((call) => [call.id, decided(options, saved, call, answers)] as const));
  /** As far as the server's rules let it go without a person. */
  const settle = async (from: Saved<Result>): Promise<Progress<Result>> => {
    let saved = from;
    for (;;) {
      if (saved.kind === "done") return saved;
      const stopped = await ruled(options, client, saved, save);
      const suspensions = stopped.calls.flatMap((call) => suspensionOf(options, stopped, call));
      if (suspensions.length > 0) return { kind: "suspended", suspensions };
      saved = await play(decide(stopped, new Map()), () =>
        agent.resume(stopped.state, decide(stopped, new Map())),
      );
    }
  };
  return {
    key,
    look: async () => settle((await load()) ?? (await play(new Map(), () => agent.start()))),
    async resume(answers) {
      const saved = await load();
      if (saved === null || saved.kind === "done")
        return settle(saved ?? (await play(new Map(), agent.start)));
      const decisions = decide(saved, answers);
      return settle(await play(decisions, () => agent.resume(saved.state, decisions)));
    },
  };
}

/** Puts the calls before the server's rules, and saves what they say. */
async function ruled<Result>(
  { key, tools }: ToolRunOptions<Result>,
  client: ToolClient,
  stopped: Stopped,
  save: (saved: Stopped) => Promise<Saved<Result>>,
): Promise<Stopped> {
  const open = stopped.calls.filter(
    (call) =>
      tools.get(call.tool)?.rules === "server" &&
      rulingOf(stopped, call) === undefined &&
      !isAmbiguous(stopped, call),
  );
  if (open.length === 0) return stopped;
  if (client.check === undefined)
    throw new TypeError("This hold client cannot check tool calls. Use the client of @holdpoint/sdk.");
  const checker = client as CheckClient;
  const rulings: Record<string, Ruling> = { ...stopped.rulings };
  for (const call of open) rulings[call.id] = await ruleOn(checker, key, call, tools.get(call.tool) ?? {});
  return (await save({ ...stopped, rulings })) as Stopped;
}

function rulingOf({ rulings }: Stopped, { id }: ToolCall): Ruling | undefined {
  return Object.hasOwn(rulings, id) ? rulings[id] : undefined;
}

/** Answers and verdicts are kept by the ids of their calls: one that two calls share decides about neither. */
function isAmbiguous({ calls }: Stopped, { id }: ToolCall): boolean {
  return calls.filter((call) => call.id === id).length > 1;
}

function suspensionOf<Result>(
  { tools }: ToolRunOptions<Result>,
  stopped: Stopped,
  call: ToolCall,
): readonly Suspension[] {
  if (isAmbiguous(stopped, call)) return [];
  const ruling = rulingOf(stopped, call);
  if (ruling === undefined) return [{ id: call.id, ask: askAbout(call, tools.get(call.tool)) }];
  return ruling.kind === "hold" ? [{ id: call.id, holdId: ruling.holdId }] : [];
}

function decided<Result>(
  { tools, agent }: ToolRunOptions<Result>,
  stopped: Stopped,
  call: ToolCall,
  answers: ReadonlyMap<string, InterruptAnswer>,
): CallDecision {
  if (isAmbiguous(stopped, call)) return { kind: "refused", notice: SAME_ID };
  const ruling = rulingOf(stopped, call);
  if (ruling !== undefined && ruling.kind !== "hold") return ruledDecision(call, ruling);
  const answer = answers.get(call.id);
  if (answer === undefined) throw new Error(`Invariant: the call ${call.id} has no answer`);
  return decisionOf(call, answer, tools.has(call.tool) || agent.editsCalls === true);
}
