/**
 * Given–when–then for the core: `given(facts or holds).when(command, { now, by }).then("hold.decided")`, or
 * `.refused("already_settled")`. What comes back can be asked for more, and can be the beginning of the next `when`.
 */

import assert from "node:assert/strict";
import type { Bodies, Command, Kind } from "../domains.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { Principal } from "../kernel/principal.ts";
import type { AnyChange } from "../kernel/table.ts";
import type { Change } from "../kernel/world.ts";
import { NOW, OPERATOR, WORKSPACE } from "./core-samples.ts";
import {
  applyFacts,
  bodyOf,
  type Decision,
  type Row,
  type Rows,
  rowName,
  runStep,
  type Step,
  type StepOptions,
} from "./core-step.ts";
import type { Recorded } from "./tables.ts";

type Bare<C> = C extends Command ? Omit<C, "workspace" | "by"> : never;
/** A command without its frame, which `when` puts around it. */
export type BareCommand = Bare<Command>;

export interface Circumstances extends StepOptions {
  readonly now?: number;
  readonly by?: Principal;
}

export interface Given {
  readonly rows: Rows;
  get<K extends Kind>(kind: K, id: string): Bodies[K] | undefined;
  /** The hold, which must be there. */
  hold(id?: string): Hold;
  when(command: BareCommand, circumstances?: Circumstances): Decided;
}

export interface Decided {
  readonly step: Step;
  /** Accepted, with facts of exactly these types in this order. */
  then(...types: readonly string[]): After;
  /** Refused with this code; the facts, if any, are the clock's. */
  refused(code: string, ...types: readonly string[]): After;
}

export interface After extends Given {
  readonly facts: readonly Recorded[];
  readonly reply: Decision["reply"];
}

export function given(...start: readonly (Recorded | Change<Bodies> | Hold)[]): Given {
  let rows: Rows = new Map<string, Row>();
  for (const one of start) {
    if ("fact" in one) rows = applyFacts(rows, [one]);
    else rows = new Map(rows).set(...rowFrom("body" in one ? one : { kind: "hold", id: one.id, body: one }));
  }
  return givenRows(rows);
}

function rowFrom({ kind, id, body }: AnyChange): [string, Row] {
  assert(body !== null, "a start has bodies");
  return [rowName(kind, id), { body, version: 1 }];
}

function givenRows(rows: Rows): Given {
  return {
    rows,
    get: (kind, id) => bodyOf(rows, kind, id),
    hold(id) {
      const found = id === undefined ? onlyHold(rows) : bodyOf(rows, "hold", id);
      assert(found !== undefined, `there is no hold ${id ?? ""}`);
      return found;
    },
    when(command, { now = NOW, by = OPERATOR, ...options } = {}) {
      const whole = { ...command, workspace: WORKSPACE, by } as Command;
      return decided(runStep(rows, whole, now, options));
    },
  };
}

function onlyHold(rows: Rows): Hold | undefined {
  const holds = [...rows].filter(([name]) => name.startsWith("hold "));
  assert(holds.length <= 1, "several holds: say which");
  return holds[0]?.[1].body as Hold | undefined;
}

function decided(step: Step): Decided {
  const { decision, after } = step;
  const types = decision.facts.map(({ fact }) => fact.type);
  const next: After = { ...givenRows(after), facts: decision.facts, reply: decision.reply };
  return {
    step,
    // biome-ignore lint/suspicious/noThenProperty: given, when, then; nobody awaits a decision.
    then(...expected) {
      assert(decision.reply.ok, `refused: ${JSON.stringify(decision.reply)}`);
      assert.deepEqual(types, expected);
      return next;
    },
    refused(code, ...expected) {
      assert(!decision.reply.ok, `accepted, although ${code} was expected`);
      assert.equal(decision.reply.failure.code, code, decision.reply.failure.message);
      assert.deepEqual(types, expected);
      return next;
    },
  };
}
