/** Creates an intent. It belongs to its creator, whom no access list can exclude. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { must } from "../../../kernel/must.ts";
import { type Failure, failure } from "../failure.ts";
import { cycleNeeds, searchCycle, whyCycle } from "../graph/cycle.ts";
import { whyAncestor } from "../graph/dependencies.ts";
import { link, linkNeeds, whyCrowded } from "../graph/dependents.ts";
import { fitToDependencies } from "../graph/react.ts";
import { childCountsId, counted } from "../graph/status-counts.ts";
import type { Change, Draft, Need, World } from "../world.ts";
import type { CreateIntent } from "./commands.ts";
import { whyBadPolicy } from "./governance.ts";
import { type Intent, isEnded } from "./intent.ts";
import { append, begin } from "./intent-log.ts";
import { moveTo } from "./move.ts";
import { whyTooMuch } from "./patch.ts";
import { readRecord } from "./record.ts";
import { READ_WATCHERS } from "./watchers.ts";
import { actorOf, kindOf, may, whyNot } from "./who.ts";

const DEPTH_MAX = 64;

/** Dependencies and the parent are loaded with write access: a dependency that completed meanwhile would not unblock it. */
export function createNeeds(command: CreateIntent, world: World): readonly Need[] {
  const { id, parentId, dependsOn } = command.intent;
  const others = [...dependsOn, ...(parentId === undefined ? [] : [parentId])];
  return [
    { kind: "intent", id },
    ...READ_WATCHERS,
    ...others.map((other) => ({ kind: "intent", id: other }) as const),
    ...(parentId === undefined ? [] : [{ kind: "tally", id: childCountsId(parentId) } as const]),
    ...dependsOn.flatMap((other) => {
      const dependency = world.get("intent", other);
      return dependency === undefined ? [] : linkNeeds(dependency, world);
    }),
    ...(parentId === undefined ? [] : cycleNeeds(command, parentId, dependsOn, world)),
  ];
}

export function createIntent(command: CreateIntent, draft: Draft, { now }: Context): Reply {
  const { by, status } = command;
  if (status !== undefined && status !== "draft" && status !== "active") {
    const detail = { from: "draft", to: status };
    return refuse(
      failure("invalid_transition", "an intent can only be created with status draft or active", { detail }),
    );
  }
  const wrong =
    whyUnknown(command, draft, now) ??
    whyNoRoom(command, draft) ??
    whyNoChild(command, draft, now) ??
    whyTooLarge(command) ??
    whyBadPolicy(command.intent.governance ?? {});
  if (wrong !== null) return refuse(wrong);
  const split = splitState(command.intent.state);
  if ("code" in split) return refuse(split);
  const { access = "owner" } = command.intent;
  const intent: Intent = {
    ...command.intent,
    ...split,
    ...placeInGraph(command, draft),
    createdBy: actorOf(by),
    creatorKind: kindOf(by),
    access,
    createdAt: now,
    updatedAt: now,
    status: "draft",
    version: 1,
    history: [],
    leases: [],
    agents: [],
    failures: 0,
    watchers: [],
    logged: 0,
    checkpointed: 0,
  };
  const { title, createdBy: created_by } = intent;
  const intentLog = append(begin(intent, draft, now, by), {
    type: "intent_created",
    payload: { title, created_by, status: "draft", version: 1, access },
    also: linksOf(intent, draft),
  });
  const { parentId } = intent;
  if (parentId !== undefined)
    draft.state(counted(childCountsId(parentId), { type: "status_counts.moved", to: "draft" }, now));
  // The caller may create it as active without the gate check, but a suspended dependency still blocks it.
  if (status === "active") fitToDependencies(moveTo(intentLog, "active"));
  return accept(intent.id);
}

