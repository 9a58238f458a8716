import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, APP, DEV, link, NOW, openHold, reviewer } from "../../testing/core-samples.ts";
import { type BareCommand, type Given, given } from "../../testing/given.ts";
import { personRow, rule, signedIn, teamRow } from "../../testing/people.ts";
import { logData } from "../../testing/tables.ts";
import { emailAccountId, type Person } from "../people/person.ts";
import { type Principal, SYSTEM } from "../principal.ts";
import type { Hold } from "./hold.ts";

const TEAM = ["ada", "grace", "lin"] as const;
const people = [...TEAM, "eve"].map((id) => personRow(id, { teams: id === "eve" ? [] : ["finance"] }));
const finance = teamRow("finance", TEAM);

const answer = (action = "approve", data = {}) =>
  ({ kind: "answer_hold", holdId: "h1", action, data, door: "rest" }) as const;
const withdraw = { kind: "withdraw_vote", holdId: "h1" } as const;

const voting = (part: Parameters<typeof rule>[0] = {}, hold: Partial<Hold> = {}) =>
  given(...people, finance, openHold({ decision: rule(part), ...hold }));

const by = (name: string) => ({ by: signedIn(name) });

describe("votes that meet the rule", () => {
  test("the first of two leaves the hold open, and the second decides it with their own name (G1)", () => {
    const first = voting().when(answer(), by("ada")).then("hold.voted");
    expect(first.hold()).toMatchObject({ status: "open", votes: [{ person: "ada", strength: "session" }] });
    expect(first.get("voter", "ada")).toEqual({ holds: ["h1"] });
    const second = first
      .when(answer("approve", { note: "fine" }), by("grace"))
      .then("hold.voted", "hold.decided");
    expect(second.hold()).toMatchObject({
      status: "decided",
      outcome: { action: "approve", data: { note: "fine" }, by: { kind: "session", name: "grace" } },
      votes: [{ person: "ada" }, { person: "grace" }],
    });
    expect(second.get("voter", "ada")).toBeUndefined();
    expect(second.get("ruled_hold", "h1")).toBeUndefined();
    second.when(answer(), by("lin")).refused("already_settled");
  });

  test("the same person counts once, whatever door or credential they come by", () => {
    const key: Principal = { role: "admin", via: "key", id: "key_ada", name: "ada" };
    const voted = voting().when(answer(), by("ada")).then("hold.voted");
    voted.when(answer(), by("ada")).then();
    voted.when({ ...answer(), door: "cli" }, { by: key }).then();
    expect(
      voted
        .when(answer("approve", { edited_args: { a: 1 } }), { by: key })
        .then("hold.voted")
        .hold().votes,
    ).toMatchObject([{ person: "ada", data: { edited_args: { a: 1 } } }]);
  });

  test("approvals with different edits do not add up, remarks do not matter, and equal edits do", () => {
    const edited = { edited_args: { amount: 30 } };
    const split = voting()
      .when(answer(), by("ada"))
      .then("hold.voted")
      .when(answer("approve", edited), by("grace"))
      .then("hold.voted");
    expect(split.hold().status).toBe("open");
    const settled = split
      .when(answer("approve", { ...edited, comment: "as Grace says" }), by("lin"))
      .then("hold.voted", "hold.decided");
    expect(settled.hold().outcome).toMatchObject({ data: edited });
  });

  test("a vote can be changed and withdrawn until the hold is settled", () => {
    const changed = voting({ reject: 2 })
      .when(answer(), by("ada"))
      .then("hold.voted")
      .when(answer("reject"), by("ada"))
      .then("hold.voted");
    expect(changed.hold().votes).toMatchObject([{ person: "ada", action: "reject" }]);
    const gone = changed.when(withdraw, by("ada")).then("hold.vote_withdrawn");
    expect(gone.hold().votes).toBeUndefined();
    expect(gone.get("voter", "ada")).toBeUndefined();
    gone.when(withdraw, by("ada")).refused("no_vote");
    gone.when(withdraw, { by: DEV }).refused("no_vote");
    given(openHold()).when(withdraw, by("ada")).refused("no_vote");
    given(openHold({ status: "cancelled" }))
      .when(withdraw, by("ada"))
      .refused("already_settled");
  });

  test("withdrawing one of two votes keeps the other", () => {
    const two = voting({ approve: [{ need: 3, from: ["team:finance"] }] })
      .when(answer(), by("ada"))
      .then("hold.voted")
      .when(answer(), by("grace"))
      .then("hold.voted");
    expect(two.when(withdraw, by("ada")).then("hold.vote_withdrawn").hold().votes).toMatchObject([
      { person: "grace" },
    ]);
  });

  test("rejections settle at their threshold, and anybody with a seat may give them", () => {
    const shown = { ...answer("reject"), shown: "sha256:h1" };
    const rejected = voting().when(shown, by("ada")).then("hold.voted", "hold.decided");
    expect(rejected.hold().outcome).toMatchObject({ shown: "sha256:h1" });
    expect(logData({ type: "hold.decision_checked" })).toEqual({});
    const listed = {
      approve: [
        { need: 1, from: ["person:ada"] },
        { need: 1, from: ["person:lin"] },
      ],
    };
    const edit = voting({ ...listed, order: "listed" }).when(answer("edit"), by("lin"));
    expect(edit.then("hold.voted", "hold.decided").hold().outcome).toMatchObject({ action: "edit" });
  });

  test("expiry ends a hold with votes, keeps them as evidence and names nobody as decider (G5)", () => {
    const voted = voting({}, { expiresAt: NOW + 10 })
      .when(answer(), by("ada"))
      .then("hold.voted");
    const late = voted
      .when(answer(), { ...by("grace"), now: NOW + 10 })
      .refused("hold_expired", "hold.expired");
    expect(late.hold()).toMatchObject({ status: "expired", votes: [{ person: "ada" }] });
    expect(late.hold().outcome).not.toHaveProperty("by");
    expect(late.get("voter", "ada")).toBeUndefined();
  });
});

