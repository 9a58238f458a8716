/** Standing permissions (S1–S3). */

import type { GateRule } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { AGENT, OPERATOR } from "../../testing/core-samples.ts";
import { TEST_PLATFORM } from "../../testing/core-step.ts";
import { check, checked, DAY, NONE, published } from "../../testing/gating-samples.ts";
import type { BareCommand } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import { toolSeenId } from "./gating.ts";

const ALLOW: GateRule = { tools: ["pay"], verdict: "allow" };
const LIMITED: GateRule = { tools: ["pay"], when: { "args.amount": { max: 9 } }, verdict: "allow" };

function calls(list: readonly JsonObject[], version: number, part: object = {}): BareCommand {
  const given = { id: `check_s${version}`, salt: "s", tool: "pay", calls: list, version, ...part };
  return { kind: "record_standing", check: given, shard: 0, retainMs: DAY };
}

describe("a check gives a standing permission", () => {
  test("where the rules allow every call of the tool", () => {
    expect(checked(published([ALLOW]), check()).check).toMatchObject({ verdict: "allow", standingMs: 250 });
  });

  test("where nothing is published and the caller has allowed the call by rules of its own", () => {
    const part = { localRules: "sha256:f", atLeast: "allow" };
    expect(checked(NONE, check({ amount: 5 }, part)).check).toMatchObject({ standingMs: 250 });
  });

  test.each([
    ["an argument counts", published([LIMITED])],
    ["it asks", published([])],
    ["it denies", published([{ tools: ["pay"], verdict: "deny" }])],
    ["everything is in shadow mode", published([ALLOW], { mode: "shadow" })],
  ])("and none where %s (S1)", (_what, start) => {
    expect(checked(start, check()).check?.standingMs).toBeUndefined();
  });

  test("and none where the operator chose that every call is checked", () => {
    const platform = { ...TEST_PLATFORM, standingMs: 0 };
    expect(checked(published([ALLOW]), check(), { platform }).check?.standingMs).toBeUndefined();
  });

  test("and none where the caller's own rules are stricter", () => {
    const part = { localRules: "sha256:f", atLeast: "ask" };
    expect(checked(published([ALLOW]), check({ amount: 5 }, part)).check?.standingMs).toBeUndefined();
  });
});

describe("calls under a standing permission", () => {
  test("are recorded together, with the arguments of each, and counted one by one", () => {
    const list = [{ amount: 1 }, { amount: 2 }, { amount: 2 }];
    const part = { annotations: { readOnlyHint: true }, session: "s1", localRules: "sha256:f" };
    const { types, check: found, end } = checked(published([ALLOW]), calls(list, 1, part));
    expect(types).toEqual(["check.recorded"]);
    expect(found).toMatchObject({ verdict: "allow", version: 1, calls: list, args: null, ...part });
    expect(end.get("tool_seen", toolSeenId(AGENT.name, "pay", 0))).toMatchObject({ calls: 3, allow: 3 });
    const logged = asLogged(end.facts[0] as never, "default");
    expect(logged?.data).toMatchObject({ verdict: "allow", calls: 3, rules_version: 1 });
    expect(logged?.content).toEqual({ calls: list });
  });

  test("renew the permission while the rules that count now allow every call, and else end it (S2)", () => {
    const first = published([ALLOW]);
    expect(checked(first, calls([{}], 1)).check).toMatchObject({ standingMs: 250 });
    const changed = published([LIMITED], {}, first);
    const late = checked(changed, calls([{}], 1)).check;
    expect(late).toMatchObject({ verdict: "allow", version: 1 });
    expect(late?.standingMs).toBeUndefined();
  });

  test("are recorded without published rules if the caller's own rules allowed them", () => {
    expect(checked(NONE, calls([{}], 0, { localRules: "sha256:f" })).check).toMatchObject({
      localRules: "sha256:f",
      standingMs: 250,
    });
    NONE.when(calls([{}], 0), { by: AGENT }).refused("not_allowed");
  });

  test("are refused where the version never gave the permission or does not exist (S3)", () => {
    published([LIMITED])
      .when(calls([{}], 1), { by: AGENT })
      .refused("not_allowed");
    published([ALLOW])
      .when(calls([{}], 2), { by: AGENT })
      .refused("not_allowed");
  });

  test("are refused from keys that may not check calls", () => {
    published([ALLOW])
      .when(calls([{}], 1), { by: OPERATOR })
      .refused("not_allowed");
  });
});
