/**
 * Gives back the memory that only the start needed. Loading the program fills V8's young generation, and V8 gives its pages
 * back only in a collection of the flavour `last-resort`, which it does not run by itself while memory is free. A server that
 * has started and waits for holds would keep them, 40 to 50 MiB.
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type CollectGarbage = (options: {
  readonly type: "major";
  readonly execution: "sync";
  readonly flavor: "last-resort";
}) => void;

export function releaseStartMemory(): void {
  setFlagsFromString("--expose-gc");
  // A new context gets the functions that the flag exposes; the running one does not.
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  if (isCollect(collect)) collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

function isCollect(found: unknown): found is CollectGarbage {
  return typeof found === "function";
}
