/** A server whose clock the test moves, an agent that wants to pay refunds, and people who decide about it. */

import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalGrant, SuspendedProposal, ToolPolicy } from "@holdpoint/gate";
import {
  allow,
  defineAgent,
  defineTool,
  findActiveApprovalGrant,
  isApprovalRequiredError,
  requireApproval,
  run,
  scriptedProvider,
} from "@holdpoint/gate";
import type { ConnectedApprovals, ConnectOptions, ResumeOutcome } from "@holdpoint/gate/host";
import { connectApprovals } from "@holdpoint/gate/host";
import { Holdpoint } from "@holdpoint/sdk";
import { createAdaptorServer } from "@hono/node-server";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";

export interface GateServer extends AsyncDisposable {
  readonly test: TestServer;
  /** Empty when there is no port. */
  readonly url: string;
  client(key: keyof TestServer["keys"]): Holdpoint;
}

/** The whole server in this process, without a port. */
export async function withoutPort(): Promise<GateServer> {
  const test = await testServer();
  const fetch = async (input: string, init: RequestInit) =>
    test.server.app.request(input.replace("http://test", ""), init);
  return {
    test,
    url: "",
    client: (key) => new Holdpoint({ url: "http://test", apiKey: test.keys[key], runtime: { fetch } }),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** Over real HTTP and a real database. */
export async function overHttp(): Promise<GateServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-gate-"));
  const test = await testServer({ folder });
  const http = createAdaptorServer({ fetch: test.server.app.fetch });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    test,
    url,
    client: (key) => new Holdpoint({ url, apiKey: test.keys[key] }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      await test[Symbol.asyncDispose]();
      if ("closeAllConnections" in http) http.closeAllConnections();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Evidence {
  readonly grants: readonly ApprovalGrant[];
}

export const honouring: ToolPolicy<Evidence> = ({ proposalHash, runContext }) =>
  findActiveApprovalGrant(proposalHash, runContext.context.grants) === null
    ? requireApproval("internal_reason", {
        publicReason: "A person has to approve refunds.",
        policyVersion: "refunds.v3",
        metadata: { note: "audit-only" },
      })
    : allow("approval_granted");

export const ORDER = { order: "7", cents: 1200, iban: "DE-secret" };

export interface Office {
  readonly host: ConnectedApprovals;
  readonly agent: ReturnType<typeof refundAgent>;
  /** What the tool was executed with. */
  readonly executed: unknown[];
  propose(args?: unknown, policy?: ToolPolicy<Evidence>): Promise<SuspendedProposal>;
  resume(proposal: SuspendedProposal, policy?: ToolPolicy<Evidence>): Promise<ResumeOutcome<Evidence>>;
}

export function refundAgent(executed: unknown[], name = "Support Agent") {
  const parameters = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
  const tool = (toolName: string) =>
    defineTool({ name: toolName, parameters, execute: (input) => void executed.push(input) });
  return defineAgent<Evidence>({ name, model: "none", tools: [tool("refund"), tool("wire")] });
}

/** One process's gate, connected with the agent's key. */
export function office(
  server: GateServer,
  options: Partial<ConnectOptions> = {},
  key: keyof TestServer["keys"] = "agent",
): Office {
  const review = { refund: { sensitive: ["iban"], risk: "high", effect: () => "Money leaves." } } as const;
  const { clock } = server.test;
  const host = connectApprovals(
    { scope: "acme", review, now: () => clock.now(), ...options },
    server.client(key),
  );
  const executed: unknown[] = [];
  const agent = refundAgent(executed);
  return {
    host,
    agent,
    executed,
    async propose(args = ORDER, toolPolicy = honouring) {
      const call = { type: "tool_call", callId: "call-1", name: "refund" } as const;
      const text = typeof args === "string" ? args : JSON.stringify(args);
      const blocked = run(agent, "Please refund order 7", {
        provider: scriptedProvider([[{ ...call, arguments: text }], [{ type: "completed" }]]),
        context: { grants: [] },
        policies: { toolPolicy },
        onSuspended: host.onSuspended,
        fence: host.fence,
      });
      return await blocked.then(
        () => Promise.reject(new Error("it was not blocked")),
        (error: unknown) =>
          isApprovalRequiredError(error) ? error.suspendedProposal : Promise.reject(error),
      );
    },
    resume: (proposal, toolPolicy = honouring) =>
      host.resume(proposal, agent, { context: (grants) => ({ grants }), policies: { toolPolicy } }),
  };
}

/** What people do with the newest hold of a key. */
export function people(server: GateServer, createdBy = "refunder") {
  const operator = server.client("operator");
  const newest = async (key: string) => {
    const [hold] = (await operator.list({ key, createdBy })).holds;
    if (hold === undefined) throw new Error(`nobody has asked about ${key}`);
    return hold;
  };
  const answer = async (key: string, action: string, data = {}) => {
    const { id, digest } = await newest(key);
    await operator.answer(id, { action, data, shown: digest });
  };
  return {
    newest,
    approve: (key: string, editedArguments?: unknown) =>
      answer(key, "approve", editedArguments === undefined ? {} : { edited_args: editedArguments }),
    reject: (key: string) => answer(key, "reject"),
    requestChanges: (key: string) => answer(key, "edit", { feedback: "Half of it." }),
    revoke: async (key: string) => void (await operator.revoke((await newest(key)).id)),
    release: async (key: string) =>
      void (await operator.releaseClaim((await newest(key)).id, "it did not run")),
  };
}

/** Longer than any execution may take. */
export const LEASE_MS = 5 * 60_000;
