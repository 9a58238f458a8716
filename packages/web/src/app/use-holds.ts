/** All open holds, kept current by the event stream. */

import type { HoldListOut, HoldOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { holdOf, SIGNED_OUT, wordsOf } from "./api.ts";
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
  const isSignedOut = useSignedOut();
  const [beat, setBeat] = useState(0);
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  // What has ended stays so; a read that was under way before and arrives later does not bring it back.
  const ended = useRef(new Set<string>());

  const reload = useCallback(async () => {
    try {
      const found = new Map<string, Hold>();
      let cursor = "";
      do {
        const page = await api.get<HoldListOut>(`/v1/holds?status=open&limit=${PAGE}${cursor}`);
        for (const hold of page.holds) found.set(hold.id, holdOf(hold));
        for (const id of ended.current) found.delete(id);
        cursor = page.next_cursor === undefined ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
      } while (cursor !== "");
      setHolds(found);
      setTrouble(undefined);
    } catch (fault) {
      setTrouble(wordsOf(fault));
    }
  }, [api]);

  const refresh = useCallback(
    async (id: string, notice?: Notice) => {
      const out = await api.get<HoldOut>(`/v1/holds/${id}`).catch(() => undefined);
      if (out === undefined) return;
      if (notice !== undefined && out.status === "open") showOutside(notice, out.prompt);
      if (out.status !== "open") ended.current.add(id);
      setHolds((before) => {
        const next = new Map(before);
        if (ended.current.has(id)) next.delete(id);
        else next.set(id, holdOf(out));
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

  // Whatever happened while the stream was down is read whole; and why it went down is asked.
  useEffect(() => {
    if (connection !== "connecting") void reload();
  }, [connection, reload]);

  const dismiss = (gone: Notice) => setNotices((before) => before.filter((each) => each !== gone));
  return {
    holds,
    trouble,
    connection: isSignedOut ? "signed out" : connection,
    beat,
    notices,
    dismiss,
    reload: () => void reload(),
  };
}

function useSignedOut(): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => {
    const onSignedOut = () => setSignedOut(true);
    addEventListener(SIGNED_OUT, onSignedOut);
    return () => removeEventListener(SIGNED_OUT, onSignedOut);
  }, []);
  return isSignedOut;
}
