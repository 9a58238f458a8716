/** What waits for this person, kept current. */

import { type Hold, type HoldPage, isRefusal } from "@holdpoint/protocol/client";
import { useEffect, useMemo } from "react";
import { useStateOf } from "../components/hooks.ts";
import type { PageClient } from "./browser-client.ts";
import { useHoldpoint } from "./provider.tsx";
import { watch, wordsOf } from "./watch.ts";

export interface LiveInbox {
  /** The open holds, most urgent first; `undefined` until they were read. */
  readonly holds: readonly Hold[] | undefined;
  /** Why they cannot be read or followed. */
  readonly trouble: string | undefined;
}

const PAGE = 200;
/** More than this nobody reads; the rest appears as these are answered. */
const HOLDS_MAX = 1_000;

type ById = ReadonlyMap<string, Hold>;

interface Seen {
  readonly open?: ById | undefined;
  readonly trouble?: string;
}

/**
 * The open holds that the browser token reaches.
 *
 * @example
 * ```tsx
 * function Badge() {
 *   const { holds = [] } = useInbox();
 *   return <span>{holds.length} waiting</span>;
 * }
 * ```
 */
export function useInbox(): LiveInbox {
  const client = useHoldpoint();
  const [{ open, trouble }, change] = useStateOf<Seen>(client, {});

  useEffect(
    () =>
      watch(client, {
        async onOpen(signal) {
          const found = await everyOpen(client, signal);
          change(({ open: before }) => ({
            open: new Map(found.map((hold) => [hold.id, newest(before?.get(hold.id), hold)])),
          }));
        },
        async onEvent({ holdId }, signal) {
          if (holdId === undefined) return;
          const hold = await readIfThere(client, holdId, signal);
          change((before) => ({ ...before, open: changed(before.open, holdId, hold) }));
        },
        onTrouble: (error) => change((before) => ({ ...before, trouble: wordsOf(error) })),
      }),
    [client, change],
  );

  const holds = useMemo(() => open && [...open.values()].sort(byUrgency), [open]);
  return { holds, trouble };
}

async function everyOpen(client: PageClient, signal: AbortSignal): Promise<readonly Hold[]> {
  const found: Hold[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? {} : { cursor };
    const page: HoldPage = await client.list({ status: "open", limit: PAGE, ...more }, { signal });
    found.push(...page.holds);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < HOLDS_MAX);
  return found;
}

async function readIfThere(client: PageClient, id: string, signal: AbortSignal): Promise<Hold | undefined> {
  try {
    return await client.get(id, { signal });
  } catch (error) {
    if (isRefusal(error, "not_found")) return undefined;
    throw error;
  }
}

function changed(before: ById | undefined, id: string, hold: Hold | undefined): ById | undefined {
  if (before === undefined) return before;
  const after = new Map(before);
  if (hold?.status === "open") after.set(id, newest(before.get(id), hold));
  else after.delete(id);
  return after;
}

/** Replies may arrive in another order than they were sent. */
function newest(one: Hold | undefined, other: Hold): Hold {
  return one !== undefined && one.version > other.version ? one : other;
}

/** What ends soonest comes first; what never ends comes last, oldest first. */
function byUrgency(one: Hold, other: Hold): number {
  return dueOf(one) - dueOf(other) || Date.parse(one.createdAt) - Date.parse(other.createdAt);
}

function dueOf({ expiresAt }: Hold): number {
  return expiresAt === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(expiresAt);
}
