/** G1, G5, G7: every hold has ended, once, and only a person's decision names a person. */

import type { Checker } from "./index.ts";

const ENDING = /^hold\.(decided|expired|cancelled)$/;

export const once: Checker = ({ holds, events }) => {
  const complaints: string[] = [];
  const endings = new Map<string, number>();
  for (const { type, stream } of events)
    if (ENDING.test(type)) endings.set(stream, (endings.get(stream) ?? 0) + 1);
  for (const [id, hold] of holds) {
    if (hold.status === "open") complaints.push(`${id} never ended`);
    if (endings.get(`hold:${id}`) !== 1)
      complaints.push(`${id} ended ${endings.get(`hold:${id}`) ?? 0} times`);
    const { outcome } = hold;
    if (outcome?.kind !== hold.status)
      complaints.push(`${id} is ${hold.status} by an outcome that says ${outcome?.kind}`);
    if (outcome?.kind !== "decided" && outcome !== undefined && ("by" in outcome || "action" in outcome)) {
      complaints.push(`${id} names a decider although nobody decided`);
    }
    if (outcome?.kind === "decided" && outcome.by.name === hold.createdBy)
      complaints.push(`${id} was answered by who asked`);
  }
  return complaints;
};
