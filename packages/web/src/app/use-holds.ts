/** All open holds, kept current by the event stream. */

import type { HoldListOut, HoldOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { useCallback, useEffect, useState } from "react";
import { holdOf, Refused, wordsOf } from "./api.ts";
import { type Connection, useApi, useEvents } from "./hooks.ts";

const PAGE = 200;

export interface OpenHolds {
  readonly holds: ReadonlyMap<string, Hold> | undefined;
  readonly trouble: string | undefined;
  readonly connection: Connection;
  readonly reload: () => void;
  /** Bumped with every event, so that whatever shows one hold reads it again. */
  readonly beat: number;
}

export function useOpenHolds(): OpenHolds {
  const api = useApi();
  const [holds, setHolds] = useState<ReadonlyMap<string, Hold>>();
  const [trouble, setTrouble] = useState<string>();
  const [beat, setBeat] = useState(0);

  const reload = useCallback(async () => {
    try {
      const found = new Map<string, Hold>();
      let cursor = "";
      do {
        const page = await api.get<HoldListOut>(`/v1/holds?status=open&limit=${PAGE}${cursor}`);
        for (const hold of page.holds) found.set(hold.id, holdOf(hold));
        cursor = page.next_cursor === undefined ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
      } while (cursor !== "");
      setHolds(found);
      setTrouble(undefined);
    } catch (fault) {
      if (fault instanceof Refused && fault.status === 401) location.reload();
      setTrouble(wordsOf(fault));
    }
  }, [api]);

  const refresh = useCallback(
    async (id: string) => {
      const out = await api.get<HoldOut>(`/v1/holds/${id}`).catch(() => undefined);
      if (out === undefined) return;
      setHolds((before) => {
        const next = new Map(before);
        if (out.status === "open") next.set(id, holdOf(out));
        else next.delete(id);
        return next;
      });
    },
    [api],
  );

  useEffect(() => {
    void reload();
  }, [reload]);

  const connection = useEvents(({ hold_id: id }) => {
    setBeat((n) => n + 1);
    if (id !== undefined) void refresh(id);
  });

  // Whatever happened while the stream was down is read whole.
  useEffect(() => {
    if (connection === "live") void reload();
  }, [connection, reload]);

  return { holds, trouble, connection, beat, reload: () => void reload() };
}
