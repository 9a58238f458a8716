import { describe, expect, test } from "vitest";
import {
  ADMIN,
  AGENT,
  APPROVAL,
  APPROVED,
  DEV,
  decidedHold,
  NOW,
  OPERATOR,
  openHold,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { intentBody } from "../../testing/intent-samples.ts";
import { SYSTEM } from "../principal.ts";
import type { Claim } from "./hold.ts";

const by = AGENT;
const claim = {
  kind: "claim_hold",
  holdId: "h1",
  claimId: "claim_1",
  digest: "sha256:h1",
  leaseMs: 100,
} as const;
const finish = {
  kind: "finish_claim",
  holdId: "h1",
  claimId: "claim_1",
  ok: true,
  detail: { id: "tx" },
} as const;
const release = { kind: "release_claim", holdId: "h1" } as const;
const claimed: Claim = { id: "claim_1", by: "key:refunder", at: NOW, until: NOW + 100, state: "claimed" };

describe("claiming the execution", () => {
  test("an approved hold can be claimed once, and a second claim is refused with the id of the first", () => {
    const after = given(decidedHold()).when(claim, { by }).then("hold.claimed");
    expect(after.hold().claim).toEqual(claimed);
    const second = after.when({ ...claim, claimId: "claim_2" }, { by }).refused("claim_taken");
    expect(second.reply.ok === false && second.reply.failure.detail).toEqual({
      claim_id: "claim_1",
      state: "claimed",
    });
  });

  test("repeating a claim with the same id after a lost reply succeeds and changes nothing", () => {
    given(decidedHold())
      .when(claim, { by })
      .then("hold.claimed")
      .when(claim, { by, now: NOW + 5 })
      .then();
  });

  test("a claim is refused unless the hold was approved and the digest is the one that was approved", () => {
    const rejected = { ...decidedHold().outcome, action: "reject" } as never;
    given(openHold()).when(claim, { by }).refused("not_claimable");
    given(decidedHold({ outcome: rejected }))
      .when(claim, { by })
      .refused("not_claimable");
    given(decidedHold({ ask: null }))
      .when(claim, { by })
      .refused("not_claimable");
    given(
      openHold({ status: "expired", outcome: { kind: "expired", at: 1, default: { action: "approve" } } }),
    )
      .when(claim, { by })
      .refused("not_claimable");
    given(decidedHold())
      .when({ ...claim, digest: "sha256:other" }, { by })
      .refused("digest_mismatch");
  });

  test("only the agent that asked and the dev key may claim a hold", () => {
    given(decidedHold()).when(claim, { by: OPERATOR }).refused("not_allowed");
    given(decidedHold()).when(claim, { by: DEV }).then("hold.claimed");
    given().when(claim, { by }).refused("not_found");
  });

  test.each([
    ["runs", "claimed", "read the hold again later"],
    ["is done", "done", "its result is in the hold's `claim`"],
    [
      "has failed",
      "failed",
      "place the question under a new key, or under the same key with this hold's id in `after`",
    ],
  ] as const)("a second claim is told what to do next when the first one %s", (_how, state, advice) => {
    const { reply } = given(decidedHold({ claim: { ...claimed, state } }))
      .when({ ...claim, claimId: "claim_2" }, { by })
      .refused("claim_taken");
    expect(reply.ok === false && reply.failure.message).toContain(advice);
  });

  test("a hold whose last execution has an unknown result cannot be claimed before a person releases it", () => {
    const unknown = { ...claimed, state: "unknown" } as const;
    given(decidedHold({ claim: unknown }))
      .when({ ...claim, claimId: "claim_2" }, { by })
      .refused("claim_unknown");
  });
});

describe("an approval for several uses", () => {
  const counted = (uses: number | "unlimited") => decidedHold({ ask: { ...APPROVAL, uses } });
  const next = (claimId: string) => ({ ...claim, claimId });
  const end = (claimId: string, ok = true) => ({ ...finish, claimId, ok });

  test("E-06 an approval for two uses can be claimed twice, one after the other", () => {
    const first = given(counted(2)).when(claim, { by }).then("hold.claimed");
    first.when(next("claim_2"), { by }).refused("claim_taken");
    const second = first
      .when(end("claim_1", false), { by })
      .then("hold.claim_failed")
      .when(next("claim_2"), { by })
      .then("hold.claimed");
    expect(second.hold()).toMatchObject({ claim: { id: "claim_2", state: "claimed" }, claimsBefore: 1 });
    second
      .when(end("claim_2"), { by })
      .then("hold.claim_done")
      .when(next("claim_3"), { by })
      .refused("claim_taken");
  });

  test("E-06 an approval for several uses cannot be claimed again while the result of the last use is unknown", () => {
    given({ ...counted(5), claim: { ...claimed, state: "unknown" } })
      .when(next("claim_2"), { by })
      .refused("claim_unknown");
  });

  test("E-06 a released claim does not count as a use", () => {
    const after = given({
      ...counted(2),
      claim: { ...claimed, id: "claim_2", state: "unknown" },
      claimsBefore: 1,
    })
      .when(release)
      .then("hold.claim_released")
      .when(next("claim_3"), { by })
      .then("hold.claimed");
    expect(after.hold().claimsBefore).toBe(1);
    after
      .when(end("claim_3"), { by })
      .then("hold.claim_done")
      .when(next("claim_4"), { by })
      .refused("claim_taken");
  });

  test("E-06 an approval for unlimited uses can be claimed again after 1,000 claims", () => {
    given({ ...counted("unlimited"), claim: { ...claimed, state: "done" }, claimsBefore: 999 })
      .when(next("claim_2"), { by })
      .then("hold.claimed");
  });
});

describe("reporting the result of a claim", () => {
  const begun = () => given(decidedHold({ claim: claimed }));

  test("a report ends the claim as done or failed", () => {
    const done = begun().when(finish, { by }).then("hold.claim_done");
    expect(done.hold().claim).toEqual({ ...claimed, state: "done", endedAt: NOW, detail: { id: "tx" } });
    const { detail: _, ...bare } = finish;
    const failed = begun()
      .when({ ...bare, ok: false }, { by: DEV })
      .then("hold.claim_failed");
    expect(failed.hold().claim).toEqual({ ...claimed, state: "failed", endedAt: NOW });
  });

  test("repeating a report changes nothing, and a report that contradicts the first one is refused", () => {
    const done = begun().when(finish, { by }).then("hold.claim_done");
    done.when(finish, { by }).then();
    done.when({ ...finish, ok: false }, { by }).refused("claim_taken");
    const failed = begun()
      .when({ ...finish, ok: false }, { by })
      .then("hold.claim_failed");
    failed.when(finish, { by }).refused("claim_taken");
  });

  test("a late report also ends a claim whose result was unknown", () => {
    given(decidedHold({ claim: { ...claimed, state: "unknown" } }))
      .when(finish, { by })
      .then("hold.claim_done");
  });

  test("a report that arrives after the content was erased stores no detail", () => {
    const erased = begun().when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN }).then("hold.erased");
    expect(erased.when(finish, { by }).then("hold.claim_done").hold().claim?.detail).toEqual({});
  });

  test("a report is refused for an unknown claim id and for every caller except the agent that asked and dev", () => {
    given().when(finish, { by }).refused("not_found");
    given(decidedHold()).when(finish, { by }).refused("not_found");
    begun()
      .when({ ...finish, claimId: "claim_2" }, { by })
      .refused("not_found");
    begun().when(finish, { by: OPERATOR }).refused("not_allowed");
  });
});

