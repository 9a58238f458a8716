import { expect, test } from "vitest";
import { worldOf } from "../../../testing/core-step.ts";
import { given } from "../../../testing/given.ts";
import { intentBody, intentRow } from "../../../testing/intent-samples.ts";
import { mirrorNeeds } from "./mirror.ts";

test("mirroring a task that another intent planned loads that intent and its portfolios", () => {
  const elsewhere = intentRow({ id: "planned", portfolios: ["p1"] });
  const task = { kind: "task", id: "t1", body: { id: "t1", intentId: "planned" } } as never;
  const known = given(elsewhere, task);
  const world = worldOf(known.rows);
  expect(mirrorNeeds(intentBody({ id: "doing", tasks: ["t1"] }), world)).toEqual([
    { kind: "task", id: "t1" },
    { kind: "intent", id: "planned" },
    { kind: "portfolio", id: "p1", read: true },
  ]);
});
