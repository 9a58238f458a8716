/** What is used of Mastra's agents and tools, by their shape: every version that has these members fits. */

import type { JsonObject } from "@holdpoint/protocol/rules";

export interface MastraOutput {
  readonly text?: string;
  readonly finishReason?: string | undefined;
  readonly suspendPayload?: unknown;
  readonly toolCalls?: readonly { readonly payload?: unknown }[];
  readonly toolResults?: readonly { readonly payload?: unknown }[];
}

export interface SuspendedCall {
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly args?: unknown;
  readonly requiresApproval?: boolean;
}

interface OfCall {
  readonly runId: string;
  readonly toolCallId: string;
}

/** An agent of a `Mastra` instance with a storage: the storage keeps its suspended runs. */
export interface MastraAgent {
  generate(messages: unknown, options: object): Promise<MastraOutput>;
  approveToolCallGenerate(options: OfCall): Promise<MastraOutput>;
  declineToolCallGenerate(options: OfCall & { readonly reason: string }): Promise<MastraOutput>;
  resumeGenerate(data: object, options: OfCall): Promise<MastraOutput>;
  listSuspendedRuns(options: object): Promise<{
    readonly runs: readonly { readonly runId: string; readonly toolCalls: readonly SuspendedCall[] }[];
  }>;
}

/** What `createTool` makes. */
export interface MastraTool {
  readonly id: string;
  readonly inputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a tool of any input and context.
  readonly execute?: (...given: any[]) => unknown;
}

export interface MastraToolContext {
  readonly agent?: {
    readonly toolCallId?: string;
    readonly suspend?: (payload: JsonObject) => Promise<unknown>;
  };
}
