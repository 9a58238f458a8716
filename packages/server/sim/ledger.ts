/** What the outside was told and what it asked for. The checkers hold the server to every word of it. */

import { answerIn } from "./answers.ts";
import type { Run } from "./gate.ts";
import type { Case } from "./hitl.ts";

export interface Placed {
  readonly key: string;
  readonly id: string;
  readonly callback: boolean;
}

/** A case as its agent polled it. */
interface Polled {
  readonly status: string;
  readonly action: string | undefined;
}

export class Ledger {
  /** Acknowledged placings by key. */
  readonly placed = new Map<string, Placed>();
  /** Outcomes that anybody was shown, by hold. The first counts; any other is a contradiction. */
  readonly outcomes = new Map<string, string>();
  readonly contradictions: string[] = [];
  /** Successful claims by hold, since the last release. */
  readonly claims = new Map<string, number>();
  /** Must never turn up where they do not belong. */
  readonly secrets = new Set<string>();
  /** May be told to a hold's creator, nowhere else. */
  readonly sensitive = new Set<string>();
  readonly surprises: string[] = [];
  /** Holds that were still open long after their deadline, although nothing failed any more. */
  readonly overdue = new Set<string>();
  readonly cases: Case[] = [];
  /** The end of each case that its agent polled. */
  readonly polled = new Map<string, Polled>();
  /** Calls that the agent before the rules really made. */
  readonly runs: Run[] = [];
  /** Requests that had to be refused and were not. */
  readonly refusable: string[] = [];
  /** What the servers that live on did not take over from a dead one. */
  readonly unsent: string[] = [];
  /** Waits that did not hear of the answer. */
  readonly unheard: string[] = [];
  readonly #given = new Set<string>();

  sawOutcome(holdId: string, outcome: unknown): void {
    if (outcome === undefined) return;
    const { data: _masked, ...seen } = outcome as Record<string, unknown>;
    const text = JSON.stringify(seen);
    const before = this.outcomes.get(holdId);
    if (before === undefined) this.outcomes.set(holdId, text);
    else if (before !== text) this.contradictions.push(`${holdId}: ${before}, then ${text}`);
  }

  sawCase(
    holdId: string,
    { status, result }: { readonly status: string; readonly result?: { readonly action?: string } },
  ): void {
    const before = this.polled.get(holdId);
    const told = { status, action: result?.action };
    if (before !== undefined && (before.status !== told.status || before.action !== told.action))
      this.contradictions.push(
        `${holdId}: polled as ${JSON.stringify(before)}, then ${JSON.stringify(told)}`,
      );
    if (/^(?:completed|expired|cancelled)$/.test(status)) this.polled.set(holdId, told);
  }

  /** Somebody sends this request: if it is an answer, it may count from now on, whether or not they hear of it. */
  asked(name: string | undefined, path: string, body: unknown): void {
    const given = answerIn(path, body);
    if (given === undefined || (given.token !== undefined && !this.secrets.has(given.token))) return;
    this.#given.add(`${given.about} ${name} ${given.action}`);
  }

  /** Without a name: by a link that stands for nobody. */
  gave(about: readonly string[], name: string | undefined, action: string): boolean {
    return about.some((one) => this.#given.has(`${one} ${name} ${action}`));
  }
}
