/** The names of those who voted and of those whose votes are missing. Agents get ids only. */

import type { HoldOut } from "@holdpoint/protocol";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { type Principal, seesAll } from "../../kernel/principal.ts";
import type { Store } from "../../store/port.ts";
import { presentHold } from "./present.ts";
import { presentHolds } from "./present-many.ts";

/** Presents holds for one caller, with names where a person reads them. One read serves them all. */
export async function presentNamed(
  holds: readonly Entity<Hold>[],
  viewer: Principal,
  store: Store,
  isForPeople = isPerson(viewer),
): Promise<readonly HoldOut[]> {
  const shown = await presentHolds(holds, viewer);
  const [first] = holds;
  if (!isForPeople || first === undefined) return shown;
  const wanted = new Set(shown.flatMap(sourcesIn));
  if (wanted.size === 0) return shown;
  const names = await namesIn(first.workspace, [...wanted], store);
  return shown.map((hold) => withNames(hold, (source) => names.get(source) ?? idIn(source)));
}

/** A browser token is for the page of one person. */
function isPerson(viewer: Principal): boolean {
  return seesAll(viewer) || viewer.reach !== undefined;
}

/** As rules name them: `person:ada`, `team:finance`. */
function sourcesIn({ votes = [], missing = [] }: HoldOut): readonly string[] {
  const voters = votes.flatMap(({ person, for: absent }) => [
    person,
    ...(absent === undefined ? [] : [absent]),
  ]);
  return [...voters.map((id) => `person:${id}`), ...missing.flatMap(({ from }) => from)];
}

function idIn(source: string): string {
  return source.slice(source.indexOf(":") + 1);
}

async function namesIn(workspace: string, sources: readonly string[], store: Store) {
  const refs = sources.map((source) => ({
    ...{ workspace, kind: source.startsWith("team:") ? "team" : "person", id: idIn(source), read: true },
  })) as Parameters<Store["load"]>[0];
  const rows = await store.load(refs);
  return new Map(
    rows.map(({ kind, id, body }) => [`${kind}:${id}`, (body as { readonly name: string }).name]),
  );
}

function withNames(hold: HoldOut, nameOf: (source: string) => string): HoldOut {
  const { votes, missing } = hold;
  return {
    ...hold,
    ...(votes === undefined
      ? {}
      : {
          votes: votes.map((vote) => ({
            ...vote,
            names: [vote.person, ...(vote.for === undefined ? [] : [vote.for])].map((id) =>
              nameOf(`person:${id}`),
            ),
          })),
        }),
    ...(missing === undefined
      ? {}
      : { missing: missing.map((stage) => ({ ...stage, names: stage.from.map(nameOf) })) }),
  };
}

/** The same for one hold. */
export async function presentOneNamed(
  hold: Entity<Hold>,
  viewer: Principal,
  store: Store,
  isForPeople = isPerson(viewer),
): Promise<HoldOut> {
  // Without a rule there are no votes, and so no names.
  if (hold.body.decision === undefined) return presentHold(hold, viewer);
  const [shown] = await presentNamed([hold], viewer, store, isForPeople);
  return shown ?? presentHold(hold, viewer);
}
