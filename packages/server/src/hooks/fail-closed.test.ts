/** H2 for every event of every agent: whatever goes wrong between the hook and the server, the call is blocked. */

import { httpHoldClient } from "@holdpoint/protocol/http";
import { describe, expect, test } from "vitest";
import type { AgentName } from "./dialect.ts";
import { runHook } from "./run-hook.ts";

const PUSH = "git push --force";
const tool = { tool_name: "Bash", tool_input: { command: PUSH } };
/** What each agent sends, and what it takes for "no". */
const DENIED = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };
const REFUSED = { hookSpecificOutput: { decision: { behavior: "deny" } } };
const EVENTS: readonly (readonly [AgentName, string, object, object])[] = [
  ["claude", "PreToolUse", tool, DENIED],
  ["claude", "PermissionRequest", tool, REFUSED],
  ["codex", "PreToolUse", tool, DENIED],
  ["codex", "PermissionRequest", tool, REFUSED],
  ["cursor", "beforeShellExecution", { command: PUSH }, { permission: "deny" }],
  ["cursor", "beforeMCPExecution", tool, { permission: "deny" }],
  ["cursor", "preToolUse", tool, { permission: "deny" }],
  ["cursor", "beforeReadFile", { file_path: "/etc/passwd" }, { permission: "deny" }],
];

const hold = (more: object = {}) => ({
  ...{ id: "hold_1", type: "approval", prompt: "?", status: "open", digest: "d", created_by: "coder" },
  ...{ created_at: "2026-01-01T00:00:00Z", actions: [{ id: "approve" }, { id: "reject" }] },
  ...more,
});
const json = (body: object, status = 200) => Response.json(body, { status });
const asking = () => json({ verdict: "ask", reason: "", rule: null, hold: hold() });
const by = { kind: "person", name: "ada" };
const approved = hold({
  status: "decided",
  outcome: { kind: "decided", action: "approve", data: {}, by, door: "rest", at: "2026-01-01T00:00:00Z" },
});
const allowing = () => json({ verdict: "allow", reason: "", rule: null, hold: approved });

/** The server's reply to each call, in order; the last one again for all that follow. */
const FAULTS: Readonly<Record<string, readonly (() => Response | Promise<Response>)[]>> = {
  "answers 500": [() => json({}, 500)],
  "answers 503": [() => json({}, 503)],
  "refuses the key": [() => json({ code: "unauthenticated" }, 401)],
  "answers with a page": [() => new Response("<p>allow</p>", { headers: { "content-type": "text/html" } })],
  "answers half of its JSON": [() => new Response('{"verdict":"all')],
  "answers nothing": [() => new Response(null, { status: 204 })],
  "answers with an unknown verdict": [() => json({ verdict: "ALLOW" })],
  "answers with a list": [() => json([{ verdict: "allow" }])],
  "redirects elsewhere": [
    () => new Response(null, { status: 302, headers: { location: "http://x.example" } }),
  ],
  "closes the connection": [() => Promise.reject(new TypeError("fetch failed"))],
  "does not answer in time": [() => Promise.reject(new DOMException("took too long", "TimeoutError"))],
  "asks without a hold": [() => json({ verdict: "ask", reason: "" })],
  "is lost while the person decides": [asking, () => Promise.reject(new TypeError("fetch failed"))],
  "answers nonsense while the person decides": [asking, () => json({ outcome: "approved" })],
  "fails when the approval is claimed": [allowing, () => json({}, 500)],
  "refuses the claim": [allowing, () => json({ code: "claim_taken", title: "taken" }, 409)],
};

describe.each(EVENTS)("the hook for %s at %s blocks the call when the server", (agent, event, input, no) => {
  test.each(Object.entries(FAULTS))("%s", async (_what, replies) => {
    for (const isUnattended of [true, false]) {
      let calls = 0;
      const fetch = async () => {
        const reply = replies[Math.min(calls, replies.length - 1)] as (typeof replies)[number];
        calls += 1;
        return reply();
      };
      const client = () =>
        httpHoldClient({
          ...{ url: "http://test", apiKey: "k", streaming: false, retry: { attemptsMax: 1, baseMs: 1 } },
          runtime: { fetch },
        });
      const text = JSON.stringify({ hook_event_name: event, cwd: "/repo", session_id: "s", ...input });
      const { out, code } = await runHook(agent, text, {
        client,
        waitMs: 20,
        deadline: new AbortController().signal,
        isUnattended,
      });
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject(no);
    }
  });
});
