import type { GateRule } from "@holdpoint/protocol/gating";
import { expect, test } from "vitest";
import { personRow, teamRow } from "../../testing/people.ts";
import { type Load, unmetRules } from "./unmet-rules.ts";

const PEOPLE = Array.from({ length: 50 }, (_, at) => `p${at}`);

/** Counts what is asked for. */
function counting() {
  const rows = [...PEOPLE.map((id) => personRow(id, { teams: ["all"] })), teamRow("all", PEOPLE)];
  const asked: string[] = [];
  const load: Load = async (wants) => {
    asked.push(...wants.map(({ kind, id }) => `${kind} ${id}`));
    return rows.filter((row) => wants.some(({ kind, id }) => row.kind === kind && row.id === id));
  };
  return { asked, load };
}

const asks = (need: number): GateRule => ({
  ...{ tools: ["pay"], verdict: "ask" },
  decision: { approve: [{ need, from: ["team:all"] }] },
});

const unmet = (rules: readonly GateRule[], load: Load) =>
  unmetRules({ rules, default: "ask", mode: "enforce" }, load);

test("G13 rules that share a decision are read once, and nobody is loaded twice", async () => {
  const { asked, load } = counting();
  const warnings = await unmet([...Array.from({ length: 1_998 }, () => asks(51)), asks(2), asks(51)], load);
  expect(warnings).toHaveLength(1_999);
  expect(warnings.at(-1)).toMatchObject({ rule: 1_999, message: expect.stringContaining("needs 51 people") });
  expect(asked.toSorted()).toEqual(["team all", ...PEOPLE.map((id) => `person ${id}`)].toSorted());
});

test("G13 other requests are served between two decisions", async () => {
  const { load } = counting();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await unmet(
    Array.from({ length: 20 }, (_, at) => asks(at + 1)),
    load,
  );
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(19);
});
