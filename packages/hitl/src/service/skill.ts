/** A SKILL.md for agents that read before they call, made from the same declaration as everything else. */

import type { Declared } from "./declaration.ts";

/** YAML reads JSON scalars and lists, so quoting is JSON's and cannot be got wrong. */
function line(depth: number, name: string, value: unknown): readonly string[] {
  return value === undefined ? [] : [`${"  ".repeat(depth)}${name}: ${JSON.stringify(value)}`];
}

/** Skill names are lower-case words joined by hyphens. */
export function skillName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? ["service"];
  return words.join("-").slice(0, 64).replace(/-$/, "");
}

function frontMatter(declared: Declared): readonly string[] {
  return [
    "---",
    ...line(0, "name", skillName(declared.name)),
    ...line(0, "description", declared.description),
    "metadata:",
    "  hitl:",
    ...line(2, "supported", true),
    ...line(2, "types", declared.types),
    ...line(2, "info", declared.info),
    ...line(2, "review_base_url", `${declared.baseUrl}/review`),
    ...line(2, "timeout_default", declared.defaultTimeout),
    ...line(2, "supports_inline_submit", declared.inline === true),
    ...line(2, "hitl_required", declared.choiceRequired === true),
    ...line(2, "supports_improvement_suggestions", declared.improvements === true),
    "---",
  ];
}

const HANDLING = [
  "## HITL Handling",
  "",
  "Some requests need a person. Then the answer is HTTP 202 with a `hitl` object:",
  "",
  "1. Send `hitl.review_url` to your user, with `hitl.prompt`. Do not open, fill in or answer the page yourself.",
  "2. Poll `hitl.poll_url` with the credentials of your request, every 30 seconds or as `Retry-After` says, or listen to",
  "   `hitl.events_url`.",
  "3. On `completed` go on with `result.action` and `result.data`. On `expired` do what `default_action` says. On",
  "   `cancelled` stop, and say why if there is a `reason`.",
  "4. After the action `edit`, revise by `result.data.feedback` and send the request again with `previous_case_id`.",
];

const INLINE = [
  "",
  "When `hitl.submit_url` is there you may offer the actions in `hitl.inline_actions` as buttons in your chat. Post to it",
  "only when your user has tapped one, with `Authorization: Bearer <submit_token>`, and never put the token into a button.",
];

const GUIDELINES = [
  "",
  "## Agent Guidelines",
  "",
  "Every request must say whether a person shall decide. Send exactly one of:",
  "",
  "| member | effect |",
  "|---|---|",
  "| `prefer_hitl: true` | a person reviews it: HTTP 202 |",
  "| `skip_hitl: true` | it is done at once, without a person: HTTP 201 with `hitl_skipped: true` |",
  "",
  "Neither is refused with 400 `HITL_CHOICE_REQUIRED`, both with 400 `VALIDATION_ERROR`. A request with `previous_case_id`",
  "continues a review and needs no flag.",
];

const IMPROVEMENTS = [
  "",
  "## Improving a result",
  "",
  "A result may carry `improvement_suggestions`. Share the result first. Then ask your user one question at a time, from",
  "`agent_action`, and send the request again with what they said. Stop when the list is empty, when they decline, or after",
  "two rounds.",
];

export function skillMarkdown(declared: Declared): string {
  const lines = [
    ...frontMatter(declared),
    "",
    `# ${declared.name}`,
    "",
    declared.description,
    "",
    ...HANDLING,
    ...(declared.inline === true ? INLINE : []),
    ...(declared.choiceRequired === true ? GUIDELINES : []),
    ...(declared.improvements === true ? IMPROVEMENTS : []),
  ];
  return `${lines.join("\n")}\n`;
}
