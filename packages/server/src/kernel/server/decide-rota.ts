/** Decides commands about rotas. One of the console counts instead of the configuration's rota of the same name. */

import type { Json } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import { whyElsewhere } from "./elsewhere.ts";
import { eventsOf, type OwnRota, ROTAS_MAX, type Rota } from "./rota.ts";

export interface PutRota {
  readonly kind: "put_rota";
  readonly workspace: string;
  readonly by: Principal;
  readonly name: string;
  readonly rota: OwnRota;
}

export interface RemoveRota {
  readonly kind: "remove_rota";
  readonly workspace: string;
  readonly by: Principal;
  readonly name: string;
}

export interface RotaFact {
  readonly type: "rota.added" | "rota.changed" | "rota.removed";
  readonly name: string;
  /** `null`: it was removed. */
  readonly rota: OwnRota | null;
  readonly before: Rota | null;
}

export function putRota({ workspace, by, name, rota }: PutRota, draft: Draft, context: Context): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const { rotas = {} } = context.platform;
  const before = draft.get("rota", name) ?? (Object.hasOwn(rotas, name) ? rotas[name] : undefined) ?? null;
  if (before === null && Object.keys(rotas).length >= ROTAS_MAX)
    return refuse(
      failure(
        "too_many_rotas",
        `the server has ${ROTAS_MAX} rotas already; remove one that nobody uses first`,
      ),
    );
  if (JSON.stringify(before) === JSON.stringify(rota)) return accept(name);
  const type = before === null ? "rota.added" : "rota.changed";
  const fact: RotaFact = { type, name, rota, before };
  draft.state({ kind: "rota", id: name, fact, at: context.now, actor: actorText(by) });
  return accept(name);
}

export function removeRota({ workspace, by, name }: RemoveRota, draft: Draft, { now }: Context): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const before = draft.get("rota", name);
  if (before === undefined)
    return refuse(failure("not_found", "no rota with this name was added or changed in the console"));
  const fact: RotaFact = { type: "rota.removed", name, rota: null, before };
  draft.state({ kind: "rota", id: name, fact, at: now, actor: actorText(by) });
  return accept(name);
}

/** A calendar belongs to somebody else and may say more than who is on call, so that only its size is logged. */
export function loggedRota(rota: Rota | null): Json {
  if (rota === null) return null;
  if (rota.kind === "ical") return { file: true };
  if (rota.kind === "calendar") return { calendar_events: eventsOf(rota.text).length };
  const { people, everyMs, from } = rota;
  return { people: [...people], every_ms: everyMs, from };
}
