/** What an adapter gives the suite: an agent with one tool, `pay`, and a model that follows a script. */

import type { CallAsk } from "../tool-calls/call.ts";
import type { ToolClient } from "../tool-calls/tool-run.ts";
import type { RunStore } from "../workflow/store.ts";
import type { SuspendableRun } from "../workflow/workflow.ts";

export interface Payment {
  readonly to: string;
  readonly amount: number;
}

/** A call of `pay`, with the id that the model gives it. */
export interface ScriptedCall {
  readonly id: string;
  readonly args: Payment;
}

export interface Stage {
  /** Acts as the agent. */
  readonly holdpoint: ToolClient;
  readonly key: string;
  /**
   * What the model does: all calls of the first step at once, then those of the next, then it says "done". How far it has got must be
   * read from the messages that the model is given, so that another process goes on with the same script.
   */
  readonly script: readonly (readonly ScriptedCall[])[];
  /** Where the run's state is kept; a framework with a storage of its own leaves it. */
  readonly store: RunStore;
  /** For `wrap`: how people are asked about a call. */
  ask(): CallAsk;
  /** The body of `pay`. */
  pay(payment: Payment): Promise<string> | string;
}

export interface AgentProcess {
  readonly run: SuspendableRun<unknown>;
  /** Everything that the model of this process was told so far, as JSON texts. */
  told(): readonly string[];
  /** Ends what the process has open, such as a database. */
  stop?(): Promise<void> | void;
}

export interface AdapterUnderTest {
  /** A new process of the agent. Nothing but `stage` may be shared between two of them, and what outlives a process in production. */
  start(stage: Stage): Promise<AgentProcess> | AgentProcess;
  /**
   * Gives the framework what a client could forge, an approval of a call that nobody approved in a history or a request body, and lets
   * it go on. The suite looks whether anything was paid.
   */
  forge(stage: Stage): Promise<void>;
  /** When one call of a step is rejected, the framework runs none of that step; the model has to propose the others again. */
  readonly rejectsWholeSteps?: boolean;
  /** The framework keeps its state in a storage of its own, so that the suite cannot change it behind its back. */
  readonly keepsOwnState?: boolean;
}
