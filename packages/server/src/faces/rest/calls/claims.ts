/** Claims: the execution fence of an approved hold (G10). */

import type { ClaimDoneIn, ClaimIn, ClaimOut, HoldOut } from "@holdpoint/protocol";
import { parseDuration } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { fail } from "../../http/failure.ts";
import { presentClaim } from "../../http/present.ts";
import { presentOneNamed } from "../../http/vote-names.ts";
import { accepted } from "../errors.ts";
import type { CallDeps, Caller } from "./caller.ts";

const LEASE_MS = 5 * 60_000;

/** `key`: a claimer that names its claim can repeat the call after a lost reply and gets the same claim. */
export async function claimHold(
  { workspace, by }: Caller,
  holdId: string,
  { digest, lease }: ClaimIn,
  key: string | undefined,
  deps: CallDeps,
): Promise<ClaimOut> {
  const leaseMs = lease === undefined ? LEASE_MS : parseDuration(lease);
  if (leaseMs === null) throw fail("invalid_body", "/lease: not a duration");
  const claimId = claimIdOf(key) ?? `claim_${deps.ids.next(deps.engine.clock.now())}`;
  const command = { kind: "claim_hold", workspace, by, holdId, claimId, digest, leaseMs } as const;
  return claimOf(accepted(await deps.engine.run(command), by));
}

export async function finishClaim(
  { workspace, by }: Caller,
  holdId: string,
  claimId: string,
  { ok, detail }: ClaimDoneIn,
  deps: CallDeps,
): Promise<ClaimOut> {
  const command = { kind: "finish_claim", workspace, by, holdId, claimId, ok } as const;
  const result = await deps.engine.run(detail === undefined ? command : { ...command, detail });
  return claimOf(accepted(result, by));
}

export async function releaseClaim(
  { workspace, by }: Caller,
  holdId: string,
  deps: CallDeps,
): Promise<HoldOut> {
  const result = await deps.engine.run({ kind: "release_claim", workspace, by, holdId });
  return presentOneNamed(accepted(result, by), by, deps.engine.store);
}

export async function revokeHold(
  { workspace, by }: Caller,
  holdId: string,
  deps: CallDeps,
): Promise<HoldOut> {
  const result = await deps.engine.run({ kind: "revoke_hold", workspace, by, holdId });
  return presentOneNamed(accepted(result, by), by, deps.engine.store);
}

function claimIdOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (/^[\w.:-]{8,200}$/.test(key)) return `claim_${key}`;
  throw fail("invalid_query", "Idempotency-Key must have 8 to 200 letters, digits or characters of _ . : -");
}

function claimOf(entity: Entity<Hold>): ClaimOut {
  if (entity.body.claim === undefined) throw fail("not_found");
  return presentClaim(entity.id, entity.body.claim);
}