describe("who may vote", () => {
  const refusal = (start: Given, command: BareCommand, caller: Principal) =>
    start.when(command, { by: caller }).step.decision.reply;

  test.each<[string, Partial<Person>]>([
    ["you are suspended", { status: "suspended" }],
    ["an admin has to confirm you first", { isVerified: false }],
    ["an auditor does not vote", { role: "auditor" }],
  ])("a member is refused because %s", (reason, part) => {
    const start = given(...people, personRow("ada", part), finance, openHold({ decision: rule() }));
    expect(refusal(start, answer(), signedIn("ada"))).toMatchObject({
      failure: { code: "not_entitled", detail: { reason } },
    });
  });

  test("a person whom the rule does not name, excludes or does not know is refused", () => {
    voting().when(answer(), by("eve")).refused("not_entitled");
    given(...people, openHold({ decision: rule() }))
      .when(answer(), by("ada"))
      .refused("not_entitled");
    voting().when(answer(), by("nobody")).refused("not_entitled");
    voting({ excluded: ["ada"] })
      .when(answer(), by("ada"))
      .refused("not_entitled");
    voting({}, { createdBy: "ada" }).when(answer(), by("ada")).refused("not_allowed");
    voting().when(answer(), { by: DEV }).refused("not_entitled");
    voting().when(answer(), { by: AGENT }).refused("not_allowed");
  });

  test("a link counts for its recipient only where the rule says so, and never in the asker's hands (G7)", () => {
    const byLink = { ...answer(), linkHash: "hash-1" } as const;
    const via = reviewer(link().body);
    const start = (strength: "link" | "session", part: Parameters<typeof link>[0]) =>
      given(...people, finance, link(part), openHold({ decision: rule({ strength }) }), {
        kind: "account",
        id: emailAccountId("ada@example.com"),
        body: { personId: "ada" },
      });
    start("session", { recipient: "ada" }).when(byLink, { by: via }).refused("strength_too_low");
    start("session", {}).when(byLink, { by: via }).refused("strength_too_low");
    start("link", {}).when(byLink, { by: via }).refused("not_entitled");
    const asker = { approve: [{ need: 1, from: ["person:refunder"] }], strength: "link" } as const;
    given(personRow("refunder"), link({ recipient: "refunder" }), openHold({ decision: rule(asker) }))
      .when(byLink, { by: via })
      .refused("not_entitled");
    start("link", { recipient: "ada", givenTo: "asker" }).when(byLink, { by: via }).refused("not_entitled");
    const voted = start("link", { recipient: "Ada@example.com" })
      .when(byLink, { by: via })
      .then("hold.voted");
    expect(voted.hold().votes).toMatchObject([{ person: "ada", strength: "link", by: { kind: "link" } }]);
    voted.when(answer(), by("ada")).then("hold.voted");
    expect(
      start("link", { recipient: "person:ada" }).when(byLink, { by: via }).then("hold.voted").hold().votes,
    ).toMatchObject([{ person: "ada" }]);
  });

  test("a user relayed by an app is claimed and has the strength of a link", () => {
    const app = (claimed: Record<string, string>): Principal => ({ ...APP, claimed });
    const hold = { createdBy: APP.name, creatorKey: APP.id, askedByApp: true } as const;
    voting({}, hold)
      .when(answer(), { by: app({ id: "ada" }) })
      .refused("strength_too_low");
    const loose = voting({ strength: "link" }, hold);
    loose.when(answer(), { by: app({ name: "Ada" }) }).refused("not_entitled");
    expect(
      loose
        .when(answer(), { by: app({ id: "ada" }) })
        .then("hold.voted")
        .hold().votes,
    ).toMatchObject([{ person: "ada", strength: "link", by: { kind: "app" } }]);
  });

  test("a chat account is stronger than a link and weaker than a session; none of them is a passkey", () => {
    const chat: Principal = { ...signedIn("ada"), via: "channel" };
    voting().when(answer(), { by: chat }).refused("strength_too_low");
    voting({ strength: "account" }).when(answer(), { by: chat }).then("hold.voted");
    const strong = voting({ strength: "passkey" });
    strong.when(answer(), by("ada")).refused("strength_too_low");
  });

  test("a rule with a maximum age counts a session only that long after the sign-in, and never a key", () => {
    const recent = voting({ max_age: 60 });
    recent.when(answer(), { ...by("ada"), now: NOW + 60_000 }).then("hold.voted");
    const late = { ...by("ada"), now: NOW + 60_001 };
    const { reply } = recent.when(answer(), late).refused("fresh_sign_in_required");
    expect(reply).toMatchObject({
      failure: { message: expect.stringContaining("within the last 60 seconds") },
    });
    voting().when(answer(), late).then("hold.voted");
    const key: Principal = { role: "operator", via: "key", id: "key_ada", name: "ada" };
    recent.when(answer(), { by: key }).refused("fresh_sign_in_required");
  });

  test("a wrong answer is refused before it is a vote", () => {
    voting().when(answer("select"), by("ada")).refused("invalid_action");
    voting()
      .when({ ...answer(), shown: "other" }, by("ada"))
      .refused("shown_mismatch");
  });
});

