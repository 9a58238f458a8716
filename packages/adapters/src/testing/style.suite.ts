/**
 * What every way of stopping an agent promises, however its author writes it. Two payments are asked for at once; each is made
 * when it is approved.
 */

import type { HoldClient, ThreadClient } from "@holdpoint/protocol/client";
import { type TestServer, testServer } from "holdpoint/testing";
import { describe, expect, it } from "vitest";
import { clientOf } from "./agui-kit.ts";

export interface Staged {
  readonly test: TestServer;
  readonly holdpoint: HoldClient & ThreadClient;
  /** Called by the agent for each payment it makes. */
  pay(name: string): void;
}

export interface Agent extends AsyncDisposable {
  /** As far as it goes without waiting for anybody. */
  advance(): Promise<"waiting" | "done" | "busy">;
}

/** A process of the agent: another one finds whatever is not in its memory. */
export type Start = (staged: Staged) => Promise<Agent>;

export function stopsForPeople(style: string, makeStart: () => Promise<Start> | Start): void {
  describe(`an agent in the style of ${style}`, () => {
    it("the agent asks for both payments at once, and makes none before both are answered", async () => {
      await using here = await stage(makeStart);
      expect(await here.agent.advance()).toBe("waiting");
      const [one] = await here.open(2);
      await here.answer(one ?? "", "approve");
      expect(await here.agent.advance()).toBe("waiting");
      expect(here.paid).toEqual([]);
    });

    it("a rejection executes nothing", async () => {
      await using here = await stage(makeStart);
      await here.agent.advance();
      for (const id of await here.open(2)) await here.answer(id, "reject");
      expect(await here.agent.advance()).toBe("done");
      expect(here.paid).toEqual([]);
    });

    it("the agent resumes exactly once, each call with its own answer", async () => {
      await using here = await stage(makeStart);
      await here.agent.advance();
      const ids = await here.open(2);
      const refused = await here.idOf("grace");
      for (const id of ids.toReversed()) await here.answer(id, id === refused ? "reject" : "approve");
      expect(await here.agent.advance()).toBe("done");
      await here.agent.advance();
      expect(here.paid).toEqual(["ada"]);
    });

    it("the agent survives a restart between asking and answering, and after the end", async () => {
      await using here = await stage(makeStart);
      await here.agent.advance();
      await here.restart();
      expect(await here.agent.advance()).toBe("waiting");
      for (const id of await here.open(2)) await here.answer(id, "approve");
      await here.restart();
      expect(await here.agent.advance()).toBe("done");
      await here.restart();
      await here.agent.advance();
      expect(here.paid.toSorted()).toEqual(["ada", "grace"]);
    });

    it("two processes at once make each payment once", async () => {
      await using here = await stage(makeStart);
      await here.agent.advance();
      for (const id of await here.open(2)) await here.answer(id, "approve");
      await using other = await here.start();
      const ends = await Promise.all([here.agent.advance(), other.advance()]);
      expect(ends).toContain("done");
      expect(here.paid.toSorted()).toEqual(["ada", "grace"]);
    });
  });
}

async function stage(makeStart: () => Promise<Start> | Start) {
  const test = await testServer();
  const start = await makeStart();
  const paid: string[] = [];
  const holdpoint = clientOf(test).client;
  const operator = clientOf(test, "operator");
  const begin = () => start({ test, holdpoint, pay: (name) => void paid.push(name) });
  let agent = await begin();
  const openHolds = async () => (await operator.list({ status: "open" })).holds;
  return {
    paid,
    start: begin,
    get agent() {
      return agent;
    },
    async restart() {
      await agent[Symbol.asyncDispose]();
      agent = await begin();
    },
    async open(count: number): Promise<readonly string[]> {
      const holds = await openHolds();
      expect(holds).toHaveLength(count);
      return holds.map(({ id }) => id);
    },
    idOf: async (name: string) => (await openHolds()).find(({ prompt }) => prompt.includes(name))?.id ?? "",
    answer: async (id: string, action: string) => void (await operator.answer(id, { action })),
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}
