import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, APP, AUDITOR, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";

const record = { kind: "record_skip", skip: { id: "s1", what: "POST /orders" } } as const;

describe("skips", () => {
  test.each([AGENT, APP, DEV])("the role $role records a skip without placing a hold", (by) => {
    const after = given().when(record, { by }).then("skip.recorded");
    expect(after.get("skip", "s1")).toEqual({ ...record.skip, recordedBy: by.name, recordedAt: NOW });
  });

  test.each([OPERATOR, ADMIN, AUDITOR])("the role $role may not record a skip", (by) => {
    given().when(record, { by }).refused("not_allowed");
  });

  test("a skip is written to the log with what ran and which agent chose to skip", () => {
    const skip = { ...record.skip, agent: "buyer" };
    const [fact] = given()
      .when({ ...record, skip }, { by: AGENT })
      .then("skip.recorded").facts;
    expect(fact && asLogged(fact, "default")).toEqual({
      workspace: "default",
      stream: "skip:s1",
      type: "skip.recorded",
      at: NOW,
      actor: `key:${AGENT.name}`,
      audience: AGENT.name,
      data: { what: "POST /orders", agent: "buyer" },
    });
    const [unnamed] = given().when(record, { by: AGENT }).then("skip.recorded").facts;
    expect(unnamed && asLogged(unnamed, "default")?.data).toEqual({ what: "POST /orders" });
  });
});
