/** Calls to the operations of HITL, AG-UI and MCP, about a case or a thread of the agent `refunder`. */

import type { Operation } from "@holdpoint/protocol";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import type { RoleRequest } from "./request.ts";

const CASE = {
  type: "input",
  prompt: "Your details, please",
  prefill: { name: "Ada" },
  context: {
    form: {
      session_id: "form_1",
      fields: [{ key: "name", label: "Name", type: "text", sensitive: true }],
    },
  },
};

const BUTTONS = { type: "approval", prompt: "Publish version 2?", inline: true };

interface Case {
  readonly caseId: string;
  /** For answers by an inline button. */
  readonly submitToken: string;
  /** The secret of the case's review link. */
  readonly token: string;
}

export async function aCase(test: TestServer, asked: object = CASE): Promise<Case> {
  const { body } = await test.call("POST", "/hitl/v1/cases", { key: test.keys.agent, body: asked });
  if (body.hitl === undefined) throw new Error(JSON.stringify(body));
  const token = new URL(body.hitl.review_url).searchParams.get("token");
  return { caseId: body.hitl.case_id, token: token ?? "", submitToken: body.hitl.submit_token ?? "" };
}

const ANSWER = { action: "submit", data: { name: "Ada" } };
const INLINE = {
  submitted_via: "telegram_inline_button",
  submitted_by: { platform: "telegram", platform_user_id: "1" },
};

const CASE_BODIES: Readonly<Record<string, unknown>> = {
  respond: ANSWER,
  submit: { action: "approve", ...INLINE },
  cancel: {},
  progress: { current_step: 1 },
  session: { values: { name: "Ada" } },
};

/** `token`: whether the caller has the review link of the case. */
export async function caseRequest(
  test: TestServer,
  { id, path, method }: Operation,
  hasLink: boolean,
): Promise<RoleRequest> {
  if (id === "createCase") return { path, body: CASE };
  if (!path.includes("{")) return { path };
  const isInline = id.startsWith("submitCase");
  const { caseId, token, submitToken } = await aCase(test, isInline ? BUTTONS : CASE);
  const action = path.split("/").at(-1) ?? "";
  const body = method === "GET" ? undefined : CASE_BODIES[action];
  const query = new URLSearchParams({
    ...(hasLink && !isInline ? { token } : {}),
    ...(id === "readPrefill" ? { case_id: caseId } : {}),
  }).toString();
  const at = path.replace("{case_id}", caseId).replace("{key}", "name");
  return {
    path: query === "" ? at : `${at}?${query}`,
    ...(body === undefined ? {} : { body }),
    ...(hasLink && isInline ? { headers: { authorization: `Bearer ${submitToken}` } } : {}),
  };
}

export async function agUiRequest({ id, path }: Operation): Promise<RoleRequest> {
  const at = path.replace("{name}", "support");
  const run = {
    threadId: "t1",
    runId: "r1",
    messages: [],
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
  };
  if (id === "demoFile") return { path: `${at}?threadId=t1&interruptId=i1&name=a.txt`, body: {} };
  if (path.includes("interrupts")) return { path: `${at}?threadId=t1` };
  return path.includes("capabilities") ? { path: at } : { path: at, body: run };
}

export async function mcpRequest({ path, method }: Operation): Promise<RoleRequest> {
  return method === "GET" ? { path } : { path, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } };
}
