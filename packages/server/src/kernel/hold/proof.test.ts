import { describe, expect, test } from "vitest";
import { DEV, link, NOW, openHold, reviewer } from "../../testing/core-samples.ts";
import { type After, type Given, given } from "../../testing/given.ts";
import { personRow, rule, signedIn, teamRow } from "../../testing/people.ts";
import { logData } from "../../testing/tables.ts";
import { CHALLENGE_MS } from "../passkey/passkey.ts";
import { emailAccountId } from "../people/person.ts";
import type { Hold } from "./hold.ts";

const people = ["ada", "grace"].map((id) => personRow(id, { teams: ["finance"] }));
const finance = teamRow("finance", ["ada", "grace"]);
const passkeyOf = (personId: string, counter = 0) => {
  const id = `cred-${personId}`;
  const made = { publicKey: "pk", transports: [], relyingParty: "localhost", name: "", madeAt: 0 };
  return { kind: "passkey", id, body: { id, personId, counter, ...made } } as const;
};
const passkeys = [passkeyOf("ada"), passkeyOf("grace")];
const strong = openHold({ decision: rule({ strength: "passkey" }) });
const start = (hold: Hold = strong) => given(...people, finance, ...passkeys, hold);

const chosen = (action = "approve", data = {}) => ({ holdId: "h1", action, data, door: "page" }) as const;
const challenge = (answer: ReturnType<typeof chosen> = chosen()) =>
  ({ kind: "challenge_answer", challengeId: "c1", ...answer }) as const;
const proof = (person = "ada", counter = 1) =>
  ({
    kind: "passkey",
    ...{ challenge: "c1", credential: `cred-${person}`, counter },
    evidence: { signature: "s" },
  }) as const;
const answer = (person = "ada", given: ReturnType<typeof chosen> = chosen()) =>
  ({ kind: "answer_hold", ...given, proof: proof(person) }) as const;
const by = (name: string) => ({ by: signedIn(name) });
const challenged = (from: Given = start()): After => from.when(challenge(), by("ada")).then("challenge.made");
const USED = ["challenge.ended", "passkey.used"] as const;

describe("a challenge for an answer", () => {
  test("binds hold, ask, action, answer, nonce and expiry, for five minutes", () => {
    expect(challenged().get("challenge", "c1")).toEqual({
      ...{ id: "c1", purpose: "answer", expiresAt: NOW + CHALLENGE_MS },
      decision: {
        ...{ hold: "h1", ask: "sha256:h1", action: "approve", answer: expect.any(String) },
        ...{ nonce: "c1", expires: NOW + CHALLENGE_MS },
      },
    });
  });

  test("is made only for an answer that fits, by somebody who may see the hold", () => {
    start()
      .when(challenge(chosen("select")), by("ada"))
      .refused("invalid_action");
    given(strong)
      .when(challenge(), { by: reviewer(link().body) })
      .refused("not_found");
    start()
      .when({ ...challenge(), shown: "other" }, by("ada"))
      .refused("shown_mismatch");
  });
});