describe("releasing a claim", () => {
  test.each(["claimed", "unknown", "failed"] as const)(
    "a released hold can be claimed again: the claim was %s",
    (state) => {
      const after = given(decidedHold({ claim: { ...claimed, state } }))
        .when(release)
        .then("hold.claim_released");
      expect(after.hold()).toEqual(decidedHold());
      after.when({ ...claim, claimId: "claim_2" }, { by }).then("hold.claimed");
    },
  );

  test("a claim that was reported as done cannot be released", () => {
    given(decidedHold({ claim: { ...claimed, state: "done" } }))
      .when(release)
      .refused("not_claimable");
  });

  test("only a person may release a claim", () => {
    given(decidedHold({ claim: claimed }))
      .when(release, { by })
      .refused("not_allowed");
    given(decidedHold({ claim: claimed }))
      .when(release, { by: SYSTEM })
      .refused("not_allowed");
    given().when(release).refused("not_found");
  });

  test("releasing a hold that was never claimed changes nothing", () => {
    given(decidedHold()).when(release).then();
  });
});

test("an approved hold that is attached to an intent can be claimed", () => {
  const hold = openHold({ status: "decided", outcome: APPROVED, intentId: "i1" });
  given(hold, { kind: "intent", id: "i1", body: intentBody() } as never)
    .when(
      { kind: "claim_hold", holdId: "h1", claimId: "c1", digest: hold.digest, leaseMs: 1_000 },
      { by: AGENT },
    )
    .then("hold.claimed");
});
