/**
 * A server is as fast as it will be once its code is compiled for what it is asked, which takes as many requests as a busy one
 * gets in its first half minute. Whatever is compared is warmed up alike.
 */

import { drive } from "./load.ts";

const CONNECTIONS = 64;

/** In turns: a server that waits for long after its own warm-up may lose what V8 has compiled. */
const TURNS = 10;

export async function warmUp(works: readonly (() => Promise<unknown>)[], quick: boolean): Promise<void> {
  const ms = (quick ? 12_000 : 25_000) / TURNS;
  for (let turn = 0; turn < TURNS; turn += 1) for (const work of works) await drive(CONNECTIONS, ms, work);
}
