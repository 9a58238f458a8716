/** Working through what waits: assign, comment, give more time, put off, count. */

import { createHash } from "node:crypto";
import type {
  AssignIn,
  CommentIn,
  CountOut,
  CountQuery,
  ExtendIn,
  HoldOut,
  LookersOut,
  SnoozeIn,
} from "@holdpoint/protocol";
import { parseDuration } from "@holdpoint/protocol/rules";
import type { Command } from "../../../domains.ts";
import type { Moment } from "../../../kernel/hold/commands.ts";
import { mayOperate, seesAll } from "../../../kernel/principal.ts";
import type { WaitingFilter, WaitingGrouping } from "../../../store/port.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { presentOneNamed } from "../../http/vote-names.ts";
import { accepted } from "../errors.ts";
import type { Lookers } from "../lookers.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { visibleHold } from "./holds.ts";

type OnHold = Extract<
  Command,
  { readonly kind: "assign_hold" | "comment_hold" | "extend_hold" | "snooze_hold" }
>;

async function run(command: OnHold, { by }: Caller, { engine }: CallDeps): Promise<HoldOut> {
  return presentOneNamed(accepted(await engine.run(command), by), by, engine.store);
}

export function assignHold(
  caller: Caller,
  holdId: string,
  { to }: AssignIn,
  deps: CallDeps,
): Promise<HoldOut> {
  const { workspace, by } = caller;
  return run({ kind: "assign_hold", workspace, by, holdId, ...(to === null ? {} : { to }) }, caller, deps);
}

/** `key`: a caller that names its comment can repeat the call after a lost reply. */
export function commentHold(
  caller: Caller,
  holdId: string,
  { text, ask_back: asksBack = false }: CommentIn,
  key: string | undefined,
  deps: CallDeps,
): Promise<HoldOut> {
  const { workspace, by } = caller;
  const name =
    key === undefined
      ? deps.ids.next(deps.engine.clock.now())
      : createHash("sha256").update(`${by.id}\n${key}`).digest("hex").slice(0, 26);
  const commentId = `comment_${name}`;
  return run({ kind: "comment_hold", workspace, by, holdId, commentId, text, asksBack }, caller, deps);
}

export function extendHold(
  caller: Caller,
  holdId: string,
  { by: duration, until }: ExtendIn,
  deps: CallDeps,
): Promise<HoldOut> {
  const { workspace, by } = caller;
  const to = momentOf(duration, until) as Moment;
  return run({ kind: "extend_hold", workspace, by, holdId, to }, caller, deps);
}

export function snoozeHold(
  caller: Caller,
  holdId: string,
  { for: duration, until: at }: SnoozeIn,
  deps: CallDeps,
): Promise<HoldOut> {
  const { workspace, by } = caller;
  const until = momentOf(duration, at);
  const command = { kind: "snooze_hold", workspace, by, holdId } as const;
  return run(until === undefined ? command : { ...command, until }, caller, deps);
}

/** The schema has checked both. */
function momentOf(duration: string | undefined, at: string | undefined): Moment | undefined {
  if (at !== undefined) return { at: Date.parse(at) };
  return duration === undefined ? undefined : { afterMs: parseDuration(duration) ?? 0 };
}

export async function lookAtHold(
  caller: Caller,
  holdId: string,
  lookers: Lookers,
  deps: CallDeps,
): Promise<LookersOut> {
  const { workspace, by } = caller;
  const hold = await visibleHold(caller, holdId, deps);
  if (!mayOperate(by)) throw fail("not_allowed");
  const others = lookers.look(workspace, hold.id, by.name);
  return { others: others.map(({ name, since }) => ({ name, since: time(since) })) };
}

const GROUPINGS = { agent: "creator", tool: "tool", assignee: "assignee" } as const satisfies Readonly<
  Record<NonNullable<CountQuery["by"]>, WaitingGrouping>
>;

export async function countHolds(
  { workspace, by }: Caller,
  query: CountQuery,
  { engine }: CallDeps,
): Promise<CountOut> {
  if (!seesAll(by)) throw fail("not_allowed");
  const filter = waitingFilter(workspace, query);
  const { count, isExact } = await engine.store.countWaiting(filter);
  const total = { count, is_exact: isExact };
  if (query.by === undefined) return total;
  const { groups } = await engine.store.groupWaiting(filter, GROUPINGS[query.by]);
  return { ...total, groups: groups.map(({ isExact, ...group }) => ({ ...group, is_exact: isExact })) };
}

export function waitingFilter(workspace: string, query: Omit<CountQuery, "by">): WaitingFilter {
  const { created_by: creator, tool, type, assignee, unseen, expires_by: endsBy } = query;
  return {
    workspace,
    ...(creator === undefined ? {} : { creator }),
    ...(tool === undefined ? {} : { tool }),
    ...(type === undefined ? {} : { type }),
    ...(assignee === undefined ? {} : { assignee: assignee === "none" ? null : assignee }),
    ...(unseen === undefined ? {} : { isUnseen: true }),
    ...(endsBy === undefined ? {} : { endsBy: Date.parse(endsBy) }),
  };
}
