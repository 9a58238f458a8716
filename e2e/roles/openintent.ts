/** A call to every OpenIntent operation, about an intent of the agent `refunder` and what belongs to it. */

import type { Operation } from "@holdpoint/protocol";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import type { RoleRequest } from "./request.ts";

/** Stands in everything that belongs to the intent, so that a reply that quotes any of it shows. */
export const MARKER = "for-the-owner-only";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any;

export class IntentScene {
  readonly #test: TestServer;
  #intent: Wire;

  constructor(test: TestServer) {
    this.#test = test;
  }

  async as(key: string, method: string, path: string, body?: unknown, ifMatch?: number): Promise<Wire> {
    const reply = await this.#test.call(method, `/api/v1/${path}`, {
      key,
      ...(body === undefined ? {} : { body }),
      ...(ifMatch === undefined ? {} : { headers: { "if-match": String(ifMatch) } }),
    });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  own(method: string, path: string, body?: unknown, ifMatch?: number): Promise<Wire> {
    return this.as(this.#test.keys.agent, method, path, body, ifMatch);
  }

  async intent(): Promise<Wire> {
    this.#intent ??= await this.own("POST", "intents", {
      ...{ title: MARKER, description: MARKER, status: "active" },
      ...{ state: { note: MARKER }, constraints: { note: MARKER } },
    });
    return this.#intent;
  }

  async id(): Promise<string> {
    return (await this.intent()).id;
  }

  async version(): Promise<number> {
    return (await this.own("GET", `intents/${await this.id()}`)).version;
  }

  async suspended(): Promise<string> {
    const id = await this.id();
    const choices = [
      { value: "approve", label: MARKER },
      { value: "deny", label: "Deny" },
    ];
    const record = {
      id: "s1",
      question: MARKER,
      context: { note: MARKER },
      response_type: "choice",
      choices,
    };
    await this.own("POST", `intents/${id}/suspend`, record);
    return id;
  }

  async portfolio(): Promise<string> {
    const { id } = await this.own("POST", "portfolios", { name: "Launch" });
    await this.own("POST", `portfolios/${id}/intents`, { intent_id: await this.id() });
    return id;
  }

  async task(): Promise<string> {
    const body = { name: MARKER, input: { note: MARKER } };
    return (await this.own("POST", `intents/${await this.id()}/tasks`, body)).id;
  }

  async claimed(): Promise<string> {
    const id = await this.task();
    await this.own("POST", `tasks/${id}/claim`, {});
    return id;
  }

  async plan(): Promise<Wire> {
    const checkpoints = [{ id: `cp-${await this.id()}`, name: MARKER, requires_approval: true }];
    const body = { tasks: [{ name: MARKER }], checkpoints, metadata: { note: MARKER } };
    return this.own("POST", `intents/${await this.id()}/plan`, body);
  }

  async activePlan(): Promise<string> {
    const { id } = await this.plan();
    await this.own("POST", `plans/${id}/activate`, {});
    return id;
  }

  async coordinator(): Promise<string> {
    const body = { agent_id: "refunder", intent_id: await this.id(), metadata: { note: MARKER } };
    return (await this.own("POST", "coordinators", { ...body, supervisor_id: "refunder" })).id;
  }

  async checkpoint(): Promise<string> {
    const body = { intent_id: await this.id() };
    return (await this.as(this.#test.keys.admin, "POST", "admin/checkpoints", body)).checkpoint_id;
  }

  async eventId(): Promise<string> {
    return (await this.own("GET", `intents/${await this.id()}/events`))[0].id;
  }
}

type Prepare = (scene: IntentScene) => Promise<Omit<RoleRequest, "path"> & { readonly params?: Params }>;
type Params = Readonly<Record<string, string>>;

const versioned = async (scene: IntentScene, body?: unknown) => ({
  headers: { "if-match": String(await scene.version()) },
  ...(body === undefined ? {} : { body }),
});
const onPlan =
  (body?: unknown): Prepare =>
  async (scene) => ({ params: { id: await scene.activePlan() }, ...(body === undefined ? {} : { body }) });
const onTask =
  (body?: unknown): Prepare =>
  async (scene) => ({ params: { id: await scene.claimed() }, ...(body === undefined ? {} : { body }) });
const onPortfolio =
  (body?: unknown): Prepare =>
  async (scene) => ({ params: { id: await scene.portfolio() }, ...(body === undefined ? {} : { body }) });
const onCoordinator =
  (body?: unknown): Prepare =>
  async (scene) => ({ params: { id: await scene.coordinator() }, ...(body === undefined ? {} : { body }) });
const about =
  (body: unknown): Prepare =>
  async () => ({ body });
const SCOPE = { scope: "payment" };

/** What an operation needs besides the intent's id. */
const PREPARE: Readonly<Record<string, Prepare>> = {
  createIntent: about({ title: "New" }),
  patchIntentState: (scene) => versioned(scene, { patches: [{ op: "set", path: "/a", value: 1 }] }),
  setIntentStatus: (scene) => versioned(scene, { status: "abandoned" }),
  setIntentGovernance: (scene) => versioned(scene, { note: "x" }),
  removeIntentGovernance: (scene) => versioned(scene),
  assignAgent: about({ agent_id: "other" }),
  async unassignAgent(scene) {
    await scene.own("POST", `intents/${await scene.id()}/agents`, { agent_id: "helper" });
    return { params: { agent_id: "helper" } };
  },
  createChildIntent: about({ title: "Child" }),
  async addDependency(scene) {
    const other = await scene.own("POST", "intents", { title: "Before" });
    return versioned(scene, { dependency_id: other.id });
  },
  async removeDependency(scene) {
    const other = await scene.own("POST", "intents", { title: "Before" });
    const body = { dependency_id: other.id };
    await scene.own("POST", `intents/${await scene.id()}/dependencies`, body, await scene.version());
    return { ...(await versioned(scene)), params: { dependency_id: other.id } };
  },
  suspendIntent: about({ id: "s1", question: "Go?", response_type: "confirm" }),
  async respondToSuspension(scene) {
    await scene.suspended();
    return { body: { suspension_id: "s1", value: "approve" } };
  },
  async cancelSuspension(scene) {
    await scene.suspended();
    return { body: { suspension_id: "s1" } };
  },
  logIntentEvent: about({ event_type: "comment", actor: "x", payload: {} }),
  getIntentEvent: async (scene) => ({ params: { event_id: await scene.eventId() } }),
  makeIntentCheckpoint: async (scene) => ({ body: { intent_id: await scene.id() } }),
  getIntentCheckpoint: async (scene) => ({ params: { id: await scene.checkpoint() } }),
  getMerkleProof: async (scene) => ({
    params: { id: await scene.checkpoint(), event_id: await scene.eventId() },
  }),
  acquireLease: about(SCOPE),
  renewLease: lease({}),
  releaseLease: lease(),
  setIntentAcl: about({ default_policy: "closed", entries: [] }),
  grantIntentAccess: about({ principal_id: "other", permission: "admin" }),
  async revokeIntentAccess(scene) {
    const entry = { principal_id: "helper", permission: "read" };
    const { id } = await scene.own("POST", `intents/${await scene.id()}/acl/entries`, entry);
    return { params: { entry_id: id } };
  },
  setRetryPolicy: about({ max_retries: 1 }),
  async getRetryPolicy(scene) {
    await scene.own("PUT", `intents/${await scene.id()}/retry-policy`, { max_retries: 1 });
    return {};
  },
  recordFailure: about({ error_code: "TIMEOUT" }),
  recordDecision: about({ decision_type: "route", outcome: "left" }),
  createPortfolio: about({ name: "New" }),
  getPortfolio: onPortfolio(),
  getPortfolioProgress: onPortfolio(),
  changePortfolio: onPortfolio({ governance: { deadline: "2026-01-01T00:00:01Z" } }),
  setPortfolioStatus: onPortfolio({ status: "completed" }),
  listPortfolioIntents: onPortfolio(),
  streamPortfolio: onPortfolio(),
  streamPortfolioLog: onPortfolio(),
  async removePortfolioIntent(scene) {
    return { params: { id: await scene.portfolio(), intent_id: await scene.id() } };
  },
  createTask: async (scene) => ({ body: { name: "t", intent_id: await scene.id() } }),
  createIntentTask: about({ name: "t" }),
  getTask: onTask(),
  async changeTask(scene) {
    return { params: { id: await scene.task() }, headers: { "if-match": "1" }, body: { name: "n" } };
  },
  claimTask: async (scene) => ({ params: { id: await scene.task() }, body: {} }),
  completeTask: onTask({}),
  failTask: onTask({}),
  progressTask: onTask({ percentage: 10 }),
  delegateTask: onTask({ agent_id: "other" }),
  escalateTask: onTask({ reason: "help" }),
  createPlan: async (scene) => ({ body: { intent_id: await scene.id() } }),
  createIntentPlan: about({}),
  async getIntentPlan(scene) {
    await scene.plan();
    return {};
  },
  getPlan: onPlan(),
  getPlanProgress: onPlan(),
  async changePlan(scene) {
    const plan = await scene.plan();
    return { params: { id: plan.id }, headers: { "if-match": String(plan.version) }, body: { metadata: {} } };
  },
  activatePlan: async (scene) => ({ params: { id: (await scene.plan()).id }, body: {} }),
  pausePlan: onPlan({}),
  async resumePlan(scene) {
    const id = await scene.activePlan();
    await scene.own("POST", `plans/${id}/pause`, {});
    return { params: { id }, body: {} };
  },
  cancelPlan: onPlan({}),
  listPlanCheckpoints: onPlan(),
  approveCheckpoint: checkpoint,
  rejectCheckpoint: checkpoint,
  grantCoordinator: async (scene) => ({ body: { agent_id: "other", intent_id: await scene.id() } }),
  getCoordinator: onCoordinator(),
  changeCoordinator: onCoordinator({ role: "lead" }),
  beatCoordinator: onCoordinator(),
  pauseCoordinator: onCoordinator({}),
  async resumeCoordinator(scene) {
    const id = await scene.coordinator();
    await scene.own("POST", `coordinators/${id}/pause`, {});
    return { params: { id }, body: {} };
  },
  async recordCoordinatorDecision(scene) {
    const coordinator_id = await scene.coordinator();
    return { body: { coordinator_id, intent_id: await scene.id(), decision_type: "route" } };
  },
  subscribe: async (scene) => ({ body: { intent_id: await scene.id() } }),
  async unsubscribe(scene) {
    const { id } = await scene.own("POST", "subscriptions", { intent_id: await scene.id() });
    return { params: { id } };
  },
  streamAgent: async () => ({ params: { id: "refunder" } }),
  streamAgentLog: async () => ({ params: { id: "refunder" } }),
};

function lease(body?: unknown): Prepare {
  return async (scene) => {
    const { id } = await scene.own("POST", `intents/${await scene.id()}/leases`, SCOPE);
    return { params: { lease_id: id }, ...(body === undefined ? {} : { body }) };
  };
}

/** A checkpoint that waits for approval, because the task before it is complete. */
async function checkpoint(scene: IntentScene) {
  const id = `cp-${await scene.id()}`;
  const checkpoints = [{ id, name: MARKER, after_task: MARKER, requires_approval: true }];
  const body = { tasks: [{ name: MARKER }], checkpoints };
  const plan = await scene.own("POST", `intents/${await scene.id()}/plan`, body);
  await scene.own("POST", `plans/${plan.id}/activate`, {});
  const [task] = await scene.own("GET", `intents/${await scene.id()}/tasks`);
  await scene.own("POST", `tasks/${task.id}/claim`, {});
  await scene.own("POST", `tasks/${task.id}/complete`, {});
  return { params: { id }, body: {} };
}

/** `addPortfolioIntent` brings a portfolio of the caller's own: another agent must not end the intent through it. */
export async function intentRequest(
  test: TestServer,
  operation: Operation,
  callerKey: string | undefined,
  scene = new IntentScene(test),
): Promise<RoleRequest> {
  const { id, path } = operation;
  if (id === "addPortfolioIntent") {
    const governance = { deadline: "2026-01-01T00:00:01Z" };
    const owner = callerKey ?? test.keys.agent;
    const made = await test.call("POST", "/api/v1/portfolios", {
      key: owner,
      body: { name: "p", governance },
    });
    const at = `/api/v1/portfolios/${made.body?.id ?? "none"}/intents`;
    return { path: at, body: { intent_id: await scene.id() } };
  }
  const { params = {}, ...rest } = (await PREPARE[id]?.(scene)) ?? {};
  const all: Params =
    path.startsWith("/api/v1/intents/{id}") || path.endsWith("/intents/{id}")
      ? { id: await scene.id(), ...params }
      : params;
  const query = await queryOf(id, scene);
  return { path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => all[name] ?? "none") + query, ...rest };
}

async function queryOf(id: string, scene: IntentScene): Promise<string> {
  switch (id) {
    case "listIntentCheckpoints":
      await scene.checkpoint();
      return `?intent_id=${await scene.id()}`;
    case "verifyConsistency": {
      const made = await scene.checkpoint();
      return `?from_checkpoint=${made}&to_checkpoint=${made}`;
    }
    case "listIntents":
    case "listPortfolios":
      await scene.portfolio();
      return "";
    case "listSubscriptions":
      return `?intent_id=${await scene.id()}`;
    default:
      return "";
  }
}
