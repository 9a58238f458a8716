/** Refusals of the operations about people, teams and sessions, made to happen. */

import type { Code } from "@holdpoint/protocol";
import { signedInPerson } from "../../testing/signed-in.ts";
import {
  as,
  BODIES,
  call,
  NOWHERE,
  nobody,
  pathOf,
  type Recipe,
  saying,
  sending,
} from "./refusals.fixture.ts";
import { placed } from "./refusals-desk.fixture.ts";

export const PEOPLE_REFUSALS: Readonly<Record<string, Partial<Record<Code, Recipe>>>> = {
  listPeople: { not_allowed: as("agent") },
  addPerson: {
    not_allowed: as("operator"),
    already_exists: saying({ id: "lin", name: "Lin" }),
    unknown_team: saying({ name: "Eve", teams: ["nobody"] }),
  },
  changePerson: {
    not_allowed: as("operator"),
    not_found: nobody,
    already_exists: async (test, operation, ids) => {
      const eve = { name: "Eve", email: "eve@example.com" };
      await test.call("POST", "/v1/people", { key: test.keys.admin, body: eve });
      return call(test, operation, ids, { body: { email: "Eve@example.com" } });
    },
    unknown_team: saying({ teams: ["nobody"] }),
    unknown_person: saying({
      out_of_office: { from: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z", delegate: "nobody" },
    }),
  },
  linkAccount: {
    not_allowed: as("operator"),
    not_found: nobody,
    already_exists: async (test, operation, ids) => {
      await call(test, operation, ids);
      await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: "eve", name: "Eve" } });
      return call(test, operation, { ...ids, person: "eve" });
    },
  },
  unlinkAccount: {
    not_allowed: as("operator"),
    not_found: sending({}),
    fresh_sign_in_required: async (test, operation, ids) => {
      await test.call("POST", "/v1/people/lin/accounts", {
        key: test.keys.admin,
        body: BODIES[operation.id],
      });
      const { headers } = await signedInPerson(test, "lin");
      await test.clock.advance(600_000);
      return test.call(operation.method, pathOf(operation, ids), { body: BODIES[operation.id], headers });
    },
  },
  invitePerson: {
    not_allowed: as("operator"),
    not_found: nobody,
    not_sent: saying({ by: "email" }),
  },
  listSessions: { not_allowed: as("agent") },
  endSession: { not_allowed: as("agent"), not_found: sending({}) },
  endSessions: {
    not_allowed: as("operator"),
    not_found: nobody,
  },
  erasePerson: {
    not_allowed: as("operator"),
    not_found: nobody,
  },
  listTeams: { not_allowed: as("agent") },
  addTeam: {
    not_allowed: as("operator"),
    already_exists: saying({ id: "crew" }),
    unknown_person: saying({ id: "new", members: ["nobody"] }),
  },
  changeTeam: {
    not_allowed: as("operator"),
    not_found: (test, operation) => call(test, operation, { team: NOWHERE }),
    unknown_person: saying({ members: ["nobody"] }),
  },
  removeTeam: {
    not_allowed: as("operator"),
    not_found: (test, operation) => call(test, operation, { team: NOWHERE }),
  },
};

/** Takes back a vote with somebody else's token for the voter, which is as weak as a link. */
export const byWeakToken: Recipe = async (test, operation, ids) => {
  const { admin, operator, otherOperator } = test.keys;
  for (const id of ["ada", "grace"])
    await test.call("POST", "/v1/people", { key: admin, body: { id, name: id } });
  const decision = { approve: [{ need: 2, from: ["person:ada", "person:grace"] }] };
  const { id } = await placed(test, { decision });
  await test.call("POST", `/v1/holds/${id}/answer`, { key: operator, body: { action: "approve" } });
  const token = { key: otherOperator, body: { person: "ada" } };
  const made = await test.call("POST", "/v1/browser-tokens", token);
  return call(test, operation, { ...ids, hold: id }, { key: made.body.token });
};