describe("stages in listed order", () => {
  const approve = [
    { need: 1, from: ["person:ada"] },
    { need: 1, from: ["person:lin", "person:ada"] },
  ];

  test("a later stage approves only when the stages before it are met, and the log says whose turn it is", () => {
    const start = voting({ approve, order: "listed" });
    start.when(answer(), by("lin")).refused("not_entitled");
    const first = start.when(answer(), by("ada")).then("hold.voted");
    expect(first.facts[0]?.fact).toMatchObject({ nextStage: 1 });
    const done = first.when(answer(), by("lin")).then("hold.voted", "hold.decided");
    expect(done.facts[0]?.fact).not.toHaveProperty("nextStage");
    voting({ approve, order: "any" }).when(answer(), by("lin")).then("hold.voted");
  });
});

describe("absence", () => {
  const away = (delegate?: string): Partial<Person> => ({
    absence: { from: NOW, until: NOW + 100, ...(delegate === undefined ? {} : { delegate }) },
  });
  const onlyAda = { approve: [{ need: 1, from: ["person:ada"] }] };
  const start = (...rows: readonly ReturnType<typeof personRow>[]) =>
    given(...people, ...rows, finance, openHold({ decision: rule(onlyAda) }));

  test("a delegate votes for the absent person while the absence lasts, and both names are recorded", () => {
    const gone = start(personRow("ada", away("eve")));
    const voted = gone.when(answer(), by("eve")).then("hold.voted", "hold.decided");
    expect(voted.facts[0]?.fact).toMatchObject({ vote: { person: "eve" }, standsFor: "ada" });
    expect(logData(voted.facts[0]?.fact as never)).toMatchObject({ person: "eve", for: "ada" });
    gone.when(answer(), { ...by("eve"), now: NOW - 1 }).refused("not_entitled");
    gone.when(answer(), { ...by("eve"), now: NOW + 100 }).refused("not_entitled");
    gone.when(answer(), by("ada")).then("hold.voted", "hold.decided");
  });

  test("a delegate who is away passes on once, never in a circle", () => {
    start(personRow("ada", away("eve")), personRow("eve", away("lin")))
      .when(answer(), by("lin"))
      .then("hold.voted", "hold.decided");
    start(personRow("ada", away("eve")), personRow("eve", away("lin")), personRow("lin", away("grace")))
      .when(answer(), by("grace"))
      .refused("not_entitled");
    start(personRow("ada", away("eve")), personRow("eve", away("ada")))
      .when(answer(), by("eve"))
      .refused("not_entitled");
    start(personRow("ada", away())).when(answer(), by("eve")).refused("not_entitled");
  });

  test("a delegate never gains what the absent person lacks and never bypasses an exclusion", () => {
    start(personRow("ada", { ...away("eve"), status: "suspended" }))
      .when(answer(), by("eve"))
      .refused("not_entitled");
    const excluded = (...ids: readonly string[]) =>
      given(
        ...people,
        personRow("ada", away("eve")),
        openHold({ decision: rule({ ...onlyAda, excluded: ids }) }),
      );
    excluded("eve").when(answer(), by("eve")).refused("not_entitled");
    excluded("ada").when(answer(), by("eve")).refused("not_entitled");
  });

  test("a delegate who is a member too fills one seat only", () => {
    const team = given(...people, personRow("ada", away("grace")), finance, openHold({ decision: rule() }));
    team.when(answer(), by("grace")).then("hold.voted");
    expect(team.when(answer(), by("grace")).then("hold.voted").hold().status).toBe("open");
  });
});

