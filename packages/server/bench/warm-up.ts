/**
 * A server is as fast as it will be once its code is compiled for what it is asked, which takes as many requests as a busy one
 * gets in its first half minute. Whatever is compared is warmed up alike.
 */

import { drive } from "./load.ts";

const CONNECTIONS = 64;

export async function warmUp(work: () => Promise<unknown>, quick: boolean): Promise<void> {
  await drive(CONNECTIONS, quick ? 12_000 : 25_000, work);
}
