/** The rows of the truth table for guarded tool calls outside a framework: SDK, MCP and coding agents (G14). */

import { holdpointPermission } from "@holdpoint/adapters/claude-agent";
import { Holdpoint, isNotDecidedError, isTerminalError, runOnce } from "@holdpoint/sdk";
import { describe, expect, it } from "vitest";
import { bringAbout, HOUR_MS } from "../packages/adapters/src/testing/endings.ts";
import {
  CALL_ROWS,
  type CallRow,
  type Cell,
  ENDINGS,
  type Ending,
  TRUTH_TABLE,
} from "../packages/adapters/src/testing/truth-table.ts";
import { runHook } from "../packages/server/src/hooks/run-hook.ts";
import { overHttp, type ToolResult } from "../packages/server/src/mcp/clients.fixture.ts";
import { gatewayStage } from "../packages/server/src/mcp/gateway/stage.fixture.ts";
import { type TestServer, testServer } from "../packages/server/src/testing/test-server.ts";

interface Played {
  readonly sees: string;
  readonly runs: number;
}

/** Only where nobody answers does the caller stop waiting before its question ends. */
const waitMsOf = (ending: Ending) => (ending === "left empty" ? 60_000 : 2 * HOUR_MS);
const PUSH = "git push --force";
const EDITED = { command: "git push", cwd: "/repo" };
const isEdit = (ending: Ending) => ending === "approved with changes";

function agentOf({ server }: TestServer) {
  const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
  return server.client({ workspace: "default", principal });
}

/** Every call asks, and its question expires within the hour. */
async function askAboutCalls({ call, keys }: TestServer): Promise<void> {
  const rules = [{ tools: ["*"], verdict: "ask", timeout: "1h" }];
  const { status } = await call("PUT", "/v1/rules", { key: keys.admin, body: { rules } });
  expect(status).toBe(200);
}

async function openHold({ call, keys }: TestServer): Promise<string> {
  for (;;) {
    const { body } = await call("GET", "/v1/holds?status=open", { key: keys.operator });
    if (body.holds.length > 0) return body.holds[0].id;
    await new Promise(setImmediate);
  }
}

/** Makes the call, ends its question, and makes the same call again if the first one had stopped waiting. */
async function played<Result>(
  test: TestServer,
  ending: Ending,
  call: () => Promise<Result>,
  isPending: (result: Result) => boolean,
  edited?: { readonly [name: string]: string },
): Promise<Result> {
  const first = settled(test, call());
  const holdId = await openHold(test);
  await bringAbout(test, holdId, ending, edited);
  const result = await first.result();
  return isPending(result) && ending !== "left empty" ? settled(test, call()).result() : result;
}

/** Moves the clock until the promise has come to its end. */
function settled<Result>({ clock }: TestServer, promise: Promise<Result>) {
  let isOver = false;
  const ended = promise.finally(() => {
    isOver = true;
  });
  ended.catch(() => undefined);
  return {
    async result(): Promise<Result> {
      for (let turn = 0; !isOver; turn += 1) {
        await new Promise(setImmediate);
        if (turn > 100) await clock.advance(1_000);
      }
      return await ended;
    },
  };
}

async function sdkRunOnce(ending: Ending): Promise<Played> {
  await using test = await testServer();
  const client = agentOf(test);
  const hold = await client.place({ type: "approval", prompt: "Refund?", timeout: "1h" });
  await bringAbout(test, hold.id, ending);
  let runs = 0;
  const sees: string[] = [];
  const refund = () => {
    runs += 1;
    return "the result of `refund`";
  };
  for (const _again of [1, 2])
    try {
      sees.push(await runOnce(client, hold.id, refund));
    } catch (error) {
      if (!isTerminalError(error)) throw error;
      sees.push(`nothing: it throws \`${error.code}\``);
    }
  const { outcome } = await client.get(hold.id);
  const data =
    outcome?.kind === "decided" && isEdit(ending)
      ? `, and \`${JSON.stringify(outcome.data)}\` on the hold`
      : "";
  expect(sees[1]).toBe(sees[0]);
  return { sees: `${sees[0]}${data}`, runs };
}

async function sdkApprove(ending: Ending): Promise<Played> {
  await using test = await testServer();
  const hp = new Holdpoint({ client: agentOf(test) });
  let runs = 0;
  const refund = (edited: object | undefined) => {
    expect(edited).toEqual(isEdit(ending) ? { amount: 5 } : undefined);
    runs += 1;
    return "refunded";
  };
  const asking = hp.approve("Refund?", { timeout: "1h" });
  asking.catch(() => undefined);
  await bringAbout(test, await openHold(test), ending);
  if (ending === "left empty") return { sees: "nothing: it still waits", runs };
  try {
    const approved = await settled(test, asking).result();
    if (approved === false) return { sees: "`false`", runs };
    await approved.runOnce(refund);
    return { sees: `the approval${isEdit(ending) ? ", with the changed arguments" : ""}`, runs };
  } catch (error) {
    if (!isNotDecidedError(error)) throw error;
    return { sees: `nothing: it throws \`${error.name}\``, runs };
  }
}

