/** Refusals of the core as troubles of the wire. */

import { isCode } from "@holdpoint/protocol";
import type { EntityOf, Kind } from "../../domains.ts";
import type { Result } from "../../engine/engine.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { Failure } from "../../kernel/failure.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { presentOutcome } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";

/** The entity a command was about, or the refusal thrown in wire form. Losers of a race are told how it ended (G1). */
export function accepted<K extends Kind>(result: Result<K>, viewer: Principal): EntityOf<K> {
  if (result.ok) return result.entity;
  throw refused(result.failure, result.hold, viewer);
}

export function refused(failure: Failure, entity: Entity<Hold> | undefined, viewer: Principal): HttpTrouble {
  const { code, message, problems, detail } = failure;
  if (!isCode(code)) throw new Error(`${code} is no word of the native API`);
  const tellsOutcome = code === "already_settled" || code === "hold_expired";
  const outcome = tellsOutcome ? entity?.body.outcome : undefined;
  return new HttpTrouble({
    code,
    detail: message,
    ...(problems === undefined ? {} : { fields: problems }),
    more: {
      ...(detail ?? {}),
      ...(outcome === undefined || entity === undefined
        ? {}
        : { hold_id: entity.id, outcome: presentOutcome(entity.body, outcome, viewer) as never }),
    },
  });
}
