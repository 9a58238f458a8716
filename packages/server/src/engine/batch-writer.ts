/** Turns the facts of a batch into what the store will write: rows, sealed events, timers, messages. */

import { NO_SETTINGS, type WorkspaceSettings } from "../core/access/access.ts";
import type { Context } from "../core/context.ts";
import { ESCALATION_REQUIRED } from "../core/coordinator/facts.ts";
import { intentMessagesOf, messagesOf, timerOf } from "../core/effects.ts";
import type { EntityKey } from "../core/entity.ts";
import { keyText } from "../core/entity.ts";
import { evolve } from "../core/evolve.ts";
import { describe, type Stated } from "../core/fact.ts";
import type { Intent } from "../core/intent/intent.ts";
import { NO_PLATFORM, type Platform } from "../core/platform.ts";
import type { Portfolio } from "../core/portfolio/portfolio.ts";
import type { OutboxRow, SealedEvent, Timer } from "../core/record.ts";
import type { Changes } from "../store/port.ts";
import type { Commit } from "./engine.ts";
import type { Draft, Overlay } from "./overlay.ts";
import { seal, sealIntent } from "./seal.ts";

/** It rests for so long if nothing comes of it: else it would be the first to be found again. */
export interface AskingTimer extends Timer {
  readonly restMs: number;
}

type TimerChange = Changes["timers"][number];

type Tools = Pick<Context, "judge" | "digest"> & Partial<Pick<Context, "platform">>;

export class BatchWriter {
  readonly context: Context;
  readonly #overlay: Overlay;
  readonly #events: SealedEvent[] = [];
  readonly #outbox: OutboxRow[] = [];
  readonly #forget: { readonly workspace: string; readonly holdId: string }[] = [];
  readonly #timers: TimerChange[] = [];
  #dirty = false;

  constructor(overlay: Overlay, now: number, { judge, digest, platform = NO_PLATFORM }: Tools) {
    this.#overlay = overlay;
    this.context = { now, platform, judge, digest };
  }

  get isEmpty(): boolean {
    return !this.#dirty;
  }

  /** All of one command or nothing: what throws in here leaves no trace. */
  write(workspace: string, facts: readonly Stated[], draft: Draft): void {
    if (facts.length === 0) return;
    const events: SealedEvent[] = [];
    const outbox: OutboxRow[] = [];
    const timers: TimerChange[] = [];
    for (const stated of facts) {
      for (const change of evolve(draft, stated)) {
        draft.apply(change);
        const dueAt = timerOf(change);
        if (dueAt !== undefined) setTimer(timers, { workspace, kind: change.kind, id: change.id }, dueAt);
      }
      const event = this.#append(workspace, stated, draft);
      if (event === null) continue;
      events.push(event);
      for (const row of messages(stated, event, draft, this.context.platform)) outbox.push(row);
    }
    draft.keep();
    for (const { fact, id } of facts) {
      if (fact.type === "hold.erased") this.#forget.push({ workspace, holdId: id });
    }
    // One command may state more than fits into one call.
    for (const event of events) this.#events.push(event);
    for (const row of outbox) this.#outbox.push(row);
    for (const timer of timers) this.#timers.push(timer);
    this.#dirty = true;
  }

  #append(workspace: string, stated: Stated, draft: Draft): SealedEvent | null {
    const fact = describe(stated, workspace);
    if (fact === null) return null;
    const { kind, id } = stated;
    const { seq, head } = draft.head(kind, id);
    const salt = kind === "hold" ? (draft.get("hold", id)?.salt ?? null) : null;
    const event = kind === "intent" ? sealIntent(fact, seq + 1, head) : seal(fact, seq + 1, head, salt);
    draft.append(kind, id, event.seq, event.hash);
    return event;
  }

  /** With the timers that nothing came of, unless a neighbour has set or cleared them. */
  changes(idle: readonly AskingTimer[] = []): Changes {
    return {
      puts: this.#overlay.puts(),
      events: this.#events,
      timers: this.#timers,
      ...(idle.length === 0 ? {} : { rests: this.#rests(idle) }),
      outbox: this.#outbox,
      ...(this.#forget.length === 0 ? {} : { forget: this.#forget }),
    };
  }

  #rests(idle: readonly AskingTimer[]): NonNullable<Changes["rests"]> {
    const moved = new Set(this.#timers.map(({ key }) => keyText(key)));
    return idle
      .filter(({ key }) => !moved.has(keyText(key)))
      .map(({ key, dueAt, restMs }) => ({ key, dueAt, until: this.context.now + restMs }));
  }

  committed(positions: readonly number[], commands: number): Commit {
    const events = this.#events.map((event, i) => ({ ...event, position: positions[i] as number }));
    let nextTimerAt: number | null = null;
    for (const { dueAt } of this.#timers) {
      if (dueAt !== null && (nextTimerAt === null || dueAt < nextTimerAt)) nextTimerAt = dueAt;
    }
    return {
      events,
      entities: this.#overlay.changed(),
      nextTimerAt,
      messages: this.#outbox.length,
      commands,
      now: this.context.now,
    };
  }
}

/** Facts of one command tend to be about one entity, and only the last says when its timer is due. */
function setTimer(timers: TimerChange[], key: EntityKey, dueAt: number | null): void {
  const last = timers.at(-1)?.key;
  if (last?.id === key.id && last.kind === key.kind) timers.pop();
  timers.push({ key, dueAt });
}

function messages(
  stated: Stated,
  event: SealedEvent,
  draft: Draft,
  platform: Platform,
): readonly OutboxRow[] {
  const settings = draft.get("workspace", "settings") ?? NO_SETTINGS;
  const intent = stated.kind === "intent" ? draft.get("intent", stated.id) : undefined;
  if (intent !== undefined) {
    return intentMessagesOf(event, intent, settings, portfoliosOf(intent, draft));
  }
  if (stated.kind === "coordinator") return escalationMessages(stated, event, draft, settings);
  const hold = stated.kind === "hold" ? draft.get("hold", stated.id) : undefined;
  return messagesOf(stated, event, hold, settings, platform);
}

function portfoliosOf({ portfolios = [] }: Intent, draft: Draft): readonly Portfolio[] {
  return portfolios.map((id) => draft.get("portfolio", id)).filter((portfolio) => portfolio !== undefined);
}

/** Whoever follows the intent hears what its coordinator asks for; the rest of a coordinator's log is its own. */
function escalationMessages(
  { fact }: Stated,
  event: SealedEvent,
  draft: Draft,
  settings: WorkspaceSettings,
): readonly OutboxRow[] {
  const intentId = fact.type === ESCALATION_REQUIRED ? fact.data["intent_id"] : undefined;
  const intent = typeof intentId === "string" ? draft.get("intent", intentId) : undefined;
  if (intent === undefined) return [];
  return intentMessagesOf(
    event,
    intent,
    settings,
    portfoliosOf(intent, draft),
    event.stream.replace(":", "-"),
  );
}
