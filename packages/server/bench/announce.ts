/** How a benched server tells its parent where it is. */

import type { AddressInfo } from "node:net";

interface Listens {
  listen(port: number, host: string, done: () => void): unknown;
  address(): AddressInfo | string | null;
}

/** `durable`: what is synced to disk before a request is answered, as the server found it. */
export function announce(server: Listens, durable?: string): void {
  server.listen(0, "127.0.0.1", () => {
    process.send?.({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: "none",
      durable,
    });
  });
  // The process that started this one has ended, so nobody reads the numbers.
  process.once("disconnect", () => process.exit(0));
}
