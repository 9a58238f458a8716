/** Rules for tool calls, checks against them, and grants. */

import * as z from "zod";
import { RULE_MODES, RULES_MAX, STANDING_CALLS_MAX, VERDICTS } from "../rules/gating/index.ts";
import { CONDITIONS_MAX } from "../rules/gating/rule.ts";
import type { Json } from "../rules/json.ts";
import { Duration, Id, list, OpenObject, Time } from "./base.ts";
import { DecisionIn } from "./decision.ts";
import { HoldOut } from "./hold.ts";
import { ActorOut } from "./outcome.ts";
import { Key, RungIn } from "./place.ts";

const AnyJson = z
  .custom<Json>((value) => value !== undefined, "Invalid input: expected a JSON value")
  .meta({});
const NamePattern = z.string().min(1).max(200);
const Verdict = z.enum(VERDICTS);
const Mode = z.enum(RULE_MODES);

const ConditionItem = z
  .strictObject({
    equals: AnyJson.exactOptional(),
    in: list(AnyJson, { min: 1, max: 1_000 }).exactOptional(),
    min: z.number().exactOptional(),
    max: z.number().exactOptional(),
    matches: z
      .string()
      .min(1)
      .max(500)
      .exactOptional()
      .describe("An RE2 pattern that matches somewhere in the text."),
    exists: z.boolean().exactOptional(),
  })
  .describe("What one argument must be; all members must hold.");

export const RuleItem = z.strictObject({
  name: z.string().min(1).max(100).exactOptional(),
  tools: list(NamePattern, { min: 1, max: 200 }).describe("Names of tools; `*` stands for any text."),
  agents: list(NamePattern, { min: 1, max: 200 })
    .exactOptional()
    .describe("Names of agents; absent: every agent."),
  when: z
    .record(z.string().min(1).max(200), ConditionItem)
    .refine((when) => Object.keys(when).length <= CONDITIONS_MAX, `At most ${CONDITIONS_MAX} conditions`)
    .exactOptional()
    .describe("Conditions by path, such as `args.amount`."),
  verdict: Verdict,
  reason: z.string().min(1).max(500).exactOptional().describe("Told to the agent with the verdict."),
  mode: Mode.exactOptional().describe("`shadow`: the verdict is recorded and has no effect."),
  decision: DecisionIn.exactOptional(),
  timeout: Duration.exactOptional(),
  ladder: list(RungIn, { max: 100 }).exactOptional(),
  uses: z.int().min(1).max(1_000).exactOptional().describe("How often one approval may be executed."),
  per: z.literal("session").exactOptional().describe("The same call in another session is a new question."),
  grantable: z.boolean().exactOptional().describe("`false`: nobody may allow similar calls in advance."),
});
export type RuleItem = z.infer<typeof RuleItem>;

const ruleSet = {
  rules: list(RuleItem, { max: RULES_MAX }).describe("In order: the first rule that matches counts."),
  default: Verdict.exactOptional().describe("The verdict on calls that no rule matches; `ask` when absent."),
  mode: Mode.exactOptional().describe("`shadow`: no rule of the set has an effect. `enforce` when absent."),
};

export const RulesIn = z
  .strictObject({
    ...ruleSet,
    note: z.string().max(500).exactOptional().describe("Why they were changed, for the history."),
  })
  .meta({
    examples: [
      {
        rules: [
          { tools: ["read_*", "search"], verdict: "allow" },
          { tools: ["refund"], when: { "args.amount": { max: 50 } }, verdict: "allow" },
        ],
        default: "ask",
      },
    ],
  });
export type RulesIn = z.infer<typeof RulesIn>;

const WarningOut = z.strictObject({
  kind: z
    .enum(["unreachable", "contradictory", "overlapping", "unfulfillable"])
    .describe("`unfulfillable`: nobody can meet the decision of the rule today."),
  rule: z.int(),
  because_of: z.int(),
  message: z.string(),
});

