/**
 * What an agent's code sees, and how often the guarded tool runs, for every way a question can end (G14). Each row is written in
 * the idiom of its framework. A test plays every cell for real; `npm run docs` prints the table.
 */

export const ENDINGS = [
  "approved",
  "approved with changes",
  "changes requested",
  "rejected",
  "left empty",
  "dismissed",
  "expired",
  "cancelled",
] as const;

export type Ending = (typeof ENDINGS)[number];

export interface Cell {
  /** What the code is given, as JSON; in words where it is given nothing. */
  readonly sees: string;
  readonly runs: 0 | 1;
}

export interface Row {
  readonly title: string;
  /** The line that guards the tool. */
  readonly idiom: string;
  readonly cells: Readonly<Record<Ending, Cell>>;
}

const WAITS = no("nothing: it still waits");
const STOPPED = no("nothing: the run throws `NotAnswered`");

function no(sees: string): Cell {
  return { sees, runs: 0 };
}

function yes(sees: string): Cell {
  return { sees, runs: 1 };
}

/** Code that only tests for truth, behind the proxy. */
const TRUE_OR_FALSE: Row["cells"] = {
  approved: yes("`true`"),
  "approved with changes": no("`false`: there is no place for the changes"),
  "changes requested": no("`false`"),
  rejected: no("`false`"),
  "left empty": WAITS,
  dismissed: no("`false`"),
  expired: no("`false`"),
  cancelled: no("`false`"),
};

const ASK_PERSON: Row["cells"] = {
  approved: yes('`resolved`, approved, `{"approved":true}`'),
  "approved with changes": yes('`resolved`, approved, `{"approved":true,"editedArgs":{"amount":5}}`'),
  "changes requested": no('`resolved`, not approved, `{"approved":false,"feedback":"less"}`'),
  rejected: no('`resolved`, not approved, `{"approved":false}`'),
  "left empty": WAITS,
  dismissed: no("`cancelled`"),
  expired: no("`cancelled`, expired"),
  cancelled: no("`cancelled`"),
};

const REFUSED = "A person did not approve this call";
const NOT_RUN = "The tool did not run.";

/** What the model is told about a call of a wrapped tool: the code of the tool itself sees nothing but an approval. */
const WRAPPED: Row["cells"] = {
  approved: yes("the model: the tool's result"),
  "approved with changes": yes("the model: the result, and that a person changed the arguments"),
  "changes requested": no(`the model: \`${REFUSED}: less. ${NOT_RUN}\``),
  rejected: no(`the model: \`${REFUSED}. ${NOT_RUN}\``),
  "left empty": WAITS,
  dismissed: no(`the model: \`The question was withdrawn, so nobody decided about this call. ${NOT_RUN}\``),
  expired: no(`the model: \`Nobody answered in time, so nobody decided about this call. ${NOT_RUN}\``),
  cancelled: no(`the model: \`The question was withdrawn, so nobody decided about this call. ${NOT_RUN}\``),
};

const NOT_CLAIMABLE = no("nothing: it throws `not_claimable`");

/** What the hooks and the permission callback of coding agents are told. */
const HANDED_OVER: Row["cells"] = {
  approved: yes("`allow`"),
  "approved with changes": yes("`allow`, with the changed arguments"),
  "changes requested": no('`deny`: `ada answered "edit": less`'),
  rejected: no('`deny`: `ada answered "reject".`'),
  "left empty": no(
    "`deny`: `A person was asked and has not answered yet. The question stays open: make exactly the same call again to go on.`",
  ),
  dismissed: no("`deny`: `The question was withdrawn. Nobody decided, so the call did not run.`"),
  expired: no("`deny`: `Nobody answered in time. Nobody decided, so the call did not run.`"),
  cancelled: no("`deny`: `The question was withdrawn. Nobody decided, so the call did not run.`"),
};

