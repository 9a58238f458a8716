import { describe, expect, test } from "vitest";
import { AGENT, APP, AUDITOR, DEV, NOW, OPERATOR, OTHER_AGENT } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { describe as describeFact } from "../fact.ts";
import { threadKeyId } from "./thread.ts";

const keep = { kind: "keep_thread", threadId: "t1", data: { run: 1 } } as const;
const id = threadKeyId(AGENT.name, "t1");

describe("threads", () => {
  test.each([AGENT, APP, DEV])("are kept by those who ask: $role", (by) => {
    const after = given().when(keep, { by }).then("thread.kept");
    expect(after.get("thread", threadKeyId(by.name, "t1"))).toEqual({
      threadId: "t1",
      createdBy: by.name,
      data: { run: 1 },
      keptAt: NOW,
    });
  });

  test.each([OPERATOR, AUDITOR])("are not for the role $role", (by) => {
    given().when(keep, { by }).refused("not_allowed");
  });

  test("of two runs that read the same version only one keeps", () => {
    const first = given()
      .when({ ...keep, ifVersion: 0 }, { by: AGENT })
      .then("thread.kept");
    first.when({ ...keep, ifVersion: 0 }, { by: AGENT }).refused("precondition_failed");
    first.when({ ...keep, ifVersion: 1 }, { by: AGENT }).then("thread.kept");
  });

  test("belong to one creator each, and are forgotten by them", () => {
    const kept = given().when(keep, { by: AGENT }).then("thread.kept");
    kept.when({ kind: "forget_thread", threadId: "t1" }, { by: OTHER_AGENT }).refused("not_found");
    const gone = kept.when({ kind: "forget_thread", threadId: "t1" }, { by: AGENT }).then("thread.forgotten");
    expect(gone.get("thread", id)).toBeUndefined();
  });

  test("leave nothing in the log", () => {
    const { facts } = given().when(keep, { by: AGENT }).then("thread.kept");
    expect(facts.map((fact) => describeFact(fact, "default"))).toEqual([null]);
  });
});
