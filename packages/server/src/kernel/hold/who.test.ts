import { describe, expect, test } from "vitest";
import {
  ADMIN,
  AGENT,
  APP,
  AUDITOR,
  DEV,
  decidedHold,
  holdIn,
  link,
  newLink,
  OPERATOR,
  OTHER_AGENT,
  openHold,
  reviewer,
} from "../../testing/core-samples.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import { type Principal, SYSTEM } from "../principal.ts";
import type { Hold } from "./hold.ts";
import { byOf, mayKnow, whyNotAnswer, whyNotCancel } from "./who.ts";

const WHO = {
  agent: AGENT,
  stranger: OTHER_AGENT,
  app: { ...APP, claimed: { name: "Eve" } },
  operator: OPERATOR,
  admin: ADMIN,
  auditor: AUDITOR,
  dev: DEV,
  link: reviewer(link().body),
  system: SYSTEM,
} as const satisfies Record<string, Principal>;

type Who = keyof typeof WHO;
type Verdict = "ok" | string;

const id = { holdId: "h1" } as const;
const answer = { kind: "answer_hold", ...id, action: "approve", data: {}, door: "rest" } as const;
const claim = { id: "c", by: "key:refunder", at: 1, until: 9_999, state: "claimed" } as const;
const mine: Partial<Record<Who, Verdict>> = { stranger: "not_found", app: "not_found", link: "not_found" };

