/** What the requests of one handler share: who is inside which thread, and agents that wait in memory. */

import {
  type ClaimedName,
  type ClientSource,
  type FileClient,
  type Hold,
  type HoldClient,
  holdClientOf,
  type ThreadClient,
} from "../../client/index.ts";
import { isSafeUrl } from "../../hitl/words.ts";
import type { Json } from "../../rules/index.ts";
import { type Interrupt, type InterruptForm, interruptOf, type Machine, machineOver } from "../index.ts";
import type { AgUiAgent } from "./agent.ts";
import type { Performance } from "./performance.ts";
import type { EncodeProtobuf } from "./protobuf.ts";
import type { Work } from "./record.ts";

/** As much of a hold client as a handler needs. */
type AgUiClient = HoldClient &
  ThreadClient &
  Partial<FileClient> & { serverUrl?(): Promise<string | undefined> };

export interface AgUiHandlerOptions {
  readonly agent: AgUiAgent;
  /** With a key of the role `app`, which relays the answers of its users; an agent's key never answers (G7). */
  readonly holdpoint: ClientSource<AgUiClient>;
  /** Holdpoint's address as everybody reaches it, if the client here reaches it by another. */
  readonly publicUrl?: string;
  /** Who is behind the request, as the app knows them. Null: they may start runs and answer nothing. */
  identify(request: Request): ClaimedName | null | Promise<ClaimedName | null>;
  /** Whether a conversation is this person's. Left out, everybody has every thread whose id they know. */
  owns?(person: ClaimedName | null, threadId: string): boolean | Promise<boolean>;
  /** `checkpoint` keeps a stopped agent in memory and falls back to `replay`, which calls it again from the start. */
  readonly style?: "replay" | "checkpoint";
  /** One form for every request, as behind an address that stands for it. */
  readonly form?: InterruptForm;
  /** Besides everything else, tell interrupts as `CUSTOM on_interrupt`, for clients of that time. */
  readonly legacyEvents?: boolean;
  /** `encode` of `@ag-ui/proto`: clients that ask for the binary encoding then get it. Absent: everybody gets server-sent events. */
  readonly protobuf?: EncodeProtobuf;
  /** Shown in the capabilities. */
  readonly identity?: { readonly name: string; readonly description?: string };
  /** `any`: reasons are somebody else's words, passed on as they are. */
  readonly reasons?: "checked" | "any";
  /** Why a payload does not fit the schema it was asked with, or null; where schemas come from others, one that cannot hang. */
  readonly checkPayload?: (schema: object, payload: Json | undefined) => string | null;
  /** How long a thread stays taken after its process died in the middle of a run. */
  readonly leaseMs?: number;
  readonly machine?: Partial<Machine>;
  readonly onWarning?: (warning: string) => void;
  /** What a client is only told as a code. */
  readonly onError?: (error: unknown) => void;
}

const LEASE_MS = 30_000;
/** Those who wait longest make room; they are found again by replay. */
const SUSPENDED_MAX = 1000;

export class Handling {
  readonly options: AgUiHandlerOptions & { readonly holdpoint: AgUiClient };
  readonly machine: Machine;
  readonly holder: string;
  readonly leaseMs: number;
  readonly #inside = new Map<string, AbortController>();
  readonly #suspended = new Map<string, { readonly work: Work; readonly performance: Performance }>();

  constructor(options: AgUiHandlerOptions) {
    this.options = { ...options, holdpoint: holdClientOf(options.holdpoint) };
    this.machine = machineOver(options.machine);
    this.holder = this.machine.newKey();
    this.leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /** What a hold is called here, and where else it can be seen. */
  async interruptsOf(holds: readonly Hold[]): Promise<readonly Interrupt[]> {
    const { publicUrl, holdpoint } = this.options;
    const url = (publicUrl ?? (await holdpoint.serverUrl?.()))?.replace(/\/+$/, "");
    const casesAt = url !== undefined && isSafeUrl(url) ? url : undefined;
    return holds.flatMap((hold) => interruptOf(hold, casesAt) ?? []);
  }

  /** Aborts when the run must end; null: another run is inside. */
  enter(threadId: string, gone: AbortSignal): AbortSignal | null {
    if (this.#inside.has(threadId)) return null;
    const stop = new AbortController();
    this.#inside.set(threadId, stop);
    return AbortSignal.any([stop.signal, gone]);
  }

  leave(threadId: string): void {
    this.#inside.delete(threadId);
  }

  /** Stops the run that is under way; false: there is none. */
  stop(threadId: string): boolean {
    const stop = this.#inside.get(threadId);
    stop?.abort();
    return stop !== undefined;
  }

  suspend(threadId: string, work: Work, performance: Performance): void {
    if (this.options.style !== "checkpoint") return;
    this.#suspended.delete(threadId);
    this.#suspended.set(threadId, { work, performance });
    if (this.#suspended.size <= SUSPENDED_MAX) return;
    for (const [oldest] of this.#suspended) {
      this.#suspended.delete(oldest);
      return;
    }
  }

  takeSuspended(threadId: string, work: Work): Performance | undefined {
    const found = this.#suspended.get(threadId);
    this.#suspended.delete(threadId);
    const isSame = found?.work.id === work.id && found.work.groups.length === work.groups.length;
    return isSame ? found?.performance : undefined;
  }
}
