import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Runs a small gated conversation and prints every decision and hash of it. */
const CONVERSATION = `
  import { allow, composeToolPolicies, defineAgent, defineTool, deny, requireApproval, run, scriptedProvider } from "@holdpoint/gate";
  const named = (name) => defineTool({ name, execute: () => null });
  const target = defineAgent({ name: "Target Agent", model: "m" });
  const agent = defineAgent({ name: "Ägent", model: "m", tools: ["search", "refund", "wire"].map(named), handoffs: [target] });
  const soft = { resultMode: "tool_result" };
  const call = (name, args, callId) => ({ type: "tool_call", callId, name, arguments: args });
  const provider = scriptedProvider([
    [call("search", '{"q":"ä","Z":1,"a":2,"10":3,"9":4}', "c1"), call("refund", '{"cents":1e3}', "c2")],
    [call("wire", "not json", "c3"), call("handoff_to_target_agent", '{"why":"\\\\ud800"}', "c4")],
    [{ type: "completed", message: "done" }],
  ]);
  const toolPolicy = composeToolPolicies({ search: () => allow("ok"), refund: () => requireApproval("ask", soft), "*": () => deny("no", soft) });
  const handoffPolicy = () => requireApproval("ask", soft);
  const sink = (record) => console.log(JSON.stringify({
    decisions: record.policyDecisions.map(({ timestamp, ...decision }) => decision),
    hashes: record.suspendedProposals.map(({ proposalHash }) => proposalHash),
    requests: record.requestFingerprints.map(({ timestamp, ...fingerprint }) => fingerprint),
  }));
  await run(agent, "hello", { provider, policies: { toolPolicy, handoffPolicy }, record: { sink } });
`;

test("AI-172 two processes with different locales and time zones make the same decisions and hashes from the same input", () => {
  const outputs = [
    { LC_ALL: "C", TZ: "UTC" },
    { LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" },
  ].map((env) => {
    const args = ["--conditions=@holdpoint/source", "--input-type=module", "-e", CONVERSATION];
    const options = { cwd: import.meta.dirname, env: { ...process.env, ...env }, encoding: "utf8" } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, args, options);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    return stdout;
  });
  expect(outputs[1]).toBe(outputs[0]);
  const { decisions, hashes, requests } = JSON.parse(outputs[0] ?? "");
  expect(decisions.map(({ decision }: { decision: string }) => decision)).toEqual([
    "allow",
    "require_approval",
    "deny",
    "require_approval",
  ]);
  expect(new Set(hashes).size).toBe(2);
  expect(requests).toHaveLength(3);
});
