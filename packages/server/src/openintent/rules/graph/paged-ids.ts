/**
 * Long lists of ids, stored in pages. Adding or removing an id writes one page, however long the list is; reading all ids
 * takes one round of loads. The number of pages is stored with the list's owner.
 */

import { must } from "../../../kernel/must.ts";
import type { Change, Need, World } from "../world.ts";

export interface IdPage {
  readonly ids: readonly string[];
}

/** One list: the key of its owner, and its number of pages. */
export interface PagedIds {
  readonly of: string;
  readonly pages: number;
}

const PAGE_MAX = 256;

function pageId(of: string, page: number): string {
  return `${of}\n${page}`;
}

function idsOn(of: string, page: number, world: World): readonly string[] {
  return world.get("roll", pageId(of, page))?.ids ?? [];
}

export function pagedIdsNeeds({ of, pages }: PagedIds): readonly Need[] {
  return Array.from({ length: pages }, (_, page) => ({ kind: "roll", id: pageId(of, page) }) as const);
}

export function idsIn({ of, pages }: PagedIds, world: World): readonly string[] {
  return Array.from({ length: pages }, (_, page) => idsOn(of, page, world)).flat();
}

export interface Joined {
  readonly page: number;
  /** The number of pages after the id was added. */
  readonly pages: number;
  readonly change: Change;
}

/** Adding an id needs every page, because it takes the place of one that left. */
export function joinNeeds({ of, pages }: PagedIds): readonly Need[] {
  return pagedIdsNeeds({ of, pages: Math.max(pages, 1) });
}

/** Adds the id to the first page that has room. */
export function join({ of, pages }: PagedIds, id: string, world: World): Joined {
  const lists = Array.from({ length: pages }, (_, page) => idsOn(of, page, world));
  const free = lists.findIndex((ids) => ids.length < PAGE_MAX);
  const page = free < 0 ? pages : free;
  const body = { ids: [...(lists[page] ?? []), id] };
  return { page, pages: Math.max(pages, page + 1), change: { kind: "roll", id: pageId(of, page), body } };
}

/** Adds the id to the first page with ids that are gone, in their place. */
export function replace(
  { of, pages }: PagedIds,
  id: string,
  isGone: (id: string) => boolean,
  world: World,
): Omit<Joined, "pages"> {
  const lists = Array.from({ length: pages }, (_, page) => idsOn(of, page, world));
  const page = lists.findIndex((ids) => ids.some(isGone));
  const left = must(lists[page], "a page with an id that is gone").filter((other) => !isGone(other));
  return { page, change: { kind: "roll", id: pageId(of, page), body: { ids: [...left, id] } } };
}

/** Removing an id needs the page it was added to. */
export function leaveNeeds(of: string, page: number): readonly Need[] {
  return [{ kind: "roll", id: pageId(of, page) }];
}

export function leave(of: string, page: number, id: string, world: World): Change {
  const ids = idsOn(of, page, world).filter((other) => other !== id);
  return { kind: "roll", id: pageId(of, page), body: { ids } };
}
