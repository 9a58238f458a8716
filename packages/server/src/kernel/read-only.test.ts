import { describe, expect, test } from "vitest";
import { type Command, DOMAINS } from "../domains.ts";
import { AUDITOR, OPERATOR, openHold } from "../testing/core-samples.ts";
import { type BareCommand, given } from "../testing/given.ts";
import { mayAnswer, onlyReads, seesDeliveries, seesSettings } from "./principal.ts";

const KINDS = Object.values(DOMAINS).flatMap(({ commands }) => Object.keys(commands)) as Command["kind"][];
const FOR_READERS: readonly Command["kind"][] = ["end_session"];

describe("an auditor only reads", () => {
  test.for(KINDS.filter((kind) => !FOR_READERS.includes(kind)))(
    "attack 12: %s by an auditor is refused",
    (kind) => {
      given()
        .when({ kind } as BareCommand, { by: AUDITOR })
        .refused("not_allowed");
    },
  );

  test("an auditor who has the name of the agent that asked cannot cancel for it", () => {
    const namesake = { ...AUDITOR, name: "refunder" };
    const cancel = { kind: "cancel_hold", holdId: "h1" } as const;
    given(openHold()).when(cancel, { by: namesake }).refused("not_allowed");
    given(openHold()).when(cancel, { by: OPERATOR }).then("hold.cancelled");
  });

  test("an auditor may end the session that it came by", () => {
    const session = {
      id: "s1",
      name: "Kay",
      role: "auditor",
      hash: "x",
      madeAt: 0,
      expiresAt: 9_000,
    } as const;
    given({ kind: "session", id: "x", body: session })
      .when({ kind: "end_session", hash: "x" }, { by: AUDITOR })
      .then("session.ended");
  });

  test("an auditor sees settings and deliveries, and answers nothing", () => {
    expect([onlyReads, seesSettings, seesDeliveries, mayAnswer].map((rule) => rule(AUDITOR))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
