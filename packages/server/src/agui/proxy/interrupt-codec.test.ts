import type { Interrupt, InterruptAnswer } from "@holdpoint/protocol/agui";
import { expect, test } from "vitest";
import { resumeFor } from "./interrupt-codec.ts";

const interrupt = (id: string): Interrupt => ({ id, reason: "human_approval" });
const answer = (interruptId: string, approved: boolean): InterruptAnswer => ({
  ...{ status: "resolved", interruptId, payload: { approved }, approved },
  ...{ by: { kind: "key", id: "ada" }, door: "rest" },
});

test("G14: of two answers under one id of LangGraph, a no counts, in whatever order they come", () => {
  const id = "0123456789abcdef0123456789abcdef";
  const resumed = (...approved: readonly boolean[]) =>
    resumeFor(
      "command",
      approved.map(() => interrupt(id)),
      approved.map((each, at) => answer(`hold_${at}`, each)),
      undefined,
    );
  const resume = (value: unknown) => ({ forwardedProps: { command: { resume: { [id]: value } } } });
  expect(resumed(false, true)).toEqual(resume(false));
  expect(resumed(true, false)).toEqual(resume(false));
  expect(resumed(true, true)).toEqual(resume({ approved: true }));
});