/** Every command on a hold of `refunder`, and its result for each caller; callers that are not named get `else`. */
const TABLE: readonly {
  readonly command: BareCommand;
  readonly hold?: Hold;
  readonly verdicts: Partial<Record<Who, Verdict>> & { readonly else: Verdict };
}[] = [
  {
    command: { kind: "place_hold", hold: holdIn({ id: "h2" }) },
    verdicts: { agent: "ok", stranger: "ok", app: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "place_group", groupId: "g1", holds: [holdIn({ id: "h2" })] },
    verdicts: { agent: "ok", stranger: "ok", app: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { ...answer, linkHash: "hash-1" },
    verdicts: { ...mine, link: "ok", operator: "ok", admin: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "cancel_hold", ...id, linkHash: "hash-1" },
    verdicts: {
      ...mine,
      link: "ok",
      agent: "ok",
      operator: "ok",
      admin: "ok",
      dev: "ok",
      else: "not_allowed",
    },
  },
  {
    command: { kind: "open_hold", ...id, linkHash: "hash-1" },
    verdicts: { ...mine, link: "ok", operator: "ok", admin: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "progress_hold", ...id, linkHash: "hash-1" },
    verdicts: { ...mine, link: "ok", operator: "ok", admin: "ok", dev: "ok", else: "not_allowed" },
  },
  { command: { kind: "tick_hold", ...id }, verdicts: { auditor: "not_allowed", else: "ok" } },
  {
    command: { kind: "make_link", ...id, link: newLink({ hash: "hash-2" }) },
    verdicts: { ...mine, operator: "ok", admin: "ok", dev: "ok", system: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "revoke_link", ...id, linkHash: "hash-1" },
    verdicts: { ...mine, operator: "ok", admin: "ok", dev: "ok", system: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "claim_hold", ...id, claimId: "c", digest: "sha256:h1", leaseMs: 5 },
    hold: decidedHold(),
    verdicts: { ...mine, agent: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "finish_claim", ...id, claimId: "c", ok: true },
    hold: decidedHold({ claim }),
    verdicts: { ...mine, agent: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "release_claim", ...id },
    hold: decidedHold({ claim }),
    verdicts: { ...mine, operator: "ok", admin: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "revoke_hold", ...id },
    hold: decidedHold(),
    verdicts: { ...mine, agent: "ok", operator: "ok", admin: "ok", dev: "ok", else: "not_allowed" },
  },
  {
    command: { kind: "erase_hold", ...id },
    hold: decidedHold(),
    verdicts: { ...mine, admin: "ok", dev: "ok", else: "not_allowed" },
  },
];

describe.each(TABLE)("permission for $command.kind", ({ command, hold = openHold(), verdicts }) => {
  test.each(Object.keys(WHO) as Who[])(
    "the caller %s gets the result that the permission table lists",
    (who) => {
      const { reply } = given(hold, link()).when(command, { by: WHO[who] }).step.decision;
      expect(reply.ok ? "ok" : reply.failure.code).toBe(verdicts[who] ?? verdicts.else);
    },
  );
});

function verdictOf(hold: Hold, by: Principal, command: BareCommand, made = link()): Verdict {
  const { reply } = given(hold, made).when(command, { by }).step.decision;
  return reply.ok ? "ok" : reply.failure.code;
}

describe("who asks cannot answer (G7)", () => {
  test.each([OPERATOR, ADMIN])("the role $role may not answer a hold that it placed itself", (by) => {
    expect(verdictOf(openHold({ createdBy: by.name }), by, answer)).toBe("not_allowed");
  });

  test("dev may answer a hold that it placed itself", () => {
    expect(verdictOf(openHold({ createdBy: "dev" }), DEV, answer)).toBe("ok");
  });

  test("an app may answer a hold that it placed, for an end user it names", () => {
    const asked = openHold({ createdBy: "shop", askedByApp: true });
    expect(verdictOf(asked, WHO.app, answer)).toBe("ok");
    expect(
      verdictOf(openHold({ createdBy: "shop" }), WHO.app, answer),
      "an agent of the same name asked",
    ).toBe("not_allowed");
    expect(verdictOf(asked, APP, answer)).toBe("not_allowed");
    expect(verdictOf(openHold({ createdBy: "shop" }), { ...WHO.app, name: "mall" }, answer)).toBe(
      "not_found",
    );
    const after = given(asked).when(answer, { by: WHO.app }).then("hold.decided");
    expect(after.hold().outcome).toMatchObject({
      by: { kind: "app", name: "shop", claimed: { name: "Eve" } },
    });
  });
});

describe("named answerers", () => {
  const forAda = openHold({ answerers: ["ada"] });
  const byLink = { ...answer, linkHash: "hash-1" } as const;

  test("a hold that names its answerers refuses everybody else", () => {
    expect(verdictOf(forAda, OPERATOR, answer)).toBe("ok");
    expect(verdictOf(forAda, ADMIN, answer)).toBe("not_allowed");
    expect(
      verdictOf({ ...forAda, createdBy: "shop", askedByApp: true }, WHO.app, answer),
      "a claimed name does not count",
    ).toBe("not_allowed");
  });

  test("a link answers a hold with named answerers only if it was made for one of them", () => {
    const hers = link({ recipient: "ada" });
    const his = link({ recipient: "bob" });
    expect(verdictOf(forAda, reviewer(hers.body), byLink, hers)).toBe("ok");
    expect(verdictOf(forAda, reviewer(his.body), byLink, his)).toBe("not_allowed");
    expect(verdictOf(forAda, WHO.link, byLink)).toBe("not_allowed");
    const dismiss = { kind: "cancel_hold", ...id, linkHash: "hash-1" } as const;
    expect(verdictOf(forAda, reviewer(hers.body), dismiss, hers)).toBe("ok");
    expect(verdictOf(forAda, WHO.link, dismiss)).toBe("not_allowed");
  });
});

describe("links", () => {
  const commands: readonly BareCommand[] = [
    { ...answer, linkHash: "hash-1" },
    { kind: "cancel_hold", ...id, linkHash: "hash-1" },
    { kind: "open_hold", ...id, linkHash: "hash-1" },
    { kind: "progress_hold", ...id, linkHash: "hash-1" },
  ];

  test.each(commands)("a link of another hold gets not_found: $kind", (command) => {
    expect(verdictOf(openHold(), WHO.link, command, link({ holdId: "h9" }))).toBe("not_found");
  });

  test.each(commands)("a revoked link is refused: $kind", (command) => {
    expect(verdictOf(openHold(), WHO.link, command, link({ revokedAt: 5 }))).toBe("not_allowed");
    expect(verdictOf(openHold(), WHO.link, command, link({ purpose: "read" }))).toBe("not_allowed");
  });

  test("attack 12: a link limited to some actions answers with those only and cannot dismiss", () => {
    const inline = link({ purpose: "submit", actions: ["approve"] });
    const by = reviewer(inline.body);
    expect(verdictOf(openHold(), by, { ...answer, linkHash: "hash-1" }, inline)).toBe("ok");
    expect(verdictOf(openHold(), by, { ...answer, action: "reject", linkHash: "hash-1" }, inline)).toBe(
      "not_allowed",
    );
    expect(verdictOf(openHold(), by, { kind: "cancel_hold", ...id, linkHash: "hash-1" }, inline)).toBe(
      "not_allowed",
    );
  });
});

test("whyNotAnswer and whyNotCancel refuse even if the visibility check before them is left out", () => {
  expect(whyNotAnswer(openHold(), WHO.app, undefined, "approve")?.code).toBe("not_allowed");
  expect(whyNotAnswer(openHold(), WHO.link, undefined, "approve")?.code).toBe("not_allowed");
  expect(whyNotAnswer(openHold(), WHO.link, link({ holdId: "h9" }).body, "approve")?.code).toBe(
    "not_allowed",
  );
  expect(whyNotCancel(openHold(), WHO.link, undefined)?.code).toBe("not_allowed");
});

test("G9 sensitive answers are for the asker and the dev key, and for nobody where the ask withholds them", () => {
  const know = (hold: Hold) => Object.entries(WHO).flatMap(([who, by]) => (mayKnow(hold, by) ? [who] : []));
  expect(know(openHold())).toEqual(["agent", "dev"]);
  expect(know(openHold({ createdBy: APP.name, askedByApp: true }))).toEqual(["app", "dev"]);
  expect(know(openHold({ withholdSensitive: true }))).toEqual([]);
});

test("byOf throws for the server itself, because it never decides (G5)", () => {
  expect(() => byOf(SYSTEM)).toThrow("Invariant: the server itself cannot answer or cancel a hold");
});
