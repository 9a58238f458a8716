/** The messages between the store and its worker threads. */

import type { OutboxRow, StoredEvent } from "../../kernel/record.ts";
import type { Backlog, BacklogQuery, Census, EventQuery, HoldSearch, OutboxQuery } from "../port.ts";
import { StoreError, type StoreErrorCode } from "../store-error.ts";
import type { FoundIds } from "./hold-search.ts";

export interface WorkerSetup {
  readonly path: string;
  /** How long a search may run before it returns what it has found. */
  readonly searchMs: number;
}

export type Request =
  | { readonly kind: "events"; readonly query: EventQuery }
  | { readonly kind: "outbox"; readonly query: OutboxQuery }
  | { readonly kind: "backlogs"; readonly query: BacklogQuery }
  | { readonly kind: "search"; readonly search: HoldSearch }
  | { readonly kind: "census"; readonly now: number }
  | { readonly kind: "backup"; readonly path: string }
  | { readonly kind: "checkpoint" };

export interface Results {
  readonly events: readonly StoredEvent[];
  readonly outbox: readonly OutboxRow[];
  readonly backlogs: readonly Backlog[];
  readonly search: FoundIds;
  readonly census: Census;
  readonly backup: undefined;
  readonly checkpoint: undefined;
}

export type ToWorker<Asked> =
  | { readonly kind: "request"; readonly id: number; readonly request: Asked }
  | { readonly kind: "close" };

export type FromWorker<Answer> =
  | { readonly kind: "progress"; readonly id: number; readonly share: number }
  | { readonly kind: "done"; readonly id: number; readonly result: Answer }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure };

/** An error in a form that can be sent between threads. */
export interface Failure {
  readonly message: string;
  readonly code?: StoreErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The code of an error of SQLite. */
  readonly errcode?: number;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreError)
    return { message: error.message, code: error.code, details: error.details };
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, errcode } = error as Error & { errcode?: number };
  return { message, ...(errcode === undefined ? {} : { errcode }) };
}

export function errorOf({ message, code, details, errcode }: Failure): Error {
  if (code !== undefined) return new StoreError(code, message, details);
  return errcode === undefined ? new Error(message) : Object.assign(new Error(message), { errcode });
}