async function claudeAgent(ending: Ending): Promise<Played> {
  await using test = await testServer();
  await askAboutCalls(test);
  const input = { command: PUSH };
  const canUse = holdpointPermission(agentOf(test), { cwd: "/repo", waitMs: waitMsOf(ending) });
  const { signal } = new AbortController();
  const use = () => canUse("Bash", input, { signal, toolUseID: "toolu_1" });
  const isPending = ({ message }: { message?: string }) => message?.includes("not answered yet") === true;
  const result = await played(
    test,
    ending,
    use as () => Promise<{ behavior: string; message?: string; updatedInput?: { command?: string } }>,
    isPending,
    EDITED,
  );
  const { behavior, message, updatedInput } = result;
  if (behavior !== "allow") return { sees: `\`${behavior}\`: \`${message}\``, runs: 0 };
  const isChanged = updatedInput?.command === EDITED.command;
  return { sees: `\`allow\`${isChanged ? ", with the changed arguments" : ""}`, runs: 1 };
}

async function hook(ending: Ending): Promise<Played> {
  await using test = await testServer();
  await askAboutCalls(test);
  const event = {
    ...{ session_id: "s1", transcript_path: "/tmp/t.jsonl", cwd: "/repo", permission_mode: "default" },
    ...{
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_use_id: "toolu_1",
      tool_input: { command: PUSH },
    },
  };
  const { signal: deadline } = new AbortController();
  const options = { client: () => agentOf(test), waitMs: waitMsOf(ending), deadline, isUnattended: false };
  const ask = async () =>
    JSON.parse((await runHook("claude", JSON.stringify(event), options)).out).hookSpecificOutput;
  const said = await played(
    test,
    ending,
    ask,
    ({ permissionDecision }) => permissionDecision === "ask",
    EDITED,
  );
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput } = said;
  if (decision === "ask")
    return { sees: "`ask`: the agent's own prompt appears, and the question stays open", runs: 0 };
  if (decision !== "allow") return { sees: `\`${decision}\`: \`${reason}\``, runs: 0 };
  return {
    sees: `\`allow\`${updatedInput?.command === EDITED.command ? ", with the changed arguments" : ""}`,
    runs: 1,
  };
}

const words = ({ content }: ToolResult) => content.map(({ text }) => text).join("\n");

async function mcpServer(ending: Ending): Promise<Played> {
  await using test = await testServer();
  await using client = await overHttp("2.x, older revision", test, test.keys.agent);
  const ask = () => client.call("ask_human", { question: "Refund?", timeout: "1h", key: "refund-1" });
  const isPending = ({ structuredContent }: ToolResult) => structuredContent?.["status"] === "pending";
  const { structuredContent = {} } = await played(test, ending, ask, isPending);
  const { status, action, data } = structuredContent;
  const more = action === undefined ? "" : `, \`${action}\`, \`${JSON.stringify(data)}\``;
  return { sees: `\`${status}\`${more}`, runs: status === "answered" && action === "approve" ? 1 : 0 };
}

async function mcpGateway(ending: Ending): Promise<Played> {
  await using stage = await gatewayStage();
  await askAboutCalls(stage.holdpoint);
  await using client = await stage.client("2.x, older revision");
  const wire = () => client.call("wire", { amount: 80 });
  const isPending = (result: ToolResult) => words(result).startsWith("Pending");
  const result = await played(stage.holdpoint, ending, wire, isPending);
  const { ran } = stage;
  if (ran.length > 0) expect(ran).toEqual([{ amount: isEdit(ending) ? 5 : 80 }]);
  const isAsked = isPending(result) && ending === "expired";
  const waits = isAsked ? "`Pending: …`: the same call asks again" : "`Pending: …`: it still waits";
  const sees = isPending(result) ? waits : `\`${words(result).replaceAll("\n", " ")}\``;
  return { sees, runs: ran.length };
}

const PLAYED: Readonly<Record<CallRow, (ending: Ending) => Promise<Played>>> = {
  ...{ sdkApprove, sdkRunOnce, claudeAgent, hook, mcpServer, mcpGateway },
};

describe.each(CALL_ROWS)("finding 1 G14: the truth table, %s", (name) => {
  it.each(ENDINGS)(
    "a question that ended as %s shows the agent what the table says, and runs no more",
    async (ending) => {
      const cells: Readonly<Record<Ending, Cell>> = TRUTH_TABLE[name].cells;
      expect(await PLAYED[name](ending)).toEqual(cells[ending]);
    },
  );
});

it("G14 an approval that was revoked is no approval for the SDK and for ask_human", async () => {
  await using test = await testServer();
  const hp = new Holdpoint({ client: agentOf(test) });
  const asked = { key: "refund:1", type: "approval", prompt: "Refund?" } as const;
  const hold = await hp.place(asked);
  await bringAbout(test, hold.id, "approved");
  expect((await hp.ask(asked)).kind).toBe("decided");
  const { status } = await test.call("POST", `/v1/holds/${hold.id}/revoke`, { key: test.keys.operator });
  expect(status).toBe(200);
  const reason = "revoked";
  expect(await hp.ask(asked)).toMatchObject({ kind: "cancelled", reason, cancelledBy: { name: "ada" } });
  await expect(hp.approve("Refund?", { key: "refund:1" })).rejects.toMatchObject({ name: "CancelledError" });
  await using client = await overHttp("2.x, older revision", test, test.keys.agent);
  const { structuredContent } = await client.call("get_answer", { question_id: hold.id });
  expect(structuredContent).toMatchObject({ status: "cancelled" });
  expect(structuredContent).not.toHaveProperty("action");
});
