import { expect, test, vi } from "vitest";
import { accepted, reviewWith } from "../testing/reviews.ts";
import { followChain } from "./chain.ts";
import type { Decision } from "./poll.ts";
import type { Review } from "./review.ts";

const answer = (review: Review, action: string, nextCaseId?: string): Decision => ({
  kind: "completed",
  caseId: review.caseId,
  action,
  data: action === "edit" ? { feedback: "Shorter" } : {},
  ...(nextCaseId === undefined ? {} : { nextCaseId }),
});

const first = reviewWith({ type: "approval", case_id: "review_1" });
const round = (n: number, previous = n - 1) =>
  accepted({ type: "approval", case_id: `review_${n}`, previous_case_id: `review_${previous}` });

test("HP-174 a chain goes on to the next round as long as a person requests changes, until one approves", async () => {
  const answers = ["edit", "edit", "approve"];
  const revise = vi.fn(async ({ round: n }: { readonly round: number }) => round(n + 1));
  const outcome = await followChain(first, {
    wait: async (review) => answer(review, answers.shift() ?? "?"),
    revise,
  });
  expect(outcome).toMatchObject({ kind: "settled", decision: { action: "approve", caseId: "review_3" } });
  expect(outcome.rounds.map(({ review }) => review.caseId)).toEqual(["review_1", "review_2", "review_3"]);
  expect(revise.mock.calls[0]?.[0]).toMatchObject({ round: 1, decision: { data: { feedback: "Shorter" } } });
});

test("HP-174 an agent that fetches the follow-up case gets the case that the service opened itself", async () => {
  const answers = [answer(first, "edit", "review_2"), answer(first, "reject")];
  const named: (string | undefined)[] = [];
  const outcome = await followChain(first, {
    wait: async () => answers.shift()!,
    revise: async ({ decision }) => {
      named.push(decision.nextCaseId);
      return reviewWith({ type: "approval", case_id: decision.nextCaseId! });
    },
  });
  expect(named).toEqual(["review_2"]);
  expect(outcome).toMatchObject({ kind: "settled", decision: { action: "reject" } });
});

test("HP-174 an endless chain is stopped at the maximum number of rounds", async () => {
  let asked = 0;
  const wait = async (review: Review) => {
    asked += 1;
    return answer(review, "edit");
  };
  const revise = async ({ round: n }: { readonly round: number }) => round(n + 1);
  expect(await followChain(first, { wait, revise })).toMatchObject({
    kind: "unsettled",
    reason: "round_cap",
  });
  expect(asked).toBe(5);
  expect((await followChain(first, { wait, revise, roundsMax: 2 })).rounds).toHaveLength(2);
});

test.each(["approve", "reject"])("HP-174 %s ends the chain even if another case follows", async (action) => {
  const revise = vi.fn();
  const outcome = await followChain(first, {
    wait: async (review) => answer(review, action, "review_9"),
    revise,
  });
  expect(outcome.kind).toBe("settled");
  expect(revise).not.toHaveBeenCalled();
});

test("HP-172 other types may have a next case too", async () => {
  const escalation = reviewWith({ type: "escalation", case_id: "review_e" });
  const outcome = await followChain(escalation, {
    wait: async (review) =>
      review.caseId === "review_e" ? answer(review, "retry", "review_f") : answer(review, "skip"),
    revise: async () => reviewWith({ type: "escalation", case_id: "review_f" }),
  });
  expect(outcome.rounds).toHaveLength(2);
  expect(outcome.kind).toBe("settled");
});

test("HP-174 a round that continues another chain, repeats a case or does not open is not taken for the next", async () => {
  const wait = async (review: Review) => answer(review, "edit");
  for (const revise of [
    undefined,
    async () => undefined,
    async () => Response.json({ done: true }),
    async () => round(2, 7),
    async () => first,
  ]) {
    const outcome = await followChain(first, { wait, ...(revise === undefined ? {} : { revise }) });
    expect(outcome).toMatchObject({ kind: "unsettled", reason: "no_next_round" });
    expect(outcome.rounds).toHaveLength(1);
  }
});

test("an expired or cancelled round ends the chain as it is", async () => {
  const expired: Decision = { kind: "expired", caseId: "review_1", action: "skip", expired: true };
  expect(await followChain(first, { wait: async () => expired })).toMatchObject({
    kind: "settled",
    decision: expired,
  });
});