export const RulesOut = z.strictObject({
  version: z.int().describe("0: nothing was published yet, and every call is asked about."),
  rules: list(RuleItem),
  default: Verdict,
  mode: Mode,
  source: z.enum(["config", "api"]).exactOptional(),
  note: z.string().exactOptional(),
  published_at: Time.exactOptional(),
  published_by: z.string().exactOptional(),
  explained: list(z.string()).describe("Each rule in words."),
  warnings: list(WarningOut).describe("Rules that probably do not do what their author wants."),
});
export type RulesOut = z.infer<typeof RulesOut>;

export const RulesHistoryOut = z.strictObject({
  versions: list(RulesOut),
  next_cursor: z.string().exactOptional(),
});

const callMembers = {
  tool: z.string().min(1).max(200).describe("The tool's name, as the agent calls it."),
  args: OpenObject.describe("The arguments of the call, all of them."),
  annotations: OpenObject.exactOptional().describe(
    "Hints of the tool's own server. They may add questions and never remove any.",
  ),
};

export const CheckIn = z
  .strictObject({
    ...callMembers,
    session: Id.exactOptional().describe("The agent's session, for rules that ask once per session."),
    thread_id: Id.exactOptional().describe("The conversation it belongs to, to find the hold by."),
    key: Key.exactOptional().describe("Tells two calls with the same arguments apart."),
    args_schema: OpenObject.exactOptional().describe(
      "JSON Schema of the arguments, for people who approve with changes.",
    ),
    local_rules: z
      .strictObject({ digest: z.string().min(1).max(200), verdict: Verdict })
      .exactOptional()
      .describe("What the caller's own rules said. The stricter verdict counts."),
  })
  .meta({ examples: [{ tool: "refund", args: { amount: 80, currency: "EUR" } }] });
export type CheckIn = z.infer<typeof CheckIn>;

export const StandingCallsIn = z
  .strictObject({
    tool: callMembers.tool,
    annotations: callMembers.annotations,
    rules_version: z.int().min(0).describe("The version whose standing permission was used."),
    calls: list(OpenObject, { min: 1, max: STANDING_CALLS_MAX }).describe("The arguments of each call."),
    session: Id.exactOptional().describe("The agent's session."),
    local_rules: z
      .strictObject({ digest: z.string().min(1).max(200) })
      .exactOptional()
      .describe("The digest of the local rules file that allowed the calls too."),
  })
  .meta({ examples: [{ tool: "search", rules_version: 3, calls: [{ query: "opening hours" }] }] });
export type StandingCallsIn = z.infer<typeof StandingCallsIn>;

const RuleRef = z.strictObject({ index: z.int(), name: z.string().exactOptional() });

export const CheckOut = z.strictObject({
  id: Id,
  verdict: Verdict.describe(
    "`allow`: run it, after claiming `hold` if there is one. `ask`: wait for `hold`.",
  ),
  reason: z.string(),
  rule: RuleRef.nullable().describe("The rule that matched; `null`: the default."),
  rules_version: z.int(),
  shadow: z
    .strictObject({ verdict: Verdict, rule: RuleRef.nullable() })
    .exactOptional()
    .describe("What rules in shadow mode would have said."),
  grant_id: Id.exactOptional(),
  agent: z.string(),
  tool: z.string(),
  at: Time,
  hold: HoldOut.exactOptional(),
  standing_ms: z
    .int()
    .exactOptional()
    .describe(
      "For so long after the request was sent, every call of this tool by this agent is allowed without a check. Record such calls with `POST /v1/checks/standing`.",
    ),
  calls: z.int().exactOptional().describe("How many calls it is about, if it records several."),
});
export type CheckOut = z.infer<typeof CheckOut>;

export const CheckListOut = z.strictObject({
  checks: list(CheckOut),
  next_cursor: z.string().exactOptional(),
});

export const TryRulesIn = z.strictObject({
  ...callMembers,
  agent: Id.describe("The agent that would make the call."),
  rules: RulesIn.exactOptional().describe("Absent: the rules that count now."),
});

export const TryRulesOut = z.strictObject({
  verdict: Verdict,
  reason: z.string(),
  rule: RuleRef.nullable(),
  explained: z.string().exactOptional(),
  shadow: z.strictObject({ verdict: Verdict, rule: RuleRef.nullable() }).exactOptional(),
});

export const ReplayIn = z.strictObject({
  ...ruleSet,
  cursor: z.string().max(400).exactOptional().describe("`next_cursor` of the page before."),
  limit: z.int().min(1).max(1_000).exactOptional().describe("How many checks to replay; 500 when absent."),
});

