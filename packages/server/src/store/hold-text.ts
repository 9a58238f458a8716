/** Reads fields inside a hold's body: search and census need more than its declared indexes. */

import { toolIn } from "@holdpoint/protocol/rules";
import type { Body } from "../kernel/entity.ts";

/** The fields that are read. They are `unknown`, because a database may contain anything. */
interface Looked {
  readonly createdAt?: unknown;
  readonly key?: unknown;
  readonly ask?: { readonly prompt?: unknown; readonly context?: unknown; readonly type?: unknown } | null;
  readonly assignee?: unknown;
  readonly openedAt?: unknown;
  readonly outcome?: {
    readonly action?: unknown;
    readonly door?: unknown;
    readonly at?: unknown;
    readonly by?: { readonly id?: unknown; readonly name?: unknown };
  };
}

export function createdAtOf({ createdAt }: Body & Looked): number | null {
  return typeof createdAt === "number" ? createdAt : null;
}

/** What a search looks at. */
export interface HoldText {
  readonly id: string;
  readonly prompt: string | null;
  readonly key: string | null;
  /** As JSON text. */
  readonly context: string | null;
  readonly type: string | null;
  readonly assignee: string | null;
  readonly openedAt: number | null;
  /** How it ended, and by whom. */
  readonly action: string | null;
  readonly door: string | null;
  readonly by: string | null;
  readonly byId: string | null;
  readonly settledAt: number | null;
}

export function holdTextOf(id: string, { ask, key, assignee, openedAt, outcome }: Body & Looked): HoldText {
  return {
    id,
    prompt: textOrNull(ask?.prompt),
    key: textOrNull(key),
    context: ask?.context === undefined ? null : JSON.stringify(ask.context),
    type: textOrNull(ask?.type),
    assignee: textOrNull(assignee),
    openedAt: numberOrNull(openedAt),
    action: textOrNull(outcome?.action),
    door: textOrNull(outcome?.door),
    by: textOrNull(outcome?.by?.name),
    byId: textOrNull(outcome?.by?.id),
    settledAt: numberOrNull(outcome?.at),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** Conditions of a search besides its text. */
export interface HoldWhere {
  readonly tool?: string;
  readonly type?: string;
  /** `null`: assigned to nobody. */
  readonly assignee?: string | null;
  readonly isUnseen?: true;
  readonly action?: string;
  readonly door?: string;
  /** Name or id of the person who decided. */
  readonly by?: string;
  readonly settledFrom?: number;
  readonly settledBefore?: number;
}

export function whereMatcher(where: HoldWhere = {}): (hold: HoldText) => boolean {
  const same = (wanted: string | null | undefined, found: string | null) =>
    wanted === undefined || wanted === found;
  const { settledFrom, settledBefore } = where;
  return (hold) =>
    (where.tool === undefined || toolOf(hold.context) === where.tool) &&
    same(where.type, hold.type) &&
    same(where.assignee, hold.assignee) &&
    (where.isUnseen !== true || hold.openedAt === null) &&
    same(where.action, hold.action) &&
    same(where.door, hold.door) &&
    isBy(where.by, hold) &&
    (settledFrom === undefined || (hold.settledAt !== null && hold.settledAt >= settledFrom)) &&
    (settledBefore === undefined || (hold.settledAt !== null && hold.settledAt < settledBefore));
}

/** A link may be addressed to `person:ada`, and its answer is recorded under that. */
function isBy(wanted: string | undefined, { by, byId }: HoldText): boolean {
  return wanted === undefined || [wanted, `person:${wanted}`].includes(by ?? "") || wanted === byId;
}

function toolOf(context: string | null): string | undefined {
  return context === null ? undefined : toolIn(JSON.parse(context));
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/**
 * Databases fold the case of ASCII letters only, so all implementations compare here. Upper case is used because a
 * final ς and a σ have the same one.
 */
export function textMatcher(text: string): (hold: HoldText) => boolean {
  const wanted = text.toUpperCase();
  // JSON writes such text as it is, so a context whose JSON does not contain it need not be parsed.
  const isPlain = /^[\w .,:;?!@#%&()+=-]*$/.test(text);
  const has = (value: string | null) => value?.toUpperCase().includes(wanted) === true;
  const isWithin = (context: unknown): boolean =>
    typeof context === "object" && context !== null
      ? Object.entries(context).some(([name, value]) => has(name) || isWithin(value))
      : has(String(context));
  return (hold) =>
    has(hold.prompt) ||
    has(hold.key) ||
    has(hold.id) ||
    (hold.context !== null && (!isPlain || has(hold.context)) && isWithin(JSON.parse(hold.context)));
}