function placeInGraph({ intent }: CreateIntent, world: World): Partial<Intent> {
  const parent = intent.parentId === undefined ? undefined : world.get("intent", intent.parentId);
  const unmet = intent.dependsOn.filter((id) => world.get("intent", id)?.status !== "completed");
  const places = dependenciesOf(intent, world).flatMap(({ id, linked: { page } }) =>
    page === undefined ? [] : [[id, page] as const],
  );
  return {
    ...(parent === undefined ? {} : { path: pathUnder(parent) }),
    ...(unmet.length === 0 ? {} : { unmet }),
    ...(places.length === 0 ? {} : { places: Object.fromEntries(places) }),
  };
}

function pathUnder({ id, path = [] }: Intent): readonly string[] {
  return [id, ...path];
}

function linksOf(intent: Intent, world: World): readonly Change[] {
  return dependenciesOf(intent, world).flatMap(({ linked }) => linked.changes);
}

function dependenciesOf({ id, dependsOn }: Pick<Intent, "id" | "dependsOn">, world: World) {
  return dependsOn.map((other) => {
    const dependency = must(world.get("intent", other), "a dependency of the new intent");
    return { id: other, linked: link(dependency, id, world) };
  });
}

function whyNoRoom({ intent }: CreateIntent, world: World): Failure | null {
  for (const id of intent.dependsOn) {
    const crowded = whyCrowded(must(world.get("intent", id), "a dependency of the new intent"), world);
    if (crowded !== null) return crowded;
  }
  return null;
}

/**
 * A parent waits for its children, so who adds one changes when the parent is complete and needs the permission to write it. An
 * intent that has ended accepts no new children.
 */
function whyNoChild({ intent, by }: CreateIntent, world: World, now: number): Failure | null {
  const parent = intent.parentId === undefined ? undefined : world.get("intent", intent.parentId);
  if (parent === undefined) return null;
  const refused = whyNot(parent, by, "write", now);
  if (refused !== null) return refused;
  if (isEnded(parent)) {
    const detail = { from: parent.status, to: "active" };
    return failure("invalid_transition", `the parent intent is ${parent.status}`, { detail });
  }
  const path = pathUnder(parent);
  if (path.length >= DEPTH_MAX) return failure("too_many", `intents can be nested at most ${DEPTH_MAX} deep`);
  return whyAncestor(path, intent.dependsOn) ?? whyMixedCycle(parent.id, intent.dependsOn, world);
}

/** The parent will wait for the new child, and so for everything that the child depends on. */
function whyMixedCycle(parentId: string, dependsOn: readonly string[], world: World): Failure | null {
  const message = "a dependency already waits for the parent, directly or through others";
  return whyCycle(searchCycle(parentId, dependsOn, world), message);
}

/** Removes what the server itself shows in the state. A record written there waits until the status becomes suspended. */
function splitState(state: Intent["state"]): Pick<Intent, "state" | "pending"> | Failure {
  // Copying a wide state is slow, and most states have neither member.
  if (!Object.hasOwn(state, "_suspension") && !Object.hasOwn(state, "_suspension_history")) return { state };
  const { _suspension: written, _suspension_history: _shown, ...rest } = state;
  if (written === undefined || written === null) return { state: rest };
  const read = readRecord(written, "lenient");
  if ("problems" in read) return failure("invalid_record", "the suspension record is not valid", read);
  return { state: rest, pending: read.record };
}

function whyTooLarge({ intent }: CreateIntent): Failure | null {
  const wrong = whyTooMuch(intent.state);
  return wrong === null ? null : failure("invalid_patch", "the state is too large", wrong);
}

/** An intent that the caller may not read is treated as missing. */
function whyUnknown({ intent, by }: CreateIntent, world: World, now: number): Failure | null {
  const knows = (id: string) => {
    const other = world.get("intent", id);
    return other !== undefined && may(other, by, "read", now);
  };
  if (intent.parentId !== undefined && !knows(intent.parentId)) {
    return failure(
      "unknown_dependency",
      "There is no intent with the parent's id, or this key may not read it.",
    );
  }
  return intent.dependsOn.every(knows)
    ? null
    : failure(
        "unknown_dependency",
        "There is no intent with the id of a dependency, or this key may not read it.",
      );
}
