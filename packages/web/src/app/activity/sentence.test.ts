import { describe, expect, it } from "vitest";
import { type Activity, sentenceOf } from "./sentence.ts";

const HOLD = {
  id: "hold_1",
  prompt: "Refund order 1042?",
  created_by: "refunder",
  created_at: "2026-03-01T10:00:00.000Z",
  status: "decided",
  tool: "refund",
  amount: "80 EUR",
} as const;

function activity(type: string, part: Partial<Activity> = {}): Activity {
  return {
    ...{ position: 1, at: "2026-03-01T10:04:00.000Z", type, stream: "hold:hold_1", actor: "session:ada" },
    ...{ who: "Ada Obi", data: {}, hold: HOLD, hash: "h", ...part },
  };
}

describe("an event of the log as a sentence", () => {
  it("says who decided what, how much, where, and how long after", () => {
    expect(sentenceOf(activity("hold.decided", { data: { action: "approve", door: "page" } }))).toBe(
      "Ada Obi approved “Refund order 1042?”, 80 EUR, on the review page, 4 min after it was asked.",
    );
  });

  it("says actions and events of somebody's own by their names, also if every object has a member of that name", () => {
    expect(sentenceOf(activity("hold.decided", { data: { action: "constructor" } }))).toContain(
      "Ada Obi answered “constructor” to “Refund order 1042?”",
    );
    expect(sentenceOf(activity("constructor"))).toBe("Ada Obi: constructor.");
  });

  it("says who made a portfolio, though its log names only the actor", () => {
    const {
      hold: _hold,
      who: _who,
      ...made
    } = activity("portfolio.made", { actor: "planner", data: { name: "Q3" } });
    expect(sentenceOf({ ...made, who: "planner" })).toBe("Planner made the portfolio “Q3”.");
  });

  it("says only the beginning of a very long question, and what follows it", () => {
    const hold = { ...HOLD, prompt: "Why? ".repeat(2_000) };
    const said = sentenceOf(activity("hold.decided", { hold, data: { action: "approve", door: "page" } }));
    expect(said).toMatch(/^Ada Obi approved “(?:Why\? ?)+ …”, 80 EUR, on the review page/);
    expect(said.length).toBeLessThan(300);
  });

  it.each([
    [{ platform: "telegram" }, "on telegram"],
    [{ platform: "email" }, "for e-mail"],
    [{ platform: "webhook" }, "as a webhook"],
    [{ platform: "webhook", preset: "pagerduty" }, "for PagerDuty"],
  ])("says where a channel was connected: %j", (data, where) => {
    const { hold: _hold, ...connected } = activity("channel.connected", { data: { name: "ops", ...data } });
    expect(sentenceOf(connected)).toBe(`Ada Obi connected ops ${where}.`);
  });

  it("names teams, and one whose row is gone by its id", () => {
    for (const verb of ["added", "changed", "removed"]) {
      const { hold: _hold, ...told } = activity(`team.${verb}`, { data: { team_id: "team_01ABC" } });
      expect(sentenceOf({ ...told, team: "Finance" })).toBe(`Ada Obi ${verb} the team Finance.`);
      expect(sentenceOf(told)).toBe(`Ada Obi ${verb} the team team_01ABC.`);
    }
  });

  it("does not say an amount twice", () => {
    for (const [prompt, amount] of [
      ["Refund 80 EUR?", "80 EUR"],
      ["Refund 80 EUR?", "80.00 EUR"],
      ["Refund 1204 EUR?", "1,204.00 EUR"],
    ] as const) {
      const hold = { ...HOLD, prompt, amount };
      expect(sentenceOf(activity("hold.opened", { hold }))).toBe(`Ada Obi opened “${prompt}”.`);
    }
  });

  it("attributes to nobody what nobody decided", () => {
    const expired = activity("hold.expired", { actor: "system", data: { default: "reject" } });
    expect(sentenceOf(expired)).toBe(
      "“Refund order 1042?”, 80 EUR expired, and “reject” was taken automatically; nobody decided.",
    );
  });

  it("names no person where a link was given to the agent, and says so", () => {
    const { who: _none, ...anonymous } = activity("hold.decided", {
      actor: "link:link_1",
      data: { action: "approve", door: "page", by: { kind: "link", id: "link_1", given_to: "asker" } },
    });
    expect(sentenceOf(anonymous)).toMatch(/^Somebody with the link that was given to the agent approved/);
  });

  it("has a sentence without ids and event names for every kind of event", () => {
    const types = [
      ...["placed", "opened", "progressed", "reminded", "escalated", "notified", "voted", "vote_withdrawn"],
      ...[
        "decision_checked",
        "expired",
        "cancelled",
        "claimed",
        "claim_done",
        "claim_failed",
        "claim_unknown",
      ],
      ...[
        "claim_released",
        "revoked",
        "followed",
        "link_made",
        "link_revoked",
        "file_added",
        "files_dropped",
      ],
      ...["deadline_set", "assigned", "commented", "extended", "snoozed", "erased"],
    ].map((name) => `hold.${name}`);
    for (const type of types) {
      const said = sentenceOf(activity(type, { data: { person: "ben", action: "approve" } }));
      expect(said, type).not.toMatch(/hold_|session|_|hold\./);
      expect(said, type).toMatch(/^[A-Z“].*\.$/);
    }
    expect(sentenceOf(activity("session.started", { stream: "session:s", who: "Ada Obi" }))).toBe(
      "Ada Obi signed in.",
    );
    expect(sentenceOf(activity("thing.happened", { stream: "thing:1" }))).toBe("Ada Obi: thing happened.");
  });

  it("says that a name was not recorded, in logs of earlier versions", () => {
    const { who: _none, ...old } = activity("hold.opened", { actor: "session:session_01ABC" });
    expect(sentenceOf(old)).toBe(
      "An operator whose name was not recorded opened “Refund order 1042?”, 80 EUR.",
    );
  });
});