export const TRUTH_TABLE = {
  plainInterrupt: {
    title: "LangGraph, `interrupt()`",
    idiom: 'const ok = interrupt("Refund?"); if (ok) refund()',
    cells: {
      approved: yes("`true`"),
      "approved with changes": no("`false`: there is no place for the changes"),
      "changes requested": no("`false`"),
      rejected: no("`false`"),
      "left empty": WAITS,
      dismissed: STOPPED,
      expired: STOPPED,
      cancelled: STOPPED,
    },
  },
  askPerson: {
    title: "LangGraph, `askPerson()`",
    idiom: "executeOnce(holdpoint, askPerson(ask), (edited) => refund(edited))",
    cells: ASK_PERSON,
  },
  langChain: {
    title: "LangChain, `humanInTheLoopMiddleware`",
    idiom: "tools: approvals(hp).wrap([refund])",
    cells: WRAPPED,
  },
  aiSdk: {
    title: "Vercel AI SDK",
    idiom: "tools: approvals(hp).wrap({ refund })",
    cells: WRAPPED,
  },
  openAiAgents: {
    title: "OpenAI Agents SDK",
    idiom: "tools: approvals(hp).wrap([refund])",
    cells: WRAPPED,
  },
  mastra: {
    title: "Mastra",
    idiom: "tools: approvals(hp).wrap({ refund })",
    cells: WRAPPED,
  },
  workflow: {
    title: "Any workflow engine",
    idiom: 'executeOnce(holdpoint, answers.get("refund"), (edited) => refund(edited))',
    cells: ASK_PERSON,
  },
  tool: {
    title: "AG-UI handler, `run.tool()`",
    idiom: "await run.tool({ name, args, editable, execute: refund })",
    cells: {
      approved: yes("`executed`"),
      "approved with changes": yes("`executed`, with the changed arguments"),
      "changes requested": no("`denied`"),
      rejected: no("`denied`"),
      "left empty": WAITS,
      dismissed: no("`cancelled`"),
      expired: no("`cancelled`"),
      cancelled: no("`cancelled`"),
    },
  },
  released: {
    title: "AG-UI proxy, released form",
    idiom: 'if (entry.status === "resolved" && entry.payload.approved) refund()',
    cells: {
      approved: yes('`{"status":"resolved","payload":{"approved":true}}`'),
      "approved with changes": yes(
        '`{"status":"resolved","payload":{"approved":true,"editedArgs":{"amount":5}}}`',
      ),
      "changes requested": no('`{"status":"resolved","payload":{"approved":false,"feedback":"less"}}`'),
      rejected: no('`{"status":"resolved","payload":{"approved":false}}`'),
      "left empty": WAITS,
      dismissed: no('`{"status":"cancelled"}`'),
      expired: no('`{"status":"cancelled"}`'),
      cancelled: no('`{"status":"cancelled"}`'),
    },
  },
  draft: {
    title: "AG-UI proxy, draft form",
    idiom: "if (resume.payload.approved) refund()",
    cells: {
      approved: yes('`{"approved":true}`'),
      "approved with changes": yes('`{"approved":true,"editedArgs":{"amount":5}}`'),
      "changes requested": no('`{"approved":false,"feedback":"less"}`'),
      rejected: no('`{"approved":false}`'),
      "left empty": WAITS,
      dismissed: no('`{"cancelled":true}`'),
      expired: no('`{"cancelled":true}`'),
      cancelled: no('`{"cancelled":true}`'),
    },
  },
  custom: {
    title: "AG-UI proxy, `CUSTOM on_interrupt`",
    idiom: "if (forwardedProps.command.resume) refund()",
    cells: TRUE_OR_FALSE,
  },
  bridged: {
    title: "AG-UI proxy, LangGraph behind `@ag-ui/langgraph`",
    idiom: 'const ok = interrupt("Refund?"); if (ok) refund()',
    cells: TRUE_OR_FALSE,
  },
  hitl: {
    title: "HITL Protocol, `@holdpoint/hitl/agent`",
    idiom: 'if (decision.kind === "completed" && decision.action === "approve") refund(decision.data)',
    cells: {
      approved: yes("`completed`, `approve`, `{}`"),
      "approved with changes": yes('`completed`, `approve`, `{"edited_args":{"amount":5}}`'),
      "changes requested": no("`unsettled`, `no_next_round`"),
      rejected: no("`completed`, `reject`, `{}`"),
      "left empty": WAITS,
      dismissed: no("`cancelled`"),
      expired: no("`expired`, `abort`"),
      cancelled: no("`cancelled`"),
    },
  },
  openIntent: {
    title: "OpenIntent, `requestInput()` of `@holdpoint/openintent`",
    idiom: 'if ((await agent.requestInput(intentId, { question, choices })) === "approve") refund()',
    cells: {
      approved: yes('`"approve"`'),
      "approved with changes": no("nothing: it still waits, and the changes are refused with 422"),
      "changes requested": no('`"revise"`'),
      rejected: no('`"deny"`'),
      "left empty": WAITS,
      dismissed: no("nothing: it throws `InputCancelledError`"),
      expired: no("nothing: it throws `InputTimeoutError`"),
      cancelled: no("nothing: it throws `InputCancelledError`"),
    },
  },
  gate: {
    title: "aioc gate, `connectApprovals()` of `@holdpoint/gate/host`",
    idiom: "await host.resume(proposal, agent, { context, policies })",
    cells: {
      approved: yes("`executed`"),
      "approved with changes": yes("`executed`, with the changed arguments"),
      "changes requested": no("`not_approved`, `rejected`"),
      rejected: no("`not_approved`, `rejected`"),
      "left empty": no("`not_approved`, `pending`"),
      dismissed: no("`not_approved`, `dismissed`"),
      expired: no("`not_approved`, `expired`"),
      cancelled: no("`not_approved`, `dismissed`"),
    },
  },
  sdkApprove: {
    title: "SDK, `hp.approve()`",
    idiom: 'const approved = await hp.approve("Refund?"); if (approved) await approved.runOnce(refund)',
    cells: {
      approved: yes("the approval"),
      "approved with changes": yes("the approval, with the changed arguments"),
      "changes requested": no("`false`"),
      rejected: no("`false`"),
      "left empty": WAITS,
      dismissed: no("nothing: it throws `CancelledError`"),
      expired: no("nothing: it throws `ExpiredError`"),
      cancelled: no("nothing: it throws `CancelledError`"),
    },
  },
  sdkRunOnce: {
    title: "SDK, `runOnce()`",
    idiom: "await runOnce(hp.client, hold, refund)",
    cells: {
      approved: yes("the result of `refund`"),
      "approved with changes": no(
        'nothing: it throws `edited_args`, and `{"edited_args":{"amount":5}}` on the hold',
      ),
      "changes requested": NOT_CLAIMABLE,
      rejected: NOT_CLAIMABLE,
      "left empty": NOT_CLAIMABLE,
      dismissed: NOT_CLAIMABLE,
      expired: NOT_CLAIMABLE,
      cancelled: NOT_CLAIMABLE,
    },
  },
  claudeAgent: {
    title: "Claude Agent SDK, `canUseTool`",
    idiom: "canUseTool: holdpointPermission(hp)",
    cells: HANDED_OVER,
  },
  hook: {
    title: "Coding agents, `holdpoint hook claude`",
    idiom: 'hooks: { PreToolUse: "holdpoint hook claude" }',
    cells: {
      ...HANDED_OVER,
      "left empty": no("`ask`: the agent's own prompt appears, and the question stays open"),
    },
  },
  mcpServer: {
    title: "MCP server, `ask_human`",
    idiom: 'if (answer.status === "answered" && answer.action === "approve") refund()',
    cells: {
      approved: yes("`answered`, `approve`, `{}`"),
      "approved with changes": yes('`answered`, `approve`, `{"edited_args":{"amount":5}}`'),
      "changes requested": no('`answered`, `edit`, `{"feedback":"less"}`'),
      rejected: no("`answered`, `reject`, `{}`"),
      "left empty": no("`pending`"),
      dismissed: no("`cancelled`"),
      expired: no("`expired`"),
      cancelled: no("`cancelled`"),
    },
  },
  mcpGateway: {
    title: "MCP gateway",
    idiom: "holdpoint mcp-gateway -- <command>",
    cells: {
      approved: yes("`sent 80`"),
      "approved with changes": yes(
        '`A person changed the arguments before approving. The call ran with {"amount":5}. Do not repeat it. sent 5`',
      ),
      "changes requested": no('`Not executed: ada answered "edit": less`'),
      rejected: no('`Not executed: ada answered "reject".`'),
      "left empty": no("`Pending: …`: it still waits"),
      dismissed: no("`Not executed: The question was withdrawn. Nobody decided, so the call did not run.`"),
      expired: no("`Pending: …`: the same call asks again"),
      cancelled: no("`Not executed: The question was withdrawn. Nobody decided, so the call did not run.`"),
    },
  },
} satisfies Readonly<Record<string, Row>>;

