/**
 * Compares the review links of a hold with its log: the log knows every link, says whether it was revoked, and has a digest of
 * what it may be used for. A link that somebody added or changed in the database would be an answer in a person's name.
 */

import { linkContent } from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { Link } from "../kernel/hold/link.ts";
import type { ReadStore } from "../store/port.ts";
import { contentDigest } from "./seal.ts";
import { type LoggedFact, type Report, walk } from "./verify-rows.ts";

/** What the log says about the links of one hold. */
export interface LinkHistory {
  /** By the link's id. Links that were made with the hold are in the digest of the placing event. */
  readonly made: ReadonlyMap<string, LoggedFact>;
  /** The ids of the links that were made with the hold, in order. */
  readonly placed: readonly string[];
  readonly revoked: ReadonlySet<string>;
}

/** Both holds and links are read in the order of their ids, and a link's id begins with the id of its hold. */
export class LinksByHold {
  readonly #links: AsyncIterator<{ readonly body: Link }>;
  #next: Promise<Link | undefined>;

  constructor(store: ReadStore, workspace: string) {
    this.#links = walk(store, workspace, "link");
    this.#next = this.#read();
  }

  /** The links of this hold, and those before it that belong to no hold. */
  async of(holdId: string): Promise<{ readonly own: readonly Link[]; readonly stray: readonly Link[] }> {
    const own: Link[] = [];
    const stray: Link[] = [];
    for (let link = await this.#next; link !== undefined && link.holdId <= holdId; link = await this.#next) {
      (link.holdId === holdId ? own : stray).push(link);
      this.#next = this.#read();
    }
    return { own, stray };
  }

  async #read(): Promise<Link | undefined> {
    const { value, done } = await this.#links.next();
    return done === true ? undefined : value.body;
  }
}

export function checkLinks(
  hold: Hold,
  links: readonly Link[],
  history: LinkHistory | undefined,
  report: Report,
): void {
  for (const link of links) {
    const made = history?.made.get(link.id);
    const isKnown = made !== undefined || history?.placed.includes(link.id) === true;
    if (!isKnown) report(`the log does not know its link ${link.id}`);
    else if (made !== undefined && !isAsMade(link, hold, made))
      report(`its link ${link.id} was changed`, made);
    else if ((link.revokedAt !== undefined) !== (history?.revoked.has(link.id) === true))
      report(`its link ${link.id} is revoked in the row or in the log, but not in both`);
  }
}

/** Versions before wrote no digest; an erased hold has no salt any more. */
function isAsMade(link: Link, { salt }: Hold, { data }: LoggedFact): boolean {
  const digest = data["content"];
  return salt === null || digest === undefined || contentDigest(linkContent(link), salt) === digest;
}

/** The links that were made with the hold, as its placing event covers them; `undefined` if one is missing. */
export function placedLinks(
  links: readonly Link[],
  history: LinkHistory | undefined,
): readonly Link[] | undefined {
  const found = (history?.placed ?? []).map((id) => links.find((link) => link.id === id));
  return found.every((link) => link !== undefined) ? found : undefined;
}
