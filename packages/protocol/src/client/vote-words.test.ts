import { expect, test } from "vitest";
import { voteWords } from "./vote-words.ts";

const decision = {
  approve: [
    { need: 2, from: ["team:finance"] },
    { need: 1, from: ["person:ada", "team:board"] },
  ],
  reject: 1,
  exclude: [],
  strength: "session",
  order: "any",
} as const;
const vote = { person: "grace", action: "approve", at: "", door: "rest", strength: "session" } as const;
const missing = [
  { need: 2, given: 1, from: ["team:finance"] },
  { need: 1, given: 0, from: ["person:ada", "team:board"] },
];

test("a hold without a decision has no words about votes", () => {
  expect(voteWords({ status: "open" })).toBeUndefined();
});

test("an open hold says how many agreed, who voted and who is missing", () => {
  expect(voteWords({ status: "open", decision, votes: [{ ...vote, for: "lin" }], missing })).toEqual({
    summary: "1 of 3 have agreed.",
    votes: ["grace for lin: approve"],
    missing: ["Still needed: 1 of finance", "Still needed: 1 of ada, board"],
  });
});

test("people are shown by their names where the server tells them", () => {
  const votes = [{ ...vote, for: "lin", names: ["Grace Kim", "Lin Wu"] }];
  const named = missing.map((stage, at) => ({
    ...stage,
    names: [["Finance"], ["Ada Obi", "The board"]][at] ?? [],
  }));
  expect(voteWords({ status: "open", decision, votes, missing: named })).toMatchObject({
    votes: ["Grace Kim for Lin Wu: approve"],
    missing: ["Still needed: 1 of Finance", "Still needed: 1 of Ada Obi, The board"],
  });
});

test("approvals of different answers are said not to add up", () => {
  const votes = [vote, { ...vote, person: "lin" }, { ...vote, person: "mo", action: "reject" }];
  expect(voteWords({ status: "open", decision, votes, missing })?.summary).toBe(
    "1 of 3 have agreed. Votes for different answers do not add up.",
  );
});

test("a rule that nobody can meet any more is said, and nothing is missing once the hold has ended", () => {
  const unfulfillable = "stage 1 needs 2 people";
  expect(voteWords({ status: "open", decision, unfulfillable })?.missing).toEqual([
    "Nobody can meet this rule any more: stage 1 needs 2 people.",
  ]);
  expect(voteWords({ status: "expired", decision, votes: [vote] })).toEqual({
    summary: "1 voted.",
    votes: ["grace: approve"],
    missing: [],
  });
});
