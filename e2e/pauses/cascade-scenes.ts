/** One change that many large things follow. */

import { expect } from "vitest";
import type { Measured, MeasuringServer } from "./paused-server.ts";
import { call, type Measure, type Scene, wide } from "./scene-parts.ts";

const LARGE = { ...wide(4_000), text: "x".repeat(850_000) };

const SHORT: unknown = expect.toSatisfy((pauseMs: number) => pauseMs < 100);

/** How many large things: their sum, in one commit, would pause the server for several times as long as it may. */
const many = (isQuick: boolean) => (isQuick ? 25 : 60);

type Thing = { readonly id: string; readonly version: number; readonly [member: string]: unknown };

function caller(server: MeasuringServer, measure: Measure) {
  const asked = async (what: string, method: string, path: string, body?: unknown, version?: number) => {
    const { headers, ...sent } = call(server, method, `/api/v1/${path}`, body);
    const match = version === undefined ? {} : { "if-match": `${version}` };
    const reply: Measured = await measure(what, { ...sent, headers: { ...headers, ...match } });
    const text = reply.status < 300 ? "" : reply.text.slice(0, 300);
    expect({ what, text }).toEqual({ what, text: "" });
    return (reply.text === "" ? {} : JSON.parse(reply.text)) as Thing;
  };
  const intent = (body: object) => asked("an intent", "POST", "intents", { title: "It", ...body });
  const current = (id: string) => asked("an intent", "GET", `intents/${id}`);
  return {
    asked,
    intent,
    current,
    /** What follows by timers is measured too. */
    async move(what: string, id: string, status: string) {
      const { version } = await current(id);
      await asked(what, "POST", `intents/${id}/status`, { status }, version);
      expect({ what, pauseMs: await server.advance() }).toEqual({ what, pauseMs: SHORT });
    },
    async statuses(ids: readonly string[]) {
      const found: unknown[] = [];
      for (const id of ids) found.push((await current(id))["status"]);
      return [...new Set(found)];
    },
  };
}

const SUSPENDED = "suspended_awaiting_input";
const ASK = { question: "Go on?", response_type: "text", fallback_policy: "use_default_and_continue" };

export const CASCADE_SCENES: Readonly<Record<string, Scene>> = {
  "G13: many large intents are blocked and freed by the one that they depend on": async (
    server,
    measure,
    isQuick,
  ) => {
    const { asked, intent, move, statuses } = caller(server, measure);
    const { id } = await intent({ status: "active" });
    const ids: string[] = [];
    for (let count = 0; count < many(isQuick); count += 1)
      ids.push((await intent({ status: "active", depends_on: [id], state: LARGE })).id);
    await move("suspending", id, SUSPENDED);
    expect(await statuses(ids)).toEqual(["blocked"]);
    await asked("going on", "POST", `intents/${id}/suspend/cancel`, { suspension_id: "any" });
    await move("completing", id, "completed");
    expect(await statuses(ids)).toEqual(["active"]);
  },

  "G13: many large tasks follow the intent that they execute": async (server, measure, isQuick) => {
    const { asked, intent, move } = caller(server, measure);
    const { id } = await intent({ status: "active" });
    const ids: string[] = [];
    for (let count = 0; count < many(isQuick); count += 1) {
      const task = await asked("a task", "POST", `intents/${id}/tasks`, { name: "t", input: LARGE });
      await asked("claiming", "POST", `tasks/${task.id}/claim`, {});
      ids.push(task.id);
    }
    const tasks = async () => {
      const found: unknown[] = [];
      for (const task of ids) found.push((await asked("a task", "GET", `tasks/${task}`))["state"]);
      return [...new Set(found)];
    };
    await asked("suspending", "POST", `intents/${id}/suspend`, { ...ASK, id: "s1" });
    expect(await tasks()).toEqual(["blocked"]);
    const answer = { suspension_id: "s1", value: "yes" };
    await asked("answering", "POST", `intents/${id}/suspend/respond`, answer);
    expect(await tasks()).toEqual(["running"]);
    await asked("suspending", "POST", `intents/${id}/suspend`, { ...ASK, id: "s2", timeout_seconds: 30 });
    const pauseMs = await server.advance();
    expect({ what: "expiring", pauseMs }).toEqual({ what: "expiring", pauseMs: SHORT });
    expect(await tasks()).toEqual(["running"]);
    await move("abandoning", id, "abandoned");
    expect(await tasks()).toEqual(["cancelled"]);
  },

  "G13: the deadline of a portfolio reaches many large intents that wait for people": async (
    server,
    measure,
    isQuick,
  ) => {
    const { asked, intent } = caller(server, measure);
    const portfolio = await asked("a portfolio", "POST", "portfolios", { name: "P" });
    for (let count = 0; count < many(isQuick) / 2; count += 1) {
      const { id } = await intent({ status: "active", state: LARGE });
      await asked("joining", "POST", `portfolios/${portfolio.id}/intents`, { intent_id: id });
      await asked("suspending", "POST", `intents/${id}/suspend`, { ...ASK, id: "s1", context: LARGE });
    }
    const at = Date.parse(portfolio["created_at"] as string) + 3_600_000;
    const governance = { deadline: new Date(at).toISOString() };
    await asked("a deadline", "PATCH", `portfolios/${portfolio.id}`, { governance });
  },

  "G13: a plan of many large tasks is cancelled": async (server, measure, isQuick) => {
    const { asked, intent } = caller(server, measure);
    const { id } = await intent({ status: "active" });
    const made = await asked("a plan", "POST", `intents/${id}/plan`, { tasks: [{ name: "root" }] });
    const [root] = (await asked("a plan", "GET", `plans/${made.id}`))["tasks"] as readonly string[];
    const ids: string[] = [];
    for (let count = 0; count < many(isQuick); count += 1) {
      const task = { name: "t", input: LARGE, depends_on: [root], plan_id: made.id };
      ids.push((await asked("a task", "POST", `intents/${id}/tasks`, task)).id);
    }
    await asked("activating", "POST", `plans/${made.id}/activate`);
    await asked("claiming", "POST", `tasks/${root}/claim`, {});
    await asked("completing", "POST", `tasks/${root}/complete`, {});
    const ready = await asked("a task", "GET", `tasks/${ids.at(-1)}`);
    await asked("cancelling", "POST", `plans/${made.id}/cancel`);
    const cancelled = await asked("a task", "GET", `tasks/${ids.at(-1)}`);
    expect([ready["state"], cancelled["state"]]).toEqual(["ready", "cancelled"]);
  },
};
