/** The members of a portfolio as phases of a workflow, in the order in which they can run. */

export interface MemberOut {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly depends_on: readonly string[];
  readonly state: Readonly<Record<string, unknown>>;
}

export interface Phase {
  readonly intentId: string;
  readonly name: string;
  readonly status: string;
  /** The names of the phases that it comes after. */
  readonly after: readonly string[];
}

/** A list is at most this long; what waits for a person comes first into it. */
export const SHOWN_MAX = 30;

/** What of a long list is shown, in its own order: those of the lowest rank first. */
export function shownOf<Item>(
  all: readonly Item[],
  rank: (item: Item) => number,
  max = SHOWN_MAX,
): readonly Item[] {
  if (all.length <= max) return all;
  const places = all.map((item, at) => ({ at, rank: rank(item) }));
  const chosen = places.toSorted((a, b) => a.rank - b.rank || a.at - b.at).slice(0, max);
  return chosen.toSorted((a, b) => a.at - b.at).flatMap(({ at }) => all[at] ?? []);
}

/** The hold that a suspended member waits for, as its own state names it. */
export function holdIdOf({ state }: MemberOut): string | undefined {
  const { id } = (state["_suspension"] ?? {}) as { readonly id?: unknown };
  return typeof id === "string" ? id : undefined;
}

interface SuspendedPhase {
  readonly intent_id: string;
  readonly phase_name: string;
}

/** The phases of a portfolio with more members than were read have those that wait for a person, too. */
export function withSuspended(
  phases: readonly Phase[],
  suspended: readonly SuspendedPhase[],
): readonly Phase[] {
  const known = new Set(phases.map(({ intentId }) => intentId));
  const others = suspended.filter(({ intent_id: id }) => !known.has(id));
  return [
    ...phases,
    ...others.map(({ intent_id: intentId, phase_name: name }) => ({
      ...{ intentId, name, status: "suspended_awaiting_input", after: [] },
    })),
  ];
}

/** `undefined`: no member says that it is a phase, so these intents are no workflow. */
export function phasesOf(members: readonly MemberOut[]): readonly Phase[] | undefined {
  if (!members.some(({ state }) => phaseName(state) !== undefined)) return undefined;
  const nameOf = new Map(members.map(({ id, title, state }) => [id, phaseName(state) ?? title]));
  return inOrder(members).map(({ id, status, depends_on }) => ({
    intentId: id,
    name: nameOf.get(id) ?? id,
    status,
    after: depends_on.flatMap((other) => nameOf.get(other) ?? []),
  }));
}

function phaseName(state: MemberOut["state"]): string | undefined {
  const name = state["_phase_name"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Each after those it depends on. Members that wait for each other stand at the end, as they came. */
function inOrder(members: readonly MemberOut[]): readonly MemberOut[] {
  const here = new Set(members.map(({ id }) => id));
  const ordered: MemberOut[] = [];
  const done = new Set<string>();
  let left = members;
  while (left.length > 0) {
    const isNext = ({ depends_on }: MemberOut) => depends_on.every((id) => done.has(id) || !here.has(id));
    const next = left.filter(isNext);
    if (next.length === 0) return [...ordered, ...left];
    ordered.push(...next);
    for (const { id } of next) done.add(id);
    left = left.filter(({ id }) => !done.has(id));
  }
  return ordered;
}

/** The tasks of a plan as it orders them; the list of tasks has another order. */
export function tasksInOrder<Task extends { readonly id: string }>(
  ids: readonly string[],
  tasks: readonly Task[],
): readonly Task[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  return ids.flatMap((id) => known.get(id) ?? []);
}