describe("an answer that a passkey signed", () => {
  test("counts however long ago the person signed in, because the passkey proves now who votes", () => {
    const hold = openHold({ decision: rule({ max_age: 60 }) });
    const late = { ...by("ada"), now: NOW + 61_000 };
    const asked = start(hold).when(challenge(), late).then("challenge.made");
    asked.when(answer(), late).then(...USED, "hold.voted");
    const { proof: _without, ...plain } = answer();
    asked.when(plain, late).refused("fresh_sign_in_required");
  });

  test("counts as a vote of strength passkey, with its evidence, and uses the challenge up", () => {
    const voted = challenged()
      .when(answer(), by("ada"))
      .then(...USED, "hold.voted");
    expect(voted.hold().votes).toMatchObject([
      { person: "ada", strength: "passkey", proof: proof(), by: { kind: "session", name: "ada" } },
    ]);
    expect(logData(voted.facts[2]?.fact as never)).toMatchObject({
      strength: "passkey",
      passkey_id: "cred-ada",
    });
    expect(voted.get("passkey", "cred-ada")).toMatchObject({ counter: 1, lastUsedAt: NOW });
    voted.when(answer(), by("ada")).refused("not_proven");
  });

  test("is refused after five minutes, and a moment before it is not", () => {
    const made = challenged();
    made.when(answer(), { ...by("ada"), now: NOW + CHALLENGE_MS }).refused("not_proven");
    made.when(answer(), { ...by("ada"), now: NOW + CHALLENGE_MS - 1 }).then(...USED, "hold.voted");
  });

  test("is refused for another action, other data and another hold; remarks are not signed", () => {
    const made = challenged();
    made.when(answer("ada", chosen("reject")), by("ada")).refused("not_proven");
    made
      .when(answer("ada", chosen("approve", { edited_args: { amount: 9 } })), by("ada"))
      .refused("not_proven");
    made.when(answer("ada", chosen("approve", { note: "fine" })), by("ada")).then(...USED, "hold.voted");
    const other = { ...strong, id: "h2" };
    const two = given(...people, finance, ...passkeys, strong, other);
    challenged(two)
      .when({ ...answer(), holdId: "h2" }, by("ada"))
      .refused("not_proven");
  });

  test("is refused with a challenge that was made for something else", () => {
    const body = { id: "c1", purpose: "sign_in", expiresAt: NOW + 1 } as const;
    given(...people, finance, ...passkeys, strong, { kind: "challenge", id: "c1", body })
      .when(answer(), by("ada"))
      .refused("not_proven");
  });

  test("is refused with a passkey that is unknown, of somebody else, or of somebody suspended", () => {
    challenged().when(answer("nobody"), by("ada")).refused("not_proven");
    challenged().when(answer("grace"), by("ada")).refused("not_entitled");
    const away = personRow("ada", { teams: ["finance"], status: "suspended" });
    challenged(given(away, people[1] as (typeof people)[number], finance, ...passkeys, strong))
      .when(answer(), by("ada"))
      .refused("not_entitled");
  });

  test("needs the seat that any vote needs", () => {
    const outsider = given(
      personRow("ada"),
      teamRow("finance", ["grace"]),
      personRow("grace"),
      ...passkeys,
      strong,
    );
    challenged(outsider).when(answer(), by("ada")).refused("not_entitled");
  });
});

describe("a passkey on a page without a session", () => {
  const through = (part: Parameters<typeof link>[0], person = "ada", hold: Hold = strong) => {
    const row = link(part);
    const address = { kind: "account", id: emailAccountId("ada@x.test"), body: { personId: "ada" } } as const;
    const reader = { by: reviewer(row.body) };
    return given(...people, finance, ...passkeys, hold, row, address)
      .when({ ...challenge(), linkHash: "hash-1" }, reader)
      .then("challenge.made")
      .when({ ...answer(person), linkHash: "hash-1" }, reader);
  };

  test("says who votes: the link of nobody in particular becomes the passkey's owner", () => {
    for (const row of [{ givenTo: "asker" }, { recipient: "ops@x.test", givenTo: "people" }] as const) {
      const voted = through(row, "grace").then(...USED, "hold.voted");
      expect(voted.hold().votes).toMatchObject([
        { person: "grace", strength: "passkey", by: { kind: "link", name: "grace" } },
      ]);
    }
  });

  test("has to be the passkey of the person whom the link was made for", () => {
    for (const recipient of ["ada", "person:ada", "ada@x.test"]) {
      through({ recipient, givenTo: "people" }).then(...USED, "hold.voted");
      through({ recipient, givenTo: "people" }, "grace").refused("not_entitled");
    }
  });

  test("a link alone is too weak, and there is no other way", () => {
    const row = link({ recipient: "ada", givenTo: "people" });
    const { proof: _without, ...plain } = answer();
    given(...people, finance, ...passkeys, strong, row)
      .when({ ...plain, linkHash: "hash-1" }, { by: reviewer(row.body) })
      .refused("strength_too_low");
  });

  test("names the person on a hold without a rule as well", () => {
    const settled = through({ givenTo: "asker" }, "grace", openHold()).then(...USED, "hold.decided");
    expect(settled.hold().outcome).toMatchObject({ by: { kind: "link", name: "grace" } });
  });

  test("a trial key stands for nobody, so the passkey alone says who votes", () => {
    const voted = challenged()
      .when(answer("grace"), { by: DEV })
      .then(...USED, "hold.voted");
    expect(voted.hold().votes).toMatchObject([{ person: "grace" }]);
  });
});
