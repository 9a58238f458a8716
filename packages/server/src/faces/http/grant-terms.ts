/** The similar calls that an answer allows in advance, as the kernel takes them. */

import type { GrantIn } from "@holdpoint/protocol";
import { parseDuration } from "@holdpoint/protocol/rules";
import type { Engine } from "../../engine/engine.ts";
import type { GrantTerms } from "../../kernel/hold/commands.ts";
import type { Ids } from "../../system/ids.ts";

interface Deps {
  readonly ids: Ids;
  readonly engine: Engine;
}

export function grantTerms(grant: GrantIn, { ids, engine }: Deps): GrantTerms {
  const { uses, args, sample_every } = grant;
  return {
    id: `grant_${ids.next(engine.clock.now())}`,
    salt: ids.salt(),
    until:
      grant.until === undefined
        ? { afterMs: parseDuration(grant.for ?? "") ?? 0 }
        : { at: Date.parse(grant.until) },
    ...(uses === undefined ? {} : { uses }),
    ...(args === undefined ? {} : { args: args as NonNullable<GrantTerms["args"]> }),
    ...(sample_every === undefined ? {} : { sampleEvery: sample_every }),
  };
}
