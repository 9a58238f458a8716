/** Intents with very much in them, and what many of them bring about together. */

import { expect } from "vitest";
import { call, placed, type Scene, times, wide } from "./scene-parts.ts";

export const INTENT_SCENES: Readonly<Record<string, Scene>> = {
  "G13: a task that frees all others of its plan evaluates each condition once": async (server, measure) => {
    const post = async (what: string, path: string, body: unknown) => {
      const { status, text } = await measure(what, call(server, "POST", `/api/v1/${path}`, body));
      expect({ what, status, text: status < 300 ? "" : text.slice(0, 300) }).toEqual({
        what,
        status: expect.any(Number),
        text: "",
      });
      return JSON.parse(text) as { readonly id: string };
    };
    const { id } = await post("an intent", "intents", { title: "Planned" });
    const made = await post("a plan", `intents/${id}/plan`, {
      tasks: [{ name: "root" }],
      conditions: times(200, () => ({ task_id: "x", when: "tasks['root'].output.n == 1" })),
    });
    const plan = await measure("the plan", call(server, "GET", `/api/v1/plans/${made.id}`));
    const [root] = (JSON.parse(plan.text) as { readonly tasks: readonly string[] }).tasks;
    const ids: string[] = [];
    for (let count = 0; count < 499; count += 1)
      ids.push((await post("a task", `intents/${id}/tasks`, { name: "x", depends_on: [root] })).id);
    const put = call(server, "PATCH", `/api/v1/plans/${made.id}`, { tasks: [root, ...ids], state: "active" });
    const headers = { ...put.headers, "if-match": "1" };
    expect((await measure("the plan of all tasks", { ...put, headers })).status).toBe(200);
    await post("claiming", `tasks/${root}/claim`, {});
    await post("completing", `tasks/${root}/complete`, { output: { n: 1 } });
  },

  "G13: the inputs of a phase are looked up once, however many phases it depends on": async (
    server,
    measure,
  ) => {
    const make = async (what: string, intent: object) => {
      const { status, text } = await measure(what, call(server, "POST", "/api/v1/intents", intent));
      expect({ what, status, text: status === 200 ? "" : text.slice(0, 300) }).toEqual({
        what,
        status: 200,
        text: "",
      });
      return (JSON.parse(text) as { id: string }).id;
    };
    const text = "x".repeat(200);
    const producers: string[] = [];
    for (let count = 0; count < 100; count += 1)
      producers.push(await make("a phase", { title: `p${count}` }));
    const inputs = (count: number) =>
      Object.fromEntries(times(count, (at) => [`k${at}`, `p${at % 100}.${text}${at}`]));
    const intent = { title: "Report", depends_on: producers, state: { _io_inputs: inputs(1_000) } };
    const report = await make("a phase of 1,000 inputs", intent);
    const body = { ...intent, state: { _io_inputs: inputs(1_001) } };
    expect((await measure("too many inputs", call(server, "POST", "/api/v1/intents", body))).status).toBe(
      422,
    );
    const lease = async () => {
      const path = `/api/v1/intents/${report}/leases`;
      return measure("a lease", call(server, "POST", path, { scope: "work" }));
    };
    expect([(await lease()).text.length < 50_000, (await lease()).status]).toEqual([true, 422]);
    for (const id of producers.slice(0, 30)) {
      const status = call(server, "POST", `/api/v1/intents/${id}/status`, {
        status: "suspended_awaiting_input",
      });
      await measure("suspending", { ...status, headers: { ...status.headers, "if-match": "1" } });
    }
    expect((await lease()).status).toBe(422);
  },

  "G13: logs and lists of long things are read and sent in pieces": async (server, measure) => {
    const content = { ...wide(4_000), text: "x".repeat(850_000) };
    const made = await measure("an intent", call(server, "POST", "/api/v1/intents", { title: "Long" }));
    const path = `/api/v1/intents/${(JSON.parse(made.text) as { id: string }).id}`;
    const post = async (what: string, to: string, body: unknown) => {
      const { status, text } = await measure(what, call(server, "POST", to, body));
      expect({ what, status, text: status < 300 ? "" : text.slice(0, 300) }).toEqual({
        what,
        status: expect.any(Number),
        text: "",
      });
    };
    for (let count = 0; count < 60; count += 1) {
      const comment = { actor: "dev", event_type: "comment", payload: content };
      await post("a long event", `${path}/events`, comment);
      await post("a long task", `${path}/tasks`, { name: "x", input: content });
    }
    const look = async (what: string, to: string) => {
      const { status, text } = await measure(what, call(server, "GET", to));
      expect({ what, status }).toEqual({ what, status: 200 });
      return JSON.parse(text);
    };
    expect(await look("one event", `${path}/events?limit=1`)).toHaveLength(1);
    expect(await look("the log", `${path}/events?order=asc&limit=1000`)).toHaveLength(121);
    expect(await look("the chain", `${path}/events/verify`)).toMatchObject({ valid: true, event_count: 121 });
    expect(await look("the tasks", `${path}/tasks`)).toHaveLength(60);
    await look("what happened", "/v1/activity");
  },

  "G13: commands on large things share a commit only while it is short": async (server, measure, isQuick) => {
    const state = { ...wide(4_000), text: "x".repeat(850_000) };
    const ids: string[] = [];
    for (let count = 0; count < (isQuick ? 40 : 60); count += 1) {
      const made = await measure(
        "a large intent",
        call(server, "POST", "/api/v1/intents", { title: "L", state }),
      );
      ids.push((JSON.parse(made.text) as { id: string }).id);
    }
    const shortest = async (what: string, pause: () => Promise<number>) => {
      // The first of its kind may have been compiled meanwhile, and a collection of garbage falls into any turn, so a long pause
      // counts if it happens three times.
      let pauseMs = await pause();
      for (let again = 0; again < 2 && pauseMs >= 100; again += 1) pauseMs = await pause();
      expect({ what, pauseMs }).toEqual({
        what,
        pauseMs: expect.toSatisfy((ms: number) => ms < 100),
      });
    };
    let version = 0;
    await shortest("patches of many large intents at once", async () => {
      version += 1;
      const body = { patches: [{ op: "set", path: "/k0", value: version }] };
      const patches = ids.map((id) => ({
        ...call(server, "POST", `/api/v1/intents/${id}/state`, body),
        headers: { ...call(server, "POST", "", body).headers, "if-match": `${version}` },
      }));
      const { statuses, pauseMs } = await server.measureTogether(patches);
      expect(new Set(statuses)).toEqual(new Set([200]));
      return pauseMs;
    });
    await shortest("leases on many large intents that expire together", async () => {
      const lease = { scope: "payment", duration_seconds: 30 };
      for (const id of ids)
        expect(
          (await measure("a lease", call(server, "POST", `/api/v1/intents/${id}/leases`, lease))).status,
        ).toBe(200);
      return server.advance();
    });
    const holds = async () => {
      const ask = { context: { text: "x".repeat(850_000) }, timeout: "30s" };
      for (let count = 0; count < ids.length; count += 1) await placed(server, measure, "a large hold", ask);
      return server.advance();
    };
    await shortest("many large holds that expire together", holds);
    const large = { type: "approval", prompt: "Go?", context: { text: "x".repeat(850_000) } };
    await shortest("many large holds that are placed at once", async () => {
      const { statuses, pauseMs } = await server.measureTogether(
        ids.map(() => call(server, "POST", "/v1/holds", large)),
      );
      expect(new Set(statuses)).toEqual(new Set([201]));
      return pauseMs;
    });
    await measure("a list of many large holds", call(server, "GET", "/v1/holds"));
  },
};