describe("people who stop counting", () => {
  const suspend = { kind: "change_person", personId: "ada", patch: { status: "suspended" } } as const;

  test("suspending or erasing somebody, or taking the confirmation back, removes their votes on open holds in the same commit", () => {
    const voted = voting().when(answer(), by("ada")).then("hold.voted");
    const gone = voted.when(suspend, { by: ADMIN }).then("person.suspended", "hold.vote_withdrawn");
    expect(gone.hold().votes).toBeUndefined();
    expect(logData(gone.facts[1]?.fact as never)).toEqual({ person: "ada", reason: "suspended" });
    gone.when(answer(), by("grace")).then("hold.voted");
    voted
      .when({ kind: "erase_person", personId: "ada" }, { by: ADMIN })
      .then("person.erased", "team.changed", "hold.vote_withdrawn");
    const doubt = { ...suspend, patch: { isVerified: false } } as const;
    voted.when(doubt, { by: ADMIN }).then("person.changed", "hold.vote_withdrawn");
    const stale = { kind: "voter", id: "ada", body: { holds: ["h1"] } } as const;
    given(...people, finance, stale, openHold({ status: "decided" }))
      .when(suspend, { by: ADMIN })
      .then("person.suspended");
  });

  test.each([
    ["suspended", { kind: "change_person", personId: "ada", patch: { status: "suspended" } }],
    ["unconfirmed", { kind: "change_person", personId: "ada", patch: { isVerified: false } }],
    ["erased", { kind: "erase_person", personId: "ada" }],
  ] as const)("a delegate's vote for somebody who is %s counts no more", (reason, change) => {
    const absence = { from: NOW, until: NOW + 100, delegate: "eve" };
    const ada = personRow("ada", { teams: ["finance"], absence });
    const start = given(...people, ada, finance, openHold({ decision: rule() }));
    const voted = start.when(answer(), by("eve")).then("hold.voted");
    const changed = voted.when(change, { by: ADMIN });
    const after = changed.then(...changed.step.decision.facts.map(({ fact }) => fact.type));
    const next = after.when(answer(), by("grace")).then("hold.vote_withdrawn", "hold.voted");
    expect(next.hold()).toMatchObject({ status: "open", votes: [{ person: "grace" }] });
    expect(logData(next.facts[0]?.fact as never)).toEqual({ person: "eve", for: "ada", reason });
    // Nobody has to vote for it to be seen.
    const check = { kind: "check_decision", holdId: "h1" } as const;
    expect(after.when(check, { by: SYSTEM }).then("hold.vote_withdrawn").hold().votes).toBeUndefined();
    after.when(answer(), by("eve")).refused("not_entitled");
  });

  test("a delegate's vote stays when the absent person leaves the team", () => {
    const absence = { from: NOW, until: NOW + 100, delegate: "eve" };
    const ada = personRow("ada", { teams: ["finance"], absence });
    const moved = given(...people, ada, finance, openHold({ decision: rule() }))
      .when(answer(), by("eve"))
      .then("hold.voted")
      .when({ kind: "change_team", teamId: "finance", patch: { members: ["grace", "lin"] } }, { by: ADMIN })
      .then("team.changed", "person.changed");
    moved.when(answer(), by("grace")).then("hold.voted", "hold.decided");
  });

  test("changes of teams decide who may vote next, and take no vote away", () => {
    const voted = voting().when(answer(), by("ada")).then("hold.voted");
    const patch = { members: ["lin", "eve"] };
    const moved = voted
      .when({ kind: "change_team", teamId: "finance", patch }, { by: ADMIN })
      .then("team.changed", "person.changed", "person.changed", "person.changed");
    moved.when(answer(), by("grace")).refused("not_entitled");
    moved.when(answer(), by("eve")).then("hold.voted", "hold.decided");
  });

  test("a rule that nobody can meet any more is said once on the hold, and so is that somebody can again", () => {
    const check = { kind: "check_decision", holdId: "h1" } as const;
    const all = voting({ approve: [{ need: 3, from: ["team:finance"] }] });
    all.when(check, { by: SYSTEM }).then();
    all.when(answer(), by("grace")).then("hold.voted").when(check, { by: SYSTEM }).then();
    const fewer = all.when(suspend, { by: ADMIN }).then("person.suspended");
    const stuck = fewer.when(check, { by: SYSTEM }).then("hold.decision_checked");
    expect(stuck.hold().unfulfillable).toContain("needs 3 people");
    expect(logData(stuck.facts[0]?.fact as never)).toMatchObject({ unfulfillable: expect.any(String) });
    stuck.when(check, { by: SYSTEM }).then();
    const back = stuck
      .when({ ...suspend, patch: { status: "active" } }, { by: ADMIN })
      .then("person.restored")
      .when(check, { by: SYSTEM })
      .then("hold.decision_checked");
    expect(back.hold()).not.toHaveProperty("unfulfillable");
    given(openHold()).when(check, { by: SYSTEM }).then();
    given().when(check, { by: SYSTEM }).refused("not_found");
    given(openHold())
      .when(check, { by: { ...AGENT, name: "other" } })
      .refused("not_found");
  });
});

