/**
 * When people or teams change, checks the open holds with a decision rule: each says whether anybody can still meet it.
 *
 * W1  A few holds are checked at a time, and other commands have their turn between them: the checks that wait at one moment form
 *     one batch, which is decided without a pause (G13).
 * W2  However often people change, one pass runs, and each workspace waits for at most one more.
 */

import type { Engine } from "./engine/engine.ts";
import { SYSTEM } from "./kernel/principal.ts";

const PAGE = 200;
/** One check of the largest rules takes up to 40 ms. */
const CHECKS_AT_ONCE = 2;
const WATCHED: ReadonlySet<string> = new Set(["person", "team"]);

/** Returns a function that stops watching and waits for the checks that run or are due. */
export function watchDecisions(engine: Engine, onFault: (error: unknown) => void): () => Promise<void> {
  /** Workspaces whose people have changed since the last pass over their holds began. */
  const changed = new Set<string>();
  let running: Promise<void> | undefined;
  const checkChanged = async () => {
    // A workspace that changes during a pass is added to the set again, so the loop comes to it once more.
    for (const workspace of changed) {
      changed.delete(workspace);
      await checkAll(engine, workspace).catch(onFault);
    }
    running = undefined;
  };
  const detach = engine.onCommit(({ entities }) => {
    for (const { kind, workspace } of entities) if (WATCHED.has(kind)) changed.add(workspace);
    // Hardly any commit changes people.
    if (changed.size > 0) running ??= checkChanged();
  });
  return async () => {
    detach();
    await running;
  };
}

async function checkAll(engine: Engine, workspace: string): Promise<void> {
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after };
    const marks = await engine.store.query({ workspace, kind: "ruled_hold", limit: PAGE, ...from });
    for (let at = 0; at < marks.length; at += CHECKS_AT_ONCE) {
      const checks = marks
        .slice(at, at + CHECKS_AT_ONCE)
        .map(({ id: holdId }) => engine.run({ kind: "check_decision", workspace, by: SYSTEM, holdId }));
      await Promise.all(checks);
    }
    if (marks.length < PAGE) return;
    after = marks.at(-1)?.id;
  }
}
