/** Who may answer a hold, by name: the people of its decision rule, those whom the asker named, or anybody. */

import type { Hold } from "@holdpoint/protocol/client";

const WORDS = {
  anybody: "any operator, and anybody with a link",
  of: (need: number, names: string) => `${need} of ${names}`,
};

export function whoMayAnswer(
  { decision, answerers, missing = [] }: Pick<Hold, "decision" | "answerers" | "missing">,
  nameOf: (id: string) => string,
): string {
  if (decision === undefined) return answerers?.map(nameOf).join(", ") ?? WORDS.anybody;
  // The server tells the names of teams with the stages that still need votes.
  const told = new Map(
    missing.flatMap(({ from, names = [] }) => from.map((source, at) => [source, names[at]] as const)),
  );
  const shown = (source: string) => told.get(source) ?? nameOf(source.replace(/^(?:team|person):/, ""));
  const stages = decision.approve.map(({ need, from }) => WORDS.of(need, from.map(shown).join(", ")));
  return stages.join(decision.order === "listed" ? ", then " : ", and ");
}
