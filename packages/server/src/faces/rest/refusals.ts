/** Refusals of the core as troubles of the wire. */

import { isCode } from "@holdpoint/protocol";
import type { Entity } from "../../core/entity.ts";
import type { Hold } from "../../core/hold/hold.ts";
import type { Principal } from "../../core/principal.ts";
import type { Refusal } from "../../core/refusal.ts";
import type { Result } from "../../engine/engine.ts";
import { presentOutcome } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";

/** The entity a command was about, or the refusal thrown in wire form. Losers of a race are told how it ended (G1). */
export function accepted(result: Result, viewer: Principal): Entity {
  if (result.ok) return result.entity;
  throw refused(result.refusal, result.entity as unknown as Entity<Hold> | undefined, viewer);
}

export function refused(refusal: Refusal, entity: Entity<Hold> | undefined, viewer: Principal): HttpTrouble {
  const { code, message, problems, detail } = refusal;
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
