/**
 * The interrupts of one thread, over any AG-UI agent: what is pending, what has been filled in, one submit for all of it.
 * No framework: the hook beside it binds it to React.
 *
 * D1  An answer is sent once; a retry after trouble repeats the very same one.
 * D2  A run counts as ended only by its last event: a stream that breaks off is a failure.
 */

import {
  type AgUiEvent,
  canSubmit,
  type Desk,
  type DeskAction,
  type DraftAnswer,
  type Interrupt,
  isComposerBlocked,
  newDesk,
  type PastInterrupt,
  type ResumeEntry,
  readRunEnd,
  reduceDesk,
} from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonObject, type Problem } from "@holdpoint/protocol/rules";
import { schemaTest } from "../headless/schema-judge.ts";

/** What is needed of an agent: `HttpAgent` of `@ag-ui/client` is one, and so is CopilotKit's. */
export interface InterruptibleAgent {
  threadId: string;
  pendingInterrupts: unknown[];
  messages: readonly unknown[];
  subscribe(subscriber: object): { unsubscribe(): void };
  runAgent(parameters: object): Promise<unknown>;
}

export interface DeskOptions {
  /** The handler's own address: `…/interrupts` restores what is open after a reload, `…/files` takes files. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
}

export interface DeskView extends Desk {
  /** What is wrong with what was filled in, by interrupt; found before anything is sent. */
  readonly problems: Readonly<Record<string, readonly Problem[]>>;
}

export interface DeskControl {
  view(): DeskView;
  subscribe(heard: () => void): () => void;
  draft(interruptId: string, answer: DraftAnswer | null): void;
  /** All answers in one resume; does nothing while something is missing, wrong or already on its way. */
  submit(): Promise<void>;
  canSubmit(): boolean;
  /** New input would be refused. */
  isBlocked(): boolean;
  /** Reads what is open and what was answered from the server. */
  restore(): Promise<void>;
  /** The arguments of a call as they were streamed. */
  argsOf(toolCallId: string | undefined): JsonObject | undefined;
  /** Listens until it is closed. */
  open(): () => void;
}

/** The interrupts of an agent's thread without React: what is open, drafts, sending them. */
export function deskControl(agent: InterruptibleAgent, options: DeskOptions = {}): DeskControl {
  const { now = Date.now } = options;
  const listeners = new Set<() => void>();
  let view: DeskView = { ...begun(agent), problems: {} };
  const tell = (action: DeskAction, problems: DeskView["problems"] = {}) => {
    view = { ...reduceDesk(view, action), problems };
    for (const heard of listeners) heard();
  };
  const control: DeskControl = {
    view: () => view,
    subscribe(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    draft(interruptId, answer) {
      const { [interruptId]: _fixed, ...others } = view.problems;
      tell({ kind: "drafted", interruptId, answer }, others);
    },
    canSubmit: () => canSubmit(view, now()),
    isBlocked: () => isComposerBlocked(view),
    async submit() {
      if (view.phase === "submitting" || !canSubmit(view, now())) return;
      const problems = view.phase === "failed" ? {} : problemsIn(view);
      if (Object.keys(problems).length > 0) {
        view = { ...view, problems };
        for (const heard of listeners) heard();
        return;
      }
      tell({ kind: "submitted", now: now() });
      await run(agent, view.sent ?? []).catch((error: unknown) => {
        if (view.phase === "submitting") tell({ kind: "failed", message: wordsOf(error) });
      });
    },
    async restore() {
      const found = await listed(agent.threadId, options);
      if (found === undefined || view.phase === "submitting") return;
      agent.pendingInterrupts = [...found.interrupts];
      tell({ kind: "restored", ...found });
    },
    argsOf: (toolCallId) => streamedArgs(agent.messages, toolCallId),
    open() {
      const subscription = agent.subscribe(listener(tell, () => void control.restore()));
      void control.restore();
      return () => subscription.unsubscribe();
    },
  };
  return control;
}

function begun({ threadId, pendingInterrupts }: InterruptibleAgent): Desk {
  const interrupts = pendingInterrupts as readonly Interrupt[];
  const empty = newDesk(threadId);
  return interrupts.length === 0 ? empty : reduceDesk(empty, { kind: "interrupted", interrupts });
}

function run(agent: InterruptibleAgent, resume: readonly ResumeEntry[]): Promise<unknown> {
  return agent.runAgent({ resume: [...resume] });
}

/** What an agent tells its subscribers, as the desk understands it. */
function listener(tell: (action: DeskAction) => void, look: () => void) {
  let isOver = true;
  const end = (action: DeskAction) => {
    isOver = true;
    tell(action);
  };
  return {
    onRunInitialized() {
      isOver = false;
    },
    onEvent({ event }: { readonly event: AgUiEvent }) {
      if (event.type === "RUN_ERROR") {
        const code = typeof event["code"] === "string" ? { code: event["code"] } : {};
        end({ kind: "failed", message: String(event["message"] ?? "The run failed."), ...code });
      }
      if (event.type !== "RUN_FINISHED") return;
      const finished = readRunEnd(event);
      if (finished.kind === "interrupt") end({ kind: "interrupted", interrupts: finished.interrupts });
      else end({ kind: "finished" });
      look();
    },
    onRunFailed({ error }: { readonly error: unknown }) {
      end({ kind: "failed", message: wordsOf(error) });
    },
    onRunFinalized() {
      if (!isOver) end({ kind: "failed", message: "The connection broke off before the run had ended." });
    },
  };
}

function problemsIn({ pending, drafts }: Desk): DeskView["problems"] {
  return Object.fromEntries(
    pending.flatMap(({ id, responseSchema }) => {
      const draft = drafts[id];
      if (draft?.status !== "resolved" || responseSchema === undefined) return [];
      const found = schemaProblems(responseSchema, draft.payload);
      return found.length === 0 ? [] : [[id, found]];
    }),
  );
}

function schemaProblems(schema: object, payload: Json | undefined): readonly Problem[] {
  const test = schemaTest(schema);
  // A schema that cannot be used here is the server's to judge by.
  return typeof test === "string" ? [] : test(payload ?? null);
}

interface Listed {
  readonly interrupts: readonly Interrupt[];
  readonly history: readonly PastInterrupt[];
}

async function listed(threadId: string, options: DeskOptions): Promise<Listed | undefined> {
  const { url, headers = {}, fetch: load = fetch } = options;
  if (url === undefined) return undefined;
  const path = `${url}/interrupts?threadId=${encodeURIComponent(threadId)}`;
  const reply = await load(path, { headers }).catch(() => undefined);
  return reply?.ok === true ? ((await reply.json()) as Listed) : undefined;
}

/** Of the newest message with that call: an agent that streams a call again has changed it. */
function streamedArgs(messages: readonly unknown[], toolCallId: string | undefined): JsonObject | undefined {
  if (toolCallId === undefined) return undefined;
  const calls = (messages as readonly { readonly toolCalls?: readonly Call[] }[]).flatMap(
    ({ toolCalls = [] }) => toolCalls,
  );
  const call = calls.findLast(({ id }) => id === toolCallId);
  if (call === undefined) return undefined;
  try {
    const args = JSON.parse(call.function.arguments) as Json;
    return isObject(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

interface Call {
  readonly id: string;
  readonly function: { readonly arguments: string };
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : "The agent could not be reached.";
}
