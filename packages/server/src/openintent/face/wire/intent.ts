/** Intents on the wire. */

import * as z from "zod";
import { INTENT_STATUSES } from "../../rules/intent/intent.ts";
import { AnyJson, Constraints, Id, Name, Open, Text, TimeOut } from "./base.ts";

export const IntentStatusWord = z.enum(INTENT_STATUSES);

const Count = z.int().min(0);

export const CountsOut = z.looseObject({
  total: Count,
  by_status: z.looseObject({
    draft: Count,
    active: Count,
    blocked: Count,
    suspended_awaiting_input: Count,
    completed: Count,
    abandoned: Count,
  }),
  completion_percentage: z.int().min(0).max(100),
});

export const AggregateOut = CountsOut.extend({
  blocking_intents: z.array(Id).describe("What others wait for; the first of them."),
  ready_intents: z.array(Id).describe("What can be worked on; the first of them."),
});

export const IntentIn = z.looseObject({
  title: z.string().min(1).max(1000),
  description: Text.nullish(),
  constraints: Constraints.nullish(),
  state: Open.nullish(),
  created_by: z.string().nullish().describe("Taken from the credential, whatever stands here."),
  parent_intent_id: Id.nullish(),
  parent_id: Id.nullish(),
  depends_on: z.array(Id).max(100).nullish(),
  governance_policy: Open.nullish(),
  confidence: z.number().min(0).max(100).nullish(),
  status: IntentStatusWord.nullish(),
});

export const IntentOut = z.looseObject({
  id: Id,
  title: z.string(),
  description: z.string(),
  created_by: z.string(),
  parent_intent_id: Id.nullable(),
  parent_id: Id.nullable(),
  depends_on: z.array(Id),
  constraints: Constraints,
  state: Open.describe("`_suspension` is the newest suspension, `_suspension_history` those before it."),
  status: IntentStatusWord,
  confidence: z.number(),
  version: z.int().min(1),
  governance_policy: Open.nullable(),
  abandonment_reason: z.string().exactOptional(),
  aggregate_status: AggregateOut.exactOptional().describe("Of an intent with children: how they stand."),
  agents: z.array(z.string()),
  shared: z
    .enum(["open", "legacy"])
    .exactOptional()
    .describe(
      "Everyone of the workspace has access: `open` by the operator's default, `legacy` because it is older than private intents. Absent: it belongs to its creator.",
    ),
  created_at: TimeOut,
  updated_at: TimeOut,
});

export const IntentListOut = z.looseObject({ intents: z.array(IntentOut) });

export const IntentListQuery = z.object({
  status: IntentStatusWord.exactOptional(),
  created_by: Name.exactOptional(),
  parent_intent_id: Id.exactOptional(),
  limit: z.coerce.number().int().min(1).max(200).exactOptional(),
  offset: z.coerce.number().int().min(0).max(100_000).exactOptional(),
});

export const PatchItem = z.looseObject({
  op: z.enum(["set", "append", "remove"]),
  path: z.string().max(2000).describe("JSON pointer; the leading slash may be missing."),
  value: AnyJson.optional(),
});

/** Each member becomes one patch in the log. */
const STATE_MEMBERS_MAX = 5_000;

export const StateIn = z
  .looseObject({
    patches: z.array(PatchItem).min(1).max(500).nullish(),
    state: Open.nullish().describe(
      "Sets each member, as so many patches would; at most 5,000. To replace more, `set` the path `/`.",
    ),
  })
  .refine(
    ({ state }) => Object.keys(state ?? {}).length <= STATE_MEMBERS_MAX,
    `Too big: expected state to have at most ${STATE_MEMBERS_MAX} members`,
  )
  .refine(
    ({ patches, state }) => (patches ?? state ?? null) !== null,
    "Invalid input: expected patches or state",
  );

export const StatusIn = z.looseObject({
  status: IntentStatusWord,
  reason: z.string().max(2000).nullish(),
});

export const GovernanceOut = z.looseObject({
  intent_id: Id,
  governance_policy: Open.nullable(),
  effective_policy: Open,
});

export const AgentIn = z.looseObject({ agent_id: Name });

export const AgentOut = z.looseObject({ intent_id: Id, agent_id: Name });
