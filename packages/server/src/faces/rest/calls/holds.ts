/** Holds: place, read, wait, answer, cancel, erase. */

import type { AnswerIn, CancelIn, HoldOut, PlaceIn } from "@holdpoint/protocol";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { HoldIn } from "../../../kernel/hold/commands.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { sees } from "../../../kernel/hold/who.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { fail, HttpFailure } from "../../http/failure.ts";
import { grantTerms } from "../../http/grant-terms.ts";
import { freshLink, handedUrl } from "../../http/links.ts";
import { presentHold } from "../../http/present.ts";
import { presentOneNamed } from "../../http/vote-names.ts";
import { accepted } from "../errors.ts";
import { holdInOf, linksOf } from "../map.ts";
import { type CallDeps, type Caller, doorOf, refuseTarget } from "./caller.ts";

export interface Placed {
  readonly hold: HoldOut;
  /** False: it was placed before, under the same key. */
  readonly isNew: boolean;
}

export async function placeHold(
  { workspace, by }: Caller,
  place: PlaceIn,
  key: string | undefined,
  deps: CallDeps,
): Promise<Placed> {
  const { hold, token } = newHold(place, key, deps);
  const result = await deps.engine.run({ kind: "place_hold", workspace, by, hold });
  const entity = accepted(result, by);
  const url = handedUrl(deps.publicUrl, entity.body, token, deps.engine.platform);
  return { hold: presentHold(entity, by, url), isNew: result.ok && result.fresh };
}

export interface NewHold {
  readonly hold: HoldIn;
  /** The token of the review link for the asker; absent if the asker gets no link. */
  readonly token: string | undefined;
}

/** Makes the ids and secrets of a hold that is to be placed. */
export function newHold(place: PlaceIn, key: string | undefined, deps: CallDeps): NewHold {
  refuseTarget(place.callback_url, deps);
  const { ids } = deps;
  const now = deps.engine.clock.now();
  const id = `hold_${ids.next(now)}`;
  const fresh = linksOf(place) === "agent" ? freshLink(ids, now, { purpose: "review" }) : undefined;
  const made = { id, salt: ids.salt(), newLinks: fresh === undefined ? [] : [fresh.link] };
  return { hold: holdInOf(place, key, made), token: fresh?.token };
}

/** The hold as it is after the wait, or as soon as it has an outcome. `gone` ends the wait. */
export async function getHold(
  caller: Caller,
  id: string,
  { waitMs, gone }: { readonly waitMs: number; gone(): AbortSignal },
  deps: CallDeps,
): Promise<HoldOut> {
  const { workspace, by } = caller;
  const found =
    waitMs === 0
      ? await visibleHold(caller, id, deps)
      : await deps.holds.wait(workspace, id, waitMs, gone(), ({ body }) => sees(body, by, undefined));
  if (found === undefined) throw fail("not_found");
  return presentOneNamed(found, by, deps.engine.store);
}

/** Replies `not_found` for another agent's hold. */
export async function visibleHold(
  { workspace, by }: Caller,
  id: string,
  deps: CallDeps,
): Promise<Entity<Hold>> {
  const found = await deps.holds.get(workspace, id);
  if (found === undefined || !sees(found.body, by, undefined)) throw fail("not_found");
  return found;
}

export interface AnswerVia {
  readonly door: string | undefined;
  readonly ifVersion?: number;
}

export async function answerHold(
  caller: Caller,
  holdId: string,
  answer: AnswerIn,
  { door, ...expected }: AnswerVia,
  deps: CallDeps,
): Promise<HoldOut> {
  const { passkey } = answer;
  const given = commandOf(caller, holdId, answer, door, deps);
  const proof = passkey === undefined ? undefined : await deps.passkeys.proof(caller.workspace, passkey);
  if (proof !== undefined && "code" in proof) throw new HttpFailure(proof);
  const result = await deps.engine.run({
    ...{ ...given, ...expected, kind: "answer_hold" },
    ...(proof === undefined ? {} : { proof }),
  });
  return presentOneNamed(accepted(result, given.by), given.by, deps.engine.store);
}

/** What a command about this answer carries, whether it gives the answer or asks for the challenge to sign. */
function commandOf(
  caller: Caller,
  holdId: string,
  { action, data = {}, shown, claimed, grant }: AnswerIn,
  door: string | undefined,
  deps: CallDeps,
) {
  return {
    ...{ workspace: caller.workspace, by: withClaimed(caller.by, claimed), holdId, action, data },
    door: doorOf(caller, door),
    ...(shown === undefined ? {} : { shown }),
    ...(grant === undefined ? {} : { grant: grantTerms(grant, deps) }),
  };
}

export function challengeAnswer(caller: Caller, holdId: string, answer: AnswerIn, deps: CallDeps) {
  return deps.passkeys.toAnswer(commandOf(caller, holdId, answer, undefined, deps));
}

export async function withdrawVote(
  { workspace, by }: Caller,
  holdId: string,
  deps: CallDeps,
): Promise<HoldOut> {
  const result = await deps.engine.run({ kind: "withdraw_vote", workspace, by, holdId });
  return presentOneNamed(accepted(result, by), by, deps.engine.store);
}

export async function cancelHold(
  caller: Caller,
  holdId: string,
  { reason, claimed }: CancelIn,
  deps: CallDeps,
): Promise<HoldOut> {
  const by = withClaimed(caller.by, claimed);
  const command = { kind: "cancel_hold", workspace: caller.workspace, by, holdId } as const;
  const result = await deps.engine.run(reason === undefined ? command : { ...command, reason });
  return presentOneNamed(accepted(result, by), by, deps.engine.store);
}

export async function eraseHold({ workspace, by }: Caller, holdId: string, deps: CallDeps): Promise<HoldOut> {
  return presentHold(accepted(await deps.engine.run({ kind: "erase_hold", workspace, by, holdId }), by), by);
}

export function withClaimed(by: Principal, claimed: object | undefined): Principal {
  // A browser token says itself whose user it stands for.
  return claimed === undefined || by.reach !== undefined ? by : { ...by, claimed: claimed as JsonObject };
}