describe("cancelling a hold with a decision", () => {
  const cancel = { kind: "cancel_hold", holdId: "h1" } as const;
  const start = (strength: "link" | "session", recipient: string) =>
    given(...people, finance, link({ recipient }), openHold({ decision: rule({ strength }) }));

  test("is for its creator, operators, admins and people who may vote by their link", () => {
    const byLink = { ...cancel, linkHash: "hash-1" };
    const via = { by: reviewer(link().body) };
    start("link", "ada").when(byLink, via).then("hold.cancelled");
    start("link", "eve").when(byLink, via).refused("not_entitled");
    start("session", "ada").when(byLink, via).refused("strength_too_low");
    for (const caller of [AGENT, ADMIN, signedIn("eve")])
      start("link", "eve").when(cancel, { by: caller }).then("hold.cancelled");
  });
});

describe("a group with decisions", () => {
  const member = (id: string, part: Partial<Hold> = {}) => openHold({ id, groupId: "g1", ...part });
  const group = {
    kind: "group",
    id: "g1",
    body: { id: "g1", createdBy: AGENT.name, createdAt: 0, members: ["h1", "h2"] },
  } as const;
  const entries = (...actions: readonly (string | undefined)[]) => ({
    kind: "answer_group" as const,
    groupId: "g1",
    door: "agui" as const,
    entries: actions.map((action, at) => ({
      holdId: `h${at + 1}`,
      ...(action === undefined ? {} : { action }),
    })),
  });
  const start = () => given(...people, finance, group, member("h1", { decision: rule() }), member("h2"));

  test("records every vote and answer in one commit, and stays open until its last member is decided", () => {
    const first = start().when(entries("approve", "approve"), by("ada")).then("hold.voted", "hold.decided");
    expect(first.hold("h1").status).toBe("open");
    expect(first.get("group", "g1")?.releasedAt).toBeUndefined();
    const second = first.when(entries("approve"), by("grace"));
    second.then("hold.voted", "hold.decided", "group.released");
    start()
      .when(entries(undefined, "approve"), by("ada"))
      .then("hold.cancelled", "hold.decided", "group.released");
  });

  test("refuses all of it when one member may not be voted on, does not fit or was not shown", () => {
    start().when(entries("approve", "approve"), by("eve")).refused("not_entitled");
    start().when(entries("select", "approve"), by("ada")).refused("invalid_action");
    const shown = { ...entries("approve", "approve") };
    const other = { ...shown, entries: shown.entries.map((entry) => ({ ...entry, shown: "sha256:h1" })) };
    start().when(other, by("ada")).then("hold.voted", "hold.decided");
    const nobody = { ...shown, entries: [...shown.entries, { holdId: "h9", action: "approve" }] };
    start().when(nobody, by("ada")).refused("invalid_answer");
  });
});

