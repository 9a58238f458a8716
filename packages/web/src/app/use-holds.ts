/** All open holds, kept current by the event stream. */

import type { HoldListOut, HoldOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { useCallback, useEffect, useState } from "react";
import { holdOf, Refused, wordsOf } from "./api.ts";
import { type Connection, useApi, useEvents } from "./hooks.ts";
import { type Notice, noticeOf, showOutside, withNotice } from "./notices.tsx";

const PAGE = 200;

export interface OpenHolds {
  readonly holds: ReadonlyMap<string, Hold> | undefined;
  readonly trouble: string | undefined;
  readonly connection: Connection;
  readonly reload: () => void;
  /** Bumped with every event, so that whatever shows one hold reads it again. */
  readonly beat: number;
  /** What the console channel has told since the page was opened, the newest first. */
  readonly notices: readonly Notice[];
  readonly dismiss: (notice: Notice) => void;
}

export function useOpenHolds(): OpenHolds {
  const api = useApi();
  const [holds, setHolds] = useState<ReadonlyMap<string, Hold>>();
  const [trouble, setTrouble] = useState<string>();
  const [beat, setBeat] = useState(0);
  const [notices, setNotices] = useState<readonly Notice[]>([]);

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
    async (id: string, notice?: Notice) => {
      const out = await api.get<HoldOut>(`/v1/holds/${id}`).catch(() => undefined);
      if (out === undefined) return;
      if (notice !== undefined && out.status === "open") showOutside(notice, out.prompt);
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

  const connection = useEvents((event) => {
    setBeat((n) => n + 1);
    const notice = noticeOf(event);
    if (notice !== undefined) setNotices((before) => withNotice(before, notice));
    if (event.hold_id !== undefined) void refresh(event.hold_id, notice);
  });

  // Whatever happened while the stream was down is read whole.
  useEffect(() => {
    if (connection === "live") void reload();
  }, [connection, reload]);

  const dismiss = (gone: Notice) => setNotices((before) => before.filter((each) => each !== gone));
  return { holds, trouble, connection, beat, notices, dismiss, reload: () => void reload() };
}
