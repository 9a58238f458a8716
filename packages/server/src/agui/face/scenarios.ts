/** The demo agent: no model, one scenario for each way of asking, chosen by the first word of the last user message. */

import type { AgUiAgent, AgUiRun } from "@holdpoint/protocol/agui/runtime";
import { isObject, type Json } from "@holdpoint/protocol/rules";

type Scenario = (run: AgUiRun) => AsyncGenerator<string, unknown, void>;

const transfer = (amount: number, to: string) => ({
  name: "transfer",
  args: { amount, to },
  execute: ({ amount: paid = 0, to: payee = "nobody" }: Readonly<Record<string, unknown>>) =>
    `Transferred ${String(paid)} EUR to ${String(payee)} (demo).`,
});

const TRANSFER_SCHEMA = {
  type: "object",
  properties: { amount: { type: "number", minimum: 1 }, to: { type: "string", minLength: 1 } },
  required: ["amount", "to"],
  additionalProperties: false,
};

const UPLOAD = {
  type: "object",
  title: "Signed contract",
  "x-file-upload": true,
  properties: { file_id: { type: "string" }, name: { type: "string" }, sha256: { type: "string" } },
  required: ["file_id", "name", "sha256"],
};

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  async *approval(run) {
    yield "I would like to transfer the money.";
    const { kind } = await run.tool({
      ...transfer(120, "Ada"),
      approval: { message: "Transfer 120 EUR to Ada?" },
    });
    yield kind === "executed" ? "The money is on its way." : "Nothing was transferred.";
    return { transfer: kind };
  },
  async *edits(run) {
    yield "I have prepared a transfer.";
    const outcome = await run.tool({
      ...transfer(500, "Grace"),
      editable: TRANSFER_SCHEMA,
      approval: { message: "Transfer 500 EUR to Grace? You may change it first." },
    });
    return { transfer: outcome.kind, ...(outcome.kind === "executed" ? { args: outcome.args } : {}) };
  },
  async *parallel(run) {
    yield "Three transfers are due.";
    const outcomes = await run.toolAll([transfer(10, "Ada"), transfer(20, "Grace"), transfer(30, "Alan")]);
    return { transfers: outcomes.map(({ kind }) => kind) };
  },
  async *form(run) {
    yield "I need an address.";
    const answer = await run.interrupt({
      reason: "input_required",
      message: "Where shall we deliver?",
      responseSchema: {
        type: "object",
        properties: {
          street: { type: "string", minLength: 1, title: "Street" },
          city: { type: "string", minLength: 1, title: "City" },
          express: { type: "boolean", default: false, title: "Express" },
        },
        required: ["street", "city"],
        additionalProperties: false,
      },
    });
    return answer.status === "resolved" ? { address: answer.payload } : { address: null };
  },
  async *confirmation(run) {
    yield "This cannot be undone.";
    const answer = await run.interrupt({ reason: "confirmation", message: "Close the account for good?" });
    return { closed: answer.status === "resolved" && answer.approved };
  },
  async *file(run) {
    yield "I need a file from you.";
    const answer = await run.interrupt({
      reason: "upload_required",
      message: "Please upload the signed contract.",
      payload: { accept: ["application/pdf"], maxBytes: 10_485_760 },
      responseSchema: {
        type: "object",
        properties: { file: UPLOAD, note: { type: "string", title: "Note" } },
        required: ["file"],
      },
    });
    return answer.status === "resolved" && isObject(answer.payload)
      ? { file: answer.payload["file"] ?? null }
      : { file: null };
  },
  async *policy(run) {
    yield "A policy stands in the way.";
    const answer = await run.interrupt({
      reason: "policy_hold",
      message: "Sending customer data outside needs a second pair of eyes.",
      payload: { policy: "data-export", recipients: ["partner.example"], records: 1200 },
    });
    return { released: answer.status === "resolved" && answer.approved };
  },
  async *wizard(run) {
    yield "Three short questions.";
    const answers = [];
    for (const [step, title] of ["Name", "Team", "Start date"].entries()) {
      const answer = await run.interrupt({
        reason: "input_required",
        message: `Step ${step + 1} of 3: ${title}`,
        responseSchema: {
          type: "object",
          properties: { value: { type: "string", minLength: 1, title } },
          required: ["value"],
        },
      });
      if (answer.status === "cancelled") return { stopped: step + 1 };
      answers.push(isObject(answer.payload) ? (answer.payload["value"] ?? null) : null);
      yield `Noted: ${title}.`;
    }
    return { answers };
  },
  async *database(run) {
    yield "Some rows are to go.";
    const answer = await run.interrupt({
      reason: "database_modification",
      message: "Delete 340 inactive users?",
      payload: {
        action: "DELETE",
        table: "users",
        affectedRows: 340,
        query: "DELETE FROM users WHERE last_login < '2023-01-01'",
        rollbackPlan: "Restore from the backup of last night",
        riskLevel: "high",
      },
    });
    return { deleted: answer.status === "resolved" && answer.approved ? 340 : 0 };
  },
  async *recovery(run) {
    yield "Something went wrong.";
    const answer = await run.interrupt({
      reason: "error_recovery",
      message: "The payment service does not answer. What now?",
      payload: { error: "timeout", attempts: 3, params: { timeoutMs: 2000 } },
    });
    return { recovery: answer.status === "resolved" ? answer.payload : "cancelled" };
  },
};

export const SCENARIO_NAMES: readonly string[] = Object.keys(SCENARIOS);

export const demoAgent: AgUiAgent = (run) => {
  const scenario = SCENARIOS[wordOf(run)];
  return scenario === undefined ? unknownWord() : scenario(run);
};

async function* unknownWord(): AsyncGenerator<string, unknown, void> {
  yield `Say one of: ${SCENARIO_NAMES.join(", ")}.`;
  return null;
}

function wordOf({ messages }: AgUiRun): string {
  const last = messages.findLast(({ role }) => role === "user");
  const text = textOf(last?.content);
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(SCENARIOS, word) ? word : "";
}

/** The content of a message is a text, or a list of parts of which some are texts. */
function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.map(({ text }) => (typeof text === "string" ? text : "")).join(" ");
}
