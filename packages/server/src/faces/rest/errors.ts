/** Failures of commands in the native API. Its dialect is `problemDetails`, which the shared parts use too. */

import { isCode } from "@holdpoint/protocol";
import type { EntityOf, Kind } from "../../domains.ts";
import type { Result } from "../../engine/engine.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { Failure } from "../../kernel/failure.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { HttpFailure } from "../http/failure.ts";
import { presentOutcome } from "../http/present.ts";

/** The entity that a command was about; throws its failure. Losers of a race are told how it ended (G1). */
export function accepted<K extends Kind>(result: Result<K>, viewer: Principal): EntityOf<K> {
  if (result.ok) return result.entity;
  throw refused(result.failure, result.hold, viewer);
}

export function refused(failure: Failure, hold: Entity<Hold> | undefined, viewer: Principal): HttpFailure {
  const { code, detail } = failure;
  if (!isCode(code)) throw new Error(`Invariant: ${code} is not a code of the native API`);
  const tellsOutcome = code === "already_settled" || code === "hold_expired";
  const outcome = tellsOutcome ? hold?.body.outcome : undefined;
  if (outcome === undefined || hold === undefined) return new HttpFailure(failure);
  const ending = { hold_id: hold.id, outcome: presentOutcome(hold.body, outcome, viewer) as never };
  return new HttpFailure({ ...failure, detail: { ...detail, ...ending } });
}
