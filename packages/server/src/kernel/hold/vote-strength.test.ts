import { expect, test } from "vitest";
import { APP, openHold } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { personRow, rule, signedIn, teamRow } from "../../testing/people.ts";
import type { Hold } from "./hold.ts";

const TEAM = ["ada", "grace", "lin"];
const answer = (action = "approve") =>
  ({ kind: "answer_hold", holdId: "h1", action, data: {}, door: "rest" }) as const;
const withdraw = { kind: "withdraw_vote", holdId: "h1" } as const;
const voting = (part: Parameters<typeof rule>[0], hold: Partial<Hold>) =>
  given(
    ...TEAM.map((id) => personRow(id, { teams: ["finance"] })),
    teamRow("finance", TEAM),
    openHold({ decision: rule(part), ...hold }),
  );
const by = (name: string) => ({ by: signedIn(name) });

/** The asking app says that its user is Ada: the strength of a link. */
const claimed = { by: { ...APP, claimed: { id: "ada" } } };
const byApp = { askedByApp: true, createdBy: APP.name } as const;

test("a caller that is too weak to vote for a person cannot take their vote back", () => {
  for (const strength of ["session", "passkey"] as const) {
    const { votes = [] } = voting({}, byApp).when(answer(), by("ada")).then("hold.voted").hold();
    const voted = voting({ strength }, { ...byApp, votes: votes.map((vote) => ({ ...vote, strength })) });
    voted.when(withdraw, claimed).refused("strength_too_low");
    voted.when(withdraw, by("ada")).then("hold.vote_withdrawn");
  }
  const byLink = voting({ strength: "link" }, byApp).when(answer(), claimed).then("hold.voted");
  byLink.when(withdraw, claimed).then("hold.vote_withdrawn");
});

test("where links may vote, a link neither changes nor takes back what its person voted in a session", () => {
  const voted = voting({ strength: "link", reject: 2 }, byApp)
    .when(answer("reject"), by("ada"))
    .then("hold.voted");
  voted.when(withdraw, claimed).refused("strength_too_low");
  voted.when(answer(), claimed).refused("strength_too_low");
  const again = voted.when(answer("reject"), claimed).then();
  expect(again.hold().votes).toMatchObject([{ person: "ada", action: "reject", strength: "session" }]);
  voted.when(answer(), by("ada")).then("hold.voted");
  const first = voting({ strength: "link", reject: 2 }, byApp).when(answer(), claimed).then("hold.voted");
  const stronger = first.when(answer(), by("ada")).then("hold.voted");
  expect(stronger.hold().votes).toMatchObject([{ person: "ada", strength: "session" }]);
});
