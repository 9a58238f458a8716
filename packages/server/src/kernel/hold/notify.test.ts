import { describe, expect, test } from "vitest";
import { decidedHold, NOW, OPERATOR, openHold } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged as describeFact } from "../../testing/tables.ts";
import { SYSTEM } from "../principal.ts";

const by = SYSTEM;
const notify = { kind: "notify_hold", holdId: "h1", noticeId: "msg_1", attempt: 2 } as const;

describe("a notification in the console", () => {
  test("a console notification is recorded on the hold once, no matter how often it is sent", () => {
    const after = given(openHold()).when(notify, { by }).then("hold.notified");
    expect(after.hold().notified).toEqual({ noticeId: "msg_1", at: NOW });
    expect(after.facts.map((fact) => describeFact(fact, "default"))).toMatchObject([
      { type: "hold.notified", data: { attempt: 2 } },
    ]);
    after.when(notify, { by }).then();
    after.when({ ...notify, noticeId: "msg_2" }, { by }).then("hold.notified");
  });

  test("only the server may record a notification, and only on an open hold", () => {
    given(openHold()).when(notify, { by: OPERATOR }).refused("not_allowed");
    given().when(notify, { by }).refused("not_found");
    given(decidedHold()).when(notify, { by }).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(notify, { by })
      .refused("hold_expired", "hold.expired");
  });
});
