import { describe, expect, test } from "vitest";
import { APPROVAL, link, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { PAGE_ONLY } from "./inline.ts";

const submit = (part: object = {}) => link({ purpose: "submit", actions: ["approve"], ...part });
const UNKNOWN_CALL = { ...APPROVAL, context: { call_unknown: true } };
const ACCOUNT = { platform: "slack", id: "U1" };

function answer(action: string, claimed: Record<string, string> = ACCOUNT) {
  const command = { kind: "answer_hold", holdId: "h1", action, data: {}, door: "inline" } as const;
  return [{ ...command, linkHash: "hash-1" }, { by: { ...reviewer(submit().body), claimed } }] as const;
}

const onPage = (because: string) => ({
  failure: { code: "not_allowed", detail: { door: "page", because } },
});

describe("an inline answer (G7)", () => {
  test("is taken with a submit token, for one of its actions", () => {
    given(openHold(), submit())
      .when(...answer("approve"))
      .then("hold.decided");
    const { actions: _any, ...body } = submit().body;
    given(openHold(), { ...submit(), body })
      .when(...answer("approve"))
      .then("hold.decided");
  });

  test.for([
    ["the token is for another action", {}, "reject", {}],
    ["the hold is answered on the page only", { face: PAGE_ONLY }, "approve", {}],
    ["the exact call is unknown, so that the answer needs a note", { ask: UNKNOWN_CALL }, "approve", {}],
    ["the workspace has no inline answers", {}, "approve", { noInline: true }],
  ] as const)("is left to the page where %s", ([, hold, action, settings]) => {
    const rows = { kind: "workspace", id: "settings", body: { webhooks: [], ...settings } } as const;
    const refused = given(openHold(hold as object), submit(), rows)
      .when(...answer(action))
      .refused("not_allowed");
    expect(refused.reply).toMatchObject(onPage("action"));
  });

  test("is taken only for the accounts that the hold names, if it names any", () => {
    const submitters = [{ platform: "slack", platform_user_id: "U1" }, "nobody"];
    const named = given(openHold({ face: { submitters } }), submit());
    named.when(...answer("approve")).then("hold.decided");
    for (const claimed of [{ platform: "slack", id: "U2" }, { platform: "teams", id: "U1" }, {}]) {
      const refused = named.when(...answer("approve", claimed as Record<string, string>));
      expect(refused.refused("not_allowed").reply).toMatchObject(onPage("account"));
    }
  });
});
