/** What the outside was told. The checkers hold the server to every word of it. */

export interface Placed {
  readonly key: string;
  readonly id: string;
  readonly callback: boolean;
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

  sawOutcome(holdId: string, outcome: unknown): void {
    if (outcome === undefined) return;
    const { data: _masked, ...seen } = outcome as Record<string, unknown>;
    const text = JSON.stringify(seen);
    const before = this.outcomes.get(holdId);
    if (before === undefined) this.outcomes.set(holdId, text);
    else if (before !== text) this.contradictions.push(`${holdId}: ${before}, then ${text}`);
  }
}
