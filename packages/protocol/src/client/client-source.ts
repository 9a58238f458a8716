/** A hold client, or what carries one as the SDK's `Holdpoint` does, so that libraries take either under one name. */

import type { HoldClient } from "./hold-client.ts";

export type ClientSource<Client extends object = HoldClient> = Client | { readonly client: Client };

export function holdClientOf<Client extends object>(source: ClientSource<Client>): Client {
  return "client" in source ? source.client : source;
}
