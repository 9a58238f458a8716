/** Reads the log in pages, and verifies it. */

import { nextAfter } from "../../../engine/log-pages.ts";
import type { Break } from "../../../engine/verify.ts";
import { seesAll, seesSettings } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { presentEvent } from "../calls/events.ts";
import type { Routes } from "../operations.ts";

const PAGE = 100;

export const log = {
  async readLog({ workspace, by, query }, deps) {
    if (!seesAll(by)) throw fail("not_allowed");
    const { after = 0, limit = PAGE } = query;
    const events = await deps.engine.store.events({ workspace, after, limit });
    const next = nextAfter(events, limit);
    const more = next === undefined ? {} : { next_after: next };
    return { status: 200, body: { events: events.map(presentEvent), ...more } };
  },

  /**
   * The log grows while it is read, so new events can look broken. A real break is still there on a second look, and only that
   * is reported. Checkpoints cover the log of all workspaces, so all of it is read; the caller gets the result for its own
   * workspace.
   */
  async verifyLog({ by, workspace }, deps) {
    if (!seesSettings(by)) throw fail("not_allowed");
    const look = () => deps.verify(deps.engine.store, { only: workspace });
    const first = await look();
    if (first.breaks.length === 0) return { status: 200, body: first };
    const again = await look();
    const isSeenTwice = (found: Break) =>
      first.breaks.some(
        ({ stream, seq, what }) => stream === found.stream && seq === found.seq && what === found.what,
      );
    return { status: 200, body: { ...again, breaks: again.breaks.filter(isSeenTwice) } };
  },
} satisfies Routes;
