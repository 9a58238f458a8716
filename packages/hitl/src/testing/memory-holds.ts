/** Holds in memory, as far as a service needs them: a test moves them on by hand. */

import {
  type CancelGiven,
  type FollowOptions,
  type Hold,
  type HoldEvent,
  type Link,
  type LinkGiven,
  type Outcome,
  type Place,
  type Skip,
  type SkipGiven,
  TerminalError,
} from "@holdpoint/protocol/client";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { actionsOf, parseDuration } from "@holdpoint/protocol/rules";
import type { CaseHolds } from "../service/case-routes.ts";

export const HOLDPOINT_URL = "https://holdpoint.example";

const AT = "2026-03-01T10:00:00.000Z";
const token = (seed: string) => seed.repeat(43);
const linkTo = (hold: Hold, seed: string) => `${HOLDPOINT_URL}/review/${hold.caseId}?token=${token(seed)}`;

function holdOf(place: Place, id: string): Hold {
  const { remindAt = [], timeout = "24h", onTimeout, ladder: _rungs, ...rest } = place;
  return {
    ...rest,
    id,
    caseId: caseIdOf(id),
    status: "open",
    actions: actionsOf(place).map((action) => ({ label: action.id, ...action })),
    digest: "d",
    createdBy: "shop",
    createdAt: AT,
    expiresAt: new Date(Date.parse(AT) + parseDuration(timeout)!).toISOString(),
    onTimeout: typeof onTimeout === "string" ? { action: onTimeout } : {},
    attempt: 1,
    ladder: remindAt.map((at) => ({ at, kind: "reminder", n: 1, state: "waiting" })),
    version: 1,
    links: "agent",
  } as unknown as Hold;
}

export class MemoryHolds implements CaseHolds {
  readonly placed: Place[] = [];
  readonly links: LinkGiven[] = [];
  readonly skips: SkipGiven[] = [];
  readonly #holds = new Map<string, Hold>();
  readonly #events: HoldEvent[] = [];
  readonly #wakers = new Set<() => void>();
  /** How many follow events just now. */
  following = 0;

  #find(holdId: string): Hold {
    const hold = this.#holds.get(holdId);
    if (hold === undefined)
      throw new TerminalError({ code: "not_found", status: 404, message: "there is no hold with this id" });
    return hold;
  }

  #change(holdId: string, type: string, members: Partial<Hold>): void {
    const hold = this.#find(holdId);
    this.#holds.set(holdId, { ...hold, ...members, version: hold.version + 1 });
    const position = this.#events.length + 1;
    const log = {
      stream: `hold:${holdId}`,
      seq: position,
      actor: "system",
      data: {},
      previous: "",
      hash: "h",
    };
    this.#events.push({ ...log, position, holdId, type, at: AT });
    for (const wake of this.#wakers) wake();
  }

  latest(): Hold {
    return [...this.#holds.values()].at(-1)!;
  }
  open(holdId: string): void {
    this.#change(holdId, "hold.opened", { openedAt: AT });
  }
  progress(holdId: string): void {
    this.#change(holdId, "hold.progressed", { openedAt: AT, progressedAt: AT });
  }
  remind(holdId: string): void {
    this.#change(holdId, "hold.reminded", { remindedAt: AT });
  }
  end(holdId: string, outcome: Outcome): void {
    this.#change(holdId, `hold.${outcome.kind}`, { status: outcome.kind, outcome });
  }

  async place(place: Place): Promise<Hold> {
    this.placed.push(place);
    const { key, previous } = place;
    const existing = [...this.#holds.values()].find((hold) => key !== undefined && hold.key === key);
    if (existing !== undefined)
      return existing.status === "open" ? { ...existing, reviewUrl: linkTo(existing, "n") } : existing;
    const id = `hold_${this.#holds.size + 1}ab`;
    this.#holds.set(id, holdOf(place, id));
    this.#change(id, "hold.placed", {});
    if (previous !== undefined) this.#change(previous, "hold.followed", { next: id });
    return { ...this.#find(id), reviewUrl: linkTo(this.#find(id), "r") };
  }

  async get(holdId: string): Promise<Hold> {
    return this.#find(holdId);
  }

  async cancel(holdId: string, cancel: CancelGiven = {}): Promise<Hold> {
    const { outcome } = this.#find(holdId);
    if (outcome !== undefined)
      throw new TerminalError({ code: "already_settled", status: 409, message: "over", outcome });
    const { reason } = cancel;
    const ending = { kind: "cancelled", cancelledBy: { kind: "key", id: "k" }, at: AT } as const;
    this.end(holdId, reason === undefined ? ending : { ...ending, reason });
    return this.#find(holdId);
  }

  async events(holdId: string): Promise<readonly HoldEvent[]> {
    return this.#events.filter((event) => event.holdId === holdId);
  }

  async *follow({ after = 0, holdIds = [], signal }: FollowOptions = {}): AsyncGenerator<HoldEvent> {
    let position = after;
    const next = () =>
      this.#events.find((one) => one.position > position && holdIds.includes(one.holdId ?? ""));
    this.following += 1;
    try {
      while (signal?.aborted !== true) {
        const event = next();
        if (event === undefined) await this.#somethingNew(signal);
        else {
          position = event.position;
          yield event;
        }
      }
    } finally {
      this.following -= 1;
    }
  }

  #somethingNew(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#wakers.add(resolve);
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  async recordSkip(skip: SkipGiven): Promise<Skip> {
    this.skips.push(skip);
    return { id: "skip_1", recordedBy: "shop", recordedAt: AT, ...skip };
  }

  async makeLink(holdId: string, link: LinkGiven = {}): Promise<Link> {
    this.links.push(link);
    const purpose = link.purpose ?? "review";
    return { id: "link_1", holdId, purpose, createdAt: AT, createdBy: "shop", token: token("s") };
  }
}