test("an erased hold keeps who voted how, and loses what exactly they answered", () => {
  const decided = voting()
    .when(answer("approve", { note: "secret" }), by("ada"))
    .then("hold.voted")
    .when(answer("approve", { note: "secret" }), by("grace"))
    .then("hold.voted", "hold.decided");
  const erased = decided.when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN }).then("hold.erased");
  expect(erased.hold().votes).toMatchObject([{ person: "ada" }, { person: "grace" }]);
  expect(JSON.stringify(erased.hold())).not.toContain("secret");
});

test("selections add up only for the same choice, and forms only for equal data", () => {
  const ask = {
    type: "selection",
    prompt: "Which?",
    options: [
      { id: "a", label: "A" },
      { id: "b", label: "B" },
    ],
  } as const;
  const pick = (id: string) => answer("select", { selected: [id] });
  const split = voting({}, { ask })
    .when(pick("a"), by("ada"))
    .then("hold.voted")
    .when(pick("b"), by("grace"))
    .then("hold.voted");
  split.when(pick("b"), by("lin")).then("hold.voted", "hold.decided");
  const form = { type: "input", prompt: "Where?" } as const;
  const said = (note: string) => answer("submit", { note });
  voting({}, { ask: form })
    .when(said("x"), by("ada"))
    .then("hold.voted")
    .when(said("y"), by("grace"))
    .then("hold.voted");
  const failed = { type: "escalation", prompt: "It failed" } as const;
  const skip = answer("skip", { reason: "later" });
  voting({}, { ask: failed })
    .when(skip, by("ada"))
    .then("hold.voted")
    .when(answer("skip"), by("grace"))
    .then("hold.voted", "hold.decided");
});