const Count = z.int().min(0);
const MOVES = VERDICTS.flatMap((was) => VERDICTS.map((now) => `${was}_${now}` as const));

export const ReplayOut = z.strictObject({
  checks: Count,
  erased: Count.describe("Recorded checks whose arguments were erased, and so could not be replayed."),
  moves: z.record(z.enum(MOVES), Count).describe("Checks by verdict then and now, such as `ask_allow`."),
  approved: Count,
  approved_then_allowed: Count,
  approved_then_denied: Count,
  rejected: Count,
  rejected_then_allowed: Count,
  cases: list(
    z.strictObject({
      check_id: Id,
      agent: z.string(),
      tool: z.string(),
      was: Verdict,
      would_be: Verdict,
      decided: z.enum(["approved", "rejected", "open", "nobody"]).exactOptional(),
      rule: z.int().nullable(),
    }),
  ),
  next_cursor: z
    .string()
    .exactOptional()
    .describe("More checks to replay: call again and add up the numbers."),
});
export type ReplayOut = z.infer<typeof ReplayOut>;

export const CoverageOut = z.strictObject({
  rules_version: z.int(),
  tools: list(
    z.strictObject({
      agent: z.string(),
      tool: z.string(),
      calls: Count,
      allow: Count,
      ask: Count,
      deny: Count,
      granted: Count,
      shadow: Count,
      first_at: Time,
      last_at: Time,
      last_verdict: Verdict,
      gated: z.boolean().describe("Whether a rule that counts is about this tool and this agent."),
    }),
  ),
  next_cursor: z.string().exactOptional(),
});
export type CoverageOut = z.infer<typeof CoverageOut>;

const ArgTermItem = z.union([
  z.enum(["equal", "any"]),
  z.strictObject({ in: list(AnyJson, { min: 1, max: 100 }) }),
  z.strictObject({ min: z.number(), max: z.number() }),
]);

export const GrantIn = z
  .strictObject({
    for: Duration.exactOptional(),
    until: Time.exactOptional(),
    uses: z.int().min(1).max(100_000).exactOptional().describe("How many calls it allows; 1 when absent."),
    args: z
      .record(z.string().min(1).max(200), ArgTermItem)
      .refine((args) => Object.keys(args).length <= 100, "At most 100 arguments")
      .exactOptional()
      .describe("What each argument may be; those not named must be equal."),
    sample_every: z
      .int()
      .min(2)
      .max(100_000)
      .exactOptional()
      .describe("Every nth matching call is still asked about."),
  })
  .refine(
    (grant) => (grant.for === undefined) !== (grant.until === undefined),
    "Give either `for` or `until`",
  )
  .describe("Allows similar calls in advance.");
export type GrantIn = z.infer<typeof GrantIn>;

const ArgTermOut = z.union([
  z.strictObject({ equal: AnyJson }),
  z.strictObject({ in: list(AnyJson) }),
  z.strictObject({ min: z.number(), max: z.number() }),
  z.strictObject({ any: z.literal(true) }),
]);

export const GrantOut = z.strictObject({
  id: Id,
  agent: z.string(),
  tool: z.string(),
  args: z.record(z.string(), ArgTermOut),
  explained: z.string().describe("The terms in words."),
  uses: Count,
  used: Count,
  until: Time,
  sample_every: Count.exactOptional(),
  state: z.enum(["active", "used_up", "expired", "revoked", "suspended"]),
  hold_id: Id.describe("The hold that it was made from."),
  minted_by: ActorOut,
  minted_at: Time,
  last_used_at: Time.exactOptional(),
  revoked_at: Time.exactOptional(),
  revoked_by: z.string().exactOptional(),
});
export type GrantOut = z.infer<typeof GrantOut>;

export const GrantListOut = z.strictObject({
  grants: list(GrantOut),
  next_cursor: z.string().exactOptional(),
});

export const SuggestionListOut = z.strictObject({
  suggestions: list(
    z.strictObject({
      agent: z.string(),
      tool: z.string(),
      approved_unchanged: Count,
      asked: Count,
      message: z.string(),
    }),
  ),
});
