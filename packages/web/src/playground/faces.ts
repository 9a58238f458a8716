/** The protocols through which the same question can be asked, and through which the same hold can be seen. */

import type { HoldOut, KeyOut } from "@holdpoint/protocol";
import { type Api, Refused } from "../app/api.ts";

export type FaceName = "native" | "hitl" | "openintent" | "agui";

export interface Asked {
  readonly holdId: string;
  readonly line: string;
  readonly reply: unknown;
}

type JsonObject = Readonly<Record<string, unknown>>;

export interface Face {
  readonly name: string;
  /** Asks as an agent would, with the agent's key. */
  ask(call: AgentCall, question: JsonObject): Promise<Asked>;
  /** Where an agent that speaks this protocol looks; absent: the hold has no address there. */
  watch(hold: HoldOut): string | undefined;
}

export type AgentCall = <Out>(method: "GET" | "POST", path: string, body?: object) => Promise<Out>;

/** Who asks, and looks afterwards. */
export interface Agent {
  readonly call: AgentCall;
  open(path: string, signal: AbortSignal): Promise<Response>;
}

/** The demo agent works for the signed-in person and asks by itself. */
export function signedIn(api: Api): Agent {
  return agentWith({ headers: { "x-csrf-token": api.state.csrf }, credentials: "same-origin" });
}

/** Who asks cannot answer, so the playground asks as an agent with a key of its own. */
export async function agentOf(api: Api): Promise<Agent> {
  const kept = sessionStorage.getItem(KEY);
  const key =
    kept ?? (await api.send<KeyOut>("POST", "/v1/keys", { name: "playground", role: "agent" })).secret ?? "";
  sessionStorage.setItem(KEY, key);
  return agentWith({ headers: { authorization: `Bearer ${key}` }, credentials: "omit" });
}

const KEY = "holdpoint.playground";

/** Only a key that the server does not know is replaced by the next question: every new key stays valid until it is revoked. */
export function keepKeyAfter(fault: unknown): void {
  if (fault instanceof Refused && fault.status === 401) sessionStorage.removeItem(KEY);
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: RequestCredentials;
}

function agentWith(by: Credentials): Agent {
  return {
    call: (method, path, body) => called(by, method, path, body),
    open: (path, signal) => fetch(path, { ...by, signal }),
  };
}

async function called<Out>(by: Credentials, method: string, path: string, body?: object): Promise<Out> {
  const reply = await fetch(path, {
    ...by,
    method,
    headers: { ...by.headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isJson = reply.headers.get("content-type")?.includes("json") ?? false;
  const out: unknown = isJson ? await reply.json() : await reply.text();
  if (!reply.ok) throw new Refused(reply.status, (isJson ? out : {}) as object);
  return out as Out;
}

const DEFAULTS = ["skip", "approve", "reject", "abort"];

/** The question in HITL's words: the form stands in the context. */
export function caseOf(question: JsonObject): JsonObject {
  const { type, prompt, context, form, options, select, actions, timeout, on_timeout } = question;
  const shown = { ...(context as object | undefined), ...(form === undefined ? {} : { form }) };
  return JSON.parse(
    JSON.stringify({
      ...{ type, prompt, options, select, actions, timeout },
      ...(Object.keys(shown).length === 0 ? {} : { context: shown }),
      ...(DEFAULTS.includes(String(on_timeout)) ? { default_action: on_timeout } : {}),
    }),
  ) as JsonObject;
}

/** What the demo agent is to do; it asks in its own words. */
export function scenarioOf({ type }: JsonObject): string {
  return type === "input" ? "form" : type === "confirmation" ? "confirmation" : "approval";
}

export function runOf(question: JsonObject, threadId: string): JsonObject {
  const content = `${scenarioOf(question)} please`;
  return { threadId, runId: "r1", messages: [{ id: "m1", role: "user", content }] };
}

export const FACES: Readonly<Record<FaceName, Face>> = {
  native: {
    name: "Holdpoint",
    async ask(call, question) {
      const reply = await call<HoldOut>("POST", "/v1/holds", question);
      const { id, status, review_url } = reply;
      return { holdId: id, line: "POST /v1/holds", reply: { id, status, review_url } };
    },
    watch: ({ id }) => `/v1/holds/${id}`,
  },
  hitl: {
    name: "HITL",
    async ask(call, question) {
      const reply = await call<{ hitl: { case_id: string } }>("POST", "/hitl/v1/cases", caseOf(question));
      const holdId = reply.hitl.case_id.replace("review_", "hold_");
      return { holdId, line: "POST /hitl/v1/cases → 202", reply };
    },
    watch: ({ case_id }) => `/reviews/${case_id}/status`,
  },
  openintent: {
    name: "OpenIntent",
    async ask(call, question) {
      const intent = await call<{ id: string }>("POST", "/api/v1/intents", {
        title: String(question["prompt"] ?? "Playground").slice(0, 200),
        status: "active",
      });
      const { id } = await call<HoldOut>("POST", "/v1/holds", { ...question, intent_id: intent.id });
      return { holdId: id, line: "POST /api/v1/intents, then a hold on it", reply: intent };
    },
    watch: ({ intent_id: id }) => (id === undefined ? undefined : `/api/v1/intents/${id}`),
  },
  agui: {
    name: "AG-UI",
    async ask(call, question) {
      const threadId = `playground-${crypto.randomUUID()}`;
      const run = await call<string>("POST", "/agui/demo", runOf(question, threadId));
      const frames = framesOf(run);
      const holdId = frames.at(-1)?.outcome?.interrupts?.[0]?.id;
      if (holdId === undefined) throw new Error("the demo agent has asked nothing");
      return { holdId, line: "POST /agui/demo", reply: frames };
    },
    watch: ({ thread_id: id }) =>
      id === undefined ? undefined : `/agui/demo/interrupts?threadId=${encodeURIComponent(id)}`,
  },
};

interface RunFrame {
  readonly outcome?: { readonly interrupts?: readonly { readonly id: string }[] };
}

/** The events of a stream that has ended. */
function framesOf(text: string): readonly RunFrame[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = "{}"]) => JSON.parse(data) as RunFrame);
}
