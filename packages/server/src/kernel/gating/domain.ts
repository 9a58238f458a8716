/** The table of kinds, commands and facts for rules, checks and grants. */

import { type CommandTable, type Domain, kind } from "../domain.ts";
import { accept } from "../draft.ts";
import { actorText, SYSTEM } from "../principal.ts";
import { CALL_ATTACHMENT } from "./attachment.ts";
import { checkCall, checkNeeds } from "./check.ts";
import type { GatingCommand } from "./commands.ts";
import { GATING_FACTS } from "./facts.ts";
import type {
  AgentChecks,
  Call,
  Check,
  CurrentRules,
  Grant,
  GrantList,
  RulesVersion,
  ToolAnswers,
  ToolSeen,
} from "./gating.ts";
import { revokeGrant, revokeNeeds } from "./grants.ts";
import { publishNeeds, publishRules } from "./publish.ts";
import { recordStanding, standingNeeds } from "./standing.ts";

export const GATING_KINDS = {
  /** `current` → the version that counts. */
  rules: kind<CurrentRules>({ vouched: ({ version, source }) => ({ version, source }) }),
  rules_version: kind<RulesVersion>({ isImmutable: true }),
  check: kind<Check>({
    timer: { dueAt: ({ dropAt }) => dropAt, command: (checkId) => ({ kind: "drop_check", checkId }) },
    salt: ({ salt }) => salt,
  }),
  call: kind<Call>(),
  tool_seen: kind<ToolSeen>(),
  tool_answers: kind<ToolAnswers>(),
  agent_checks: kind<AgentChecks>(),
  grant: kind<Grant>({
    salt: ({ salt }) => salt,
    vouched: ({ agent, tool, argsDigest, uses, used, until, ruleDigest, revokedAt = null }) => ({
      ...{ agent, tool, argsDigest, uses, used, until, ruleDigest, revokedAt },
    }),
  }),
  grant_list: kind<GrantList>(),
};

const commands = {
  publish_rules: { about: "rules", needs: publishNeeds, decide: publishRules },
  check_call: { about: "check", needs: checkNeeds, decide: checkCall },
  record_standing: { about: "check", needs: standingNeeds, decide: recordStanding },
  drop_check: {
    about: "check",
    needs: ({ checkId }) => [{ kind: "check", id: checkId }],
    decide({ checkId }, draft, { now }) {
      const check = draft.get("check", checkId);
      if (check === undefined || check.dropAt > now) return { ok: true, id: checkId, fresh: false };
      draft.state({
        kind: "check",
        id: checkId,
        fact: { type: "check.dropped" },
        at: now,
        actor: actorText(SYSTEM),
      });
      return accept(checkId);
    },
  },
  revoke_grant: { about: "grant", needs: revokeNeeds, decide: revokeGrant },
} satisfies CommandTable<GatingCommand>;

export const GATING = {
  kinds: GATING_KINDS,
  commands,
  facts: GATING_FACTS,
  attachment: CALL_ATTACHMENT,
} satisfies Domain;