export type RowName = keyof typeof TRUTH_TABLE;

/** The rows of our own agent libraries, which no adapter may import: `e2e/truth-table.test.ts` plays them. */
export const LIBRARY_ROWS = ["hitl", "openIntent", "gate"] as const satisfies readonly RowName[];
export type LibraryRow = (typeof LIBRARY_ROWS)[number];

/** Guarded calls without a framework, and the Claude Agent SDK: `e2e/truth-table-calls.test.ts` plays them. */
export const CALL_ROWS = [
  ...(["sdkApprove", "sdkRunOnce", "claudeAgent", "hook", "mcpServer", "mcpGateway"] as const),
] as const satisfies readonly RowName[];
export type CallRow = (typeof CALL_ROWS)[number];

/** Every way a person can change a question while granting it, with what is run instead (G14). `e2e/truth-table-changes.test.ts` plays them. */
export const CHANGES = [
  {
    title: "an approval with other arguments",
    ...{ type: "approval" as const, action: "approve", context: { arguments: { amount: 80 } } },
    ...{ data: { edited_args: { amount: 5 } }, printed: { amount: 5 } },
  },
  {
    title: "an approval with `edits`",
    ...{ type: "approval" as const, action: "approve", context: { arguments: { amount: 80 } } },
    ...{ data: { edits: { amount: 5 } }, printed: undefined },
  },
  {
    title: "an escalation to be retried with another parameter",
    ...{ type: "escalation" as const, action: "retry", context: { params: { amount: 80, to: "ada" } } },
    ...{ data: { modified_params: { amount: 5 } }, printed: { amount: 5, to: "ada" } },
  },
  {
    title: "a confirmation of a part of the items",
    ...{ type: "confirmation" as const, action: "confirm", context: { items: [{ id: "a" }, { id: "b" }] } },
    ...{ data: { confirmed_items: ["a"] }, printed: ["a"] },
  },
  {
    title: "a confirmation of no item",
    ...{ type: "confirmation" as const, action: "confirm", context: { items: [{ id: "a" }, { id: "b" }] } },
    ...{ data: { confirmed_items: [] }, printed: [] },
  },
] as const;
