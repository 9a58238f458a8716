/**
 * Collects a run's evidence and writes it as one record when the run has ended.
 *
 * R1  A sink that fails changes nothing about the run.
 * R2  Without a sink nothing is collected, and the run still has its id.
 */

import { defined } from "@holdpoint/protocol/client";
import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import { sha256Hex } from "@holdpoint/protocol/proposal";
import { snapshotContext } from "./context-snapshot.ts";
import { errorNote } from "./errors.ts";
import type { AgentInputItem, RunInput } from "./items.ts";
import { questionOf } from "./items.ts";
import type { ProviderRequest } from "./provider.ts";
import type {
  GuardrailDecisionRecord,
  PolicyDecisionRecord,
  PromptSnapshotRecord,
  RequestFingerprintRecord,
  RunRecord,
  RunRecordOptions,
} from "./record.ts";
import { requestFingerprint } from "./request-fingerprint.ts";

/** The run's state when it ended. */
export interface RunEnd {
  readonly agentName: string;
  readonly model: string;
  readonly items: readonly AgentInputItem[];
  readonly response: string;
}

export interface AskedRequest {
  readonly turn: number;
  readonly agentName: string;
  readonly promptVersion: string | undefined;
  readonly request: ProviderRequest;
}

export interface Recorder {
  readonly runId: string;
  /** Whether anything will be kept. */
  readonly keeps: boolean;
  asked(asked: AskedRequest): void;
  decided(decision: Omit<PolicyDecisionRecord, "timestamp">): void;
  suspended(proposal: SuspendedProposal): void;
  guarded(decision: Omit<GuardrailDecisionRecord, "timestamp">): void;
  /** @param failure what the run ended with; absent when it completed. */
  write(end: RunEnd, failure?: { readonly error: unknown }): Promise<void>;
}

export interface RecorderSetup<TContext> {
  readonly input: RunInput;
  readonly inputItemCount: number;
  readonly context: TContext;
  readonly providerName: string;
  readonly options: RunRecordOptions<TContext>;
  readonly now: () => number;
}

export async function createRecorder<TContext>(setup: RecorderSetup<TContext>): Promise<Recorder> {
  const { options, providerName } = setup;
  const runId = options.runId ?? crypto.randomUUID();
  if (options.sink === undefined) return idleRecorder(runId);
  const timestamp = (): string => new Date(setup.now()).toISOString();
  const startedAt = timestamp();
  const snapshot = await snapshotContext(setup.context, options);
  const evidence = emptyEvidence();
  return {
    runId,
    keeps: true,
    asked: (asked) => {
      const at = { timestamp: timestamp(), turn: asked.turn, agentName: asked.agentName };
      evidence.promptSnapshots.push({ ...at, ...promptSnapshot(asked, options.includePromptText === true) });
      evidence.requestFingerprints.push({ ...at, providerName, ...requestFingerprint(asked.request) });
    },
    decided: (decision) => evidence.policyDecisions.push({ timestamp: timestamp(), ...decision }),
    suspended: (proposal) => evidence.suspendedProposals.push(proposal),
    guarded: (decision) => evidence.guardrailDecisions.push({ timestamp: timestamp(), ...decision }),
    write: async (end, failure) => {
      const record: RunRecord<TContext> = {
        runId,
        startedAt,
        completedAt: timestamp(),
        status: failure === undefined ? "completed" : "failed",
        providerName,
        question: questionOf(setup.input),
        ...end,
        items: [...end.items],
        inputItemCount: setup.inputItemCount,
        ...snapshot,
        ...withoutEmpty(evidence),
        ...(failure === undefined ? {} : errorNote(failure.error)),
      };
      await deliver(record, options.sink);
    },
  };
}

interface Evidence {
  readonly promptSnapshots: PromptSnapshotRecord[];
  readonly requestFingerprints: RequestFingerprintRecord[];
  readonly policyDecisions: PolicyDecisionRecord[];
  readonly suspendedProposals: SuspendedProposal[];
  readonly guardrailDecisions: GuardrailDecisionRecord[];
}

function emptyEvidence(): Evidence {
  return {
    promptSnapshots: [],
    requestFingerprints: [],
    policyDecisions: [],
    suspendedProposals: [],
    guardrailDecisions: [],
  };
}

/** The two optional lists are absent, not empty, when nothing of the kind happened. */
function withoutEmpty({ suspendedProposals, guardrailDecisions, ...evidence }: Evidence) {
  return {
    ...evidence,
    ...(suspendedProposals.length > 0 ? { suspendedProposals } : {}),
    ...(guardrailDecisions.length > 0 ? { guardrailDecisions } : {}),
  };
}

function promptSnapshot({ request, promptVersion }: AskedRequest, withText: boolean) {
  const { model, systemPrompt } = request;
  const promptText = withText ? systemPrompt : undefined;
  return { model, promptHash: sha256Hex(systemPrompt), ...defined({ promptVersion, promptText }) };
}

async function deliver<TContext>(
  record: RunRecord<TContext>,
  sink: RunRecordOptions<TContext>["sink"],
): Promise<void> {
  try {
    await (typeof sink === "function" ? sink(record) : sink?.write(record));
  } catch {
    // Recording is evidence about the run, not a part of it.
  }
}

function idleRecorder(runId: string): Recorder {
  const nothing = (): void => {};
  return {
    runId,
    keeps: false,
    asked: nothing,
    decided: nothing,
    suspended: nothing,
    guarded: nothing,
    write: async () => {},
  };
}
