/** The audit artifact of one run (aioc RFC-0003): written once, when the run has ended, however it ended. */

import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import type { AgentInputItem } from "./items.ts";
import type { PolicyTrace } from "./log.ts";

export interface PolicyDecisionRecord extends PolicyTrace {
  readonly timestamp: string;
  readonly turn: number;
  readonly callId: string;
  readonly resource: {
    readonly kind: "tool" | "handoff";
    /** The tool, or the agent that would take over. */
    readonly name: string;
    readonly action?: string;
    readonly resourceId?: string;
  };
}

export interface GuardrailDecisionRecord {
  readonly timestamp: string;
  readonly turn: number;
  readonly guardrailName: string;
  readonly decision: "pass" | "triggered";
  readonly reason?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface PromptSnapshotRecord {
  readonly timestamp: string;
  readonly turn: number;
  readonly agentName: string;
  readonly model: string;
  readonly promptVersion?: string;
  /** SHA-256 of the resolved instructions. */
  readonly promptHash: string;
  /** Only with `includePromptText`. */
  readonly promptText?: string;
}

export interface RequestFingerprintRecord {
  readonly timestamp: string;
  readonly turn: number;
  readonly agentName: string;
  readonly providerName: string;
  readonly model: string;
  readonly runtimeVersion: string;
  readonly fingerprintSchemaVersion: "request-fingerprint.v1";
  readonly requestHash: string;
  readonly systemPromptHash: string;
  readonly messagesHash: string;
  readonly toolsHash: string;
  readonly modelSettingsHash: string;
  readonly messageCount: number;
  readonly toolCount: number;
}

export interface RunRecord<TContext = unknown> {
  readonly runId: string;
  readonly startedAt: string;
  readonly completedAt: string;
  readonly status: "completed" | "failed";
  /** The agent that was active when the run ended. */
  readonly agentName: string;
  readonly providerName?: string;
  readonly model?: string;
  readonly question: string;
  readonly response: string;
  /** `null` when the redactor failed: a context that could not be redacted is not kept. */
  readonly contextSnapshot: TContext | null;
  readonly contextRedacted?: boolean;
  readonly items: readonly AgentInputItem[];
  /** How many of `items` were the run's input. */
  readonly inputItemCount?: number;
  readonly promptSnapshots: readonly PromptSnapshotRecord[];
  readonly requestFingerprints: readonly RequestFingerprintRecord[];
  readonly policyDecisions: readonly PolicyDecisionRecord[];
  /** One for each `require_approval`, in call order; absent when there was none. */
  readonly suspendedProposals?: readonly SuspendedProposal[];
  readonly guardrailDecisions?: readonly GuardrailDecisionRecord[];
  readonly errorName?: string;
  readonly errorMessage?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface RedactedContext<TContext> {
  readonly contextSnapshot: TContext;
  readonly contextRedacted: boolean;
}

export type RunRecordWriter<TContext = unknown> = (record: RunRecord<TContext>) => void | Promise<void>;

export interface RunRecordOptions<TContext = unknown> {
  readonly runId?: string;
  readonly metadata?: Record<string, unknown>;
  readonly includePromptText?: boolean;
  /** Runs before anything is kept. */
  readonly contextRedactor?: (
    context: TContext,
  ) => RedactedContext<TContext> | Promise<RedactedContext<TContext>>;
  /** A failing sink changes nothing about the run. */
  readonly sink?: RunRecordWriter<TContext> | { readonly write: RunRecordWriter<TContext> };
}
