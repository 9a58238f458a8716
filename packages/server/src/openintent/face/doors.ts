/** Callers without a key see some of the server's settings; callers with a key see all of them. */

import {
  type Arrival,
  credentialsOf,
  type Doors,
  NOBODY,
  principalAuthority,
} from "../../faces/http/authority.ts";
import type { OpenIntentDeps } from "./deps.ts";
import type { operations } from "./operations/index.ts";

export const doors = {
  async serverConfig({ c, ip, identity }: Arrival) {
    const found = await identity.authenticate(credentialsOf(c, ip));
    return found.ok ? principalAuthority(found) : NOBODY;
  },
} satisfies Doors<typeof operations, OpenIntentDeps>;
