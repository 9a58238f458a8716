/** A face as a translator: what comes back of an ask and of an answer, and what is known to be lost on the way. */

import { type Answer, type Ask, actionsOf } from "@holdpoint/protocol/rules";

/** Something that a protocol has no words for. */
export interface Loss<Thing> {
  readonly what: string;
  /** What comes back in its place. */
  readonly instead: string;
  /** The same without it; itself where it is not there. */
  without(thing: Thing, ask: Ask): Thing;
}

export interface FaceTranslation {
  readonly title: string;
  /** What exactly is said and read again. */
  readonly by: string;
  /** Absent: asks go one way only. */
  readonly ask?: (ask: Ask) => Ask;
  readonly askLosses: readonly Loss<Ask>[];
  /** Null: there is no word for it. */
  answer(answer: Answer, ask: Ask): Answer | null;
  readonly answerLosses: readonly Loss<Answer | null>[];
  /** How it says that a hold needs several votes, and how far they have come. */
  readonly votes: string;
  /** Which asks it has; absent: every one. */
  readonly types?: readonly Ask["type"][];
}

/** What a person is shown: defaults written out, emptiness left out. Two asks that look the same here are the same. */
export function shown(ask: Ask): Ask {
  const { context, select, uses, ...rest } = ask;
  const actions = actionsOf(ask).map((action) => ({ ...action, label: action.label ?? action.id }));
  const count = ask.options?.length ?? 0;
  return {
    ...rest,
    actions,
    ...(context === undefined || Object.keys(context).length === 0 ? {} : { context }),
    ...(ask.type === "selection" ? { select: { min: select?.min ?? 1, max: select?.max ?? count } } : {}),
    ...(uses === undefined || uses === 1 ? {} : { uses }),
  };
}

/** The same without some of its members. */
export function drop<Thing extends object>(thing: Thing, ...names: readonly (keyof Thing)[]): Thing {
  if (!names.some((name) => thing[name] !== undefined)) return thing;
  return Object.fromEntries(
    Object.entries(thing).filter(([name]) => !names.includes(name as keyof Thing)),
  ) as Thing;
}

export function dropping(what: string, instead: string, ...names: readonly (keyof Ask)[]): Loss<Ask> {
  return { what, instead, without: (ask) => drop(ask, ...names) };
}

/** Over the wire: members without a value are not there. */
export function sent<Thing>(thing: Thing): Thing {
  return JSON.parse(JSON.stringify(thing)) as Thing;
}
