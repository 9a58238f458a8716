/** Refusals of what people do with a hold besides answering it, and holds that are over. */

import type { TestServer } from "../../testing/test-server.ts";
import { ASK, as, call, type Recipe, saying, sending } from "./refusals.fixture.ts";

export const placed = async (test: TestServer, more: object = {}, key = test.keys.agent) =>
  (await test.call("POST", "/v1/holds", { key, body: { ...ASK, ...more } })).body;

export const answered = (test: TestServer, id: string, action = "approve") =>
  test.call("POST", `/v1/holds/${id}/answer`, { key: test.keys.operator, body: { action } });

/** The hold is over before the call. */
export const settled: Recipe = async (test, operation, ids) => {
  await answered(test, ids["hold"] ?? "");
  return call(test, operation, ids);
};

/** The time of the hold is over and its timer has not fired yet: a caller must not get in before it. */
export const past = async (test: TestServer) => {
  await test.server.timers.stop();
  await test.clock.advance(10_000);
};

export const expired: Recipe = async (test, operation, ids) => {
  const { id } = await placed(test, { timeout: "10s" });
  await past(test);
  return call(test, operation, { ...ids, hold: id });
};

export const DESK_REFUSALS: Readonly<Record<string, Readonly<Record<string, Recipe>>>> = {
  assignHold: {
    not_allowed: as("agent"),
    unknown_person: saying({ to: "nobody" }),
    already_settled: settled,
    hold_expired: expired,
  },
  commentHold: {
    not_allowed: as("auditor"),
    already_settled: settled,
    hold_expired: expired,
    async too_many_comments(test, operation, ids) {
      for (let n = 0; n < 100; n += 1) await call(test, operation, ids);
      return call(test, operation, ids);
    },
  },
  extendHold: {
    not_allowed: as("agent"),
    not_extendable: sending({}),
    already_settled: settled,
    hold_expired: expired,
  },
  snoozeHold: {
    not_allowed: as("agent"),
    not_extendable: saying({ for: "31d" }),
    already_settled: settled,
    hold_expired: expired,
  },
  lookAtHold: { not_allowed: as("agent") },
  countHolds: { not_allowed: as("agent") },
  overview: { not_allowed: as("agent") },
  activity: { not_allowed: as("agent") },
};
