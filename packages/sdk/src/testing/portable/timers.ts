/**
 * Stands in for `node:timers/promises` in the bundle. The function is taken when the module loads, before a test runner can
 * replace it with a fake that never fires.
 */

const later: (run: () => void) => unknown = globalThis.setImmediate ?? globalThis.setTimeout;

export function setImmediate(): Promise<void> {
  return new Promise((resolve) => {
    later(resolve);
  });
}
