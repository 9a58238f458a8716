/** When people or teams change, checks the open holds with a decision rule: each says whether anybody can still meet it. */

import type { Engine } from "./engine/engine.ts";
import { SYSTEM } from "./kernel/principal.ts";

const PAGE = 200;
const WATCHED: ReadonlySet<string> = new Set(["person", "team"]);

/** Returns a function that stops watching and waits for the checks that run. */
export function watchDecisions(engine: Engine, onFault: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const detach = engine.onCommit(({ entities }) => {
    // Hardly any commit changes people, so nothing is made for the others.
    if (!entities.some(({ kind }) => WATCHED.has(kind))) return;
    const changed = entities.filter(({ kind }) => WATCHED.has(kind)).map(({ workspace }) => workspace);
    for (const workspace of new Set(changed))
      running = running.then(() => checkAll(engine, workspace)).catch(onFault);
  });
  return () => {
    detach();
    return running;
  };
}

async function checkAll(engine: Engine, workspace: string): Promise<void> {
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after };
    const marks = await engine.store.query({ workspace, kind: "ruled_hold", limit: PAGE, ...from });
    const checks = marks.map(({ id: holdId }) =>
      engine.run({ kind: "check_decision", workspace, by: SYSTEM, holdId }),
    );
    await Promise.all(checks);
    if (marks.length < PAGE) return;
    after = marks.at(-1)?.id;
  }
}
