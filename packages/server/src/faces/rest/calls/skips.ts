/** Work that continued without a person: agents and apps record it. */

import type { SkipIn, SkipOut } from "@holdpoint/protocol";
import type { Entity } from "../../../kernel/entity.ts";
import type { Skip } from "../../../kernel/skip/skip.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { CallDeps, Caller } from "./caller.ts";

export async function recordSkip({ workspace, by }: Caller, body: SkipIn, deps: CallDeps): Promise<SkipOut> {
  const skip = { id: `skip_${deps.ids.next(deps.engine.clock.now())}`, ...body };
  return presentSkip(accepted(await deps.engine.run({ kind: "record_skip", workspace, by, skip }), by));
}

export function presentSkip({ body }: Entity<Skip>): SkipOut {
  const { id, what, agent, recordedBy, recordedAt } = body;
  return {
    id,
    what,
    ...(agent === undefined ? {} : { agent }),
    recorded_by: recordedBy,
    recorded_at: time(recordedAt),
  };
}
