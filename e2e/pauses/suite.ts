/**
 * G13: no request pauses the server for more than 100 ms. Every operation of every face is sent the bodies that cost
 * most for their size, and what only a conversation of several requests can bring about is played through in scenes.
 */

import type { OperationSet } from "@holdpoint/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testServer } from "../../packages/server/src/testing/test-server.ts";
import { type MeasuringServer, measuringServer, type Sent } from "./paused-server.ts";
import { SCENES } from "./scenes.ts";
import { worstBodies } from "./worst-bodies.ts";

/** In milliseconds of the server's processor time. */
const PAUSE_MAX = 100;

/** Each of these requests makes a thing of its own, however often it is sent. */
const MAKES_ANOTHER: ReadonlySet<string> = new Set(["/v1/holds", "/api/v1/intents"]);

/** Known before a server runs, so that every operation of every face has a test of its own. */
async function everySet(): Promise<readonly OperationSet[]> {
  await using test = await testServer();
  return test.server.operationSets;
}

/** `isQuick`: one in eight of the costliest bodies for each operation. `npm run attack` sends all of those, this suite in full all bodies. */
export async function pausesSuite(isQuick: boolean): Promise<void> {
  const sets = await everySet();
  describe("a body", () => measureBodies(sets, isQuick));
  describe("a scene", () => playScenes(isQuick));
}

/** A server of their own for the tests of one group: what others have left in its memory makes collections of garbage long. */
function ownServer(): { readonly current: () => MeasuringServer } {
  let server: MeasuringServer;
  beforeAll(async () => {
    server = await measuringServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  return { current: () => server };
}

function measureBodies(sets: readonly OperationSet[], isQuick: boolean): void {
  const everyNth = isQuick ? 8 : 1;
  const { current } = ownServer();

  /** What paused the server for too long. A body that did is sent once more: the first of its kind may have been compiled. */
  async function pausesOf(named: Iterable<Sent & { readonly what: string }>): Promise<readonly string[]> {
    const long: string[] = [];
    for (const { what, ...sent } of named) {
      const first = await current().measure(sent);
      if (first.status >= 500) long.push(`${what}: ${first.status}`);
      if (first.pauseMs <= PAUSE_MAX) continue;
      const { status, pauseMs } = await current().measure(sent);
      if (pauseMs > PAUSE_MAX) long.push(`${what}: ${status} after a pause of ${Math.round(pauseMs)} ms`);
    }
    return long;
  }

  describe.each(sets)("attack 4: the worst bodies for the $name face", { timeout: 600_000 }, (set) => {
    const taking = set.operations.filter(({ body }) => body !== undefined);
    it.each(taking.length === 0 ? [] : taking)(
      "G13 $id pauses the server for no more than 100 ms",
      async (operation) => {
        const { params = {}, headers = {} } = current().subjects[`${set.name} ${operation.id}`] ?? {};
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "none");
        const base = {
          method: operation.method,
          path,
          headers: { ...headers, "content-type": "application/json" },
        };
        const bodies = worstBodies(operation, isQuick).filter((_, at) => at % everyNth === 0);
        expect(await pausesOf(bodies.map(({ what, body }) => ({ ...base, what, body })))).toEqual([]);
      },
    );
  });
}

/** Scenes that take long and whose mechanism another scene tries as well: `npm run test:full` plays them. */
const FULL_ONLY: ReadonlySet<string> = new Set([
  "G13: the deadline of a portfolio reaches many large intents that wait for people",
  "G13: a plan of many large tasks is cancelled",
  "G13: sensitive values of many large answers are looked for in several turns",
]);

function playScenes(isQuick: boolean): void {
  const names = Object.keys(SCENES).filter((name) => !isQuick || !FULL_ONLY.has(name));
  const { current } = ownServer();

  // A look that took too long, or a request that makes another new thing, is sent once more, for the same reason: a busy machine
  // costs processor time too (caches, memory), and a collection of garbage falls into any turn. What changes something is not repeated.
  it.each(names)("%s", { timeout: 600_000 }, async (name) => {
    const server = current();
    const long: string[] = [];
    const measure = async (what: string, sent: Sent) => {
      const first = await server.measure(sent);
      const isRepeated = first.pauseMs > PAUSE_MAX && (sent.method === "GET" || MAKES_ANOTHER.has(sent.path));
      const measured = isRepeated ? await server.measure(sent) : first;
      if (measured.status >= 500) long.push(`${what}: ${measured.status}`);
      if (measured.pauseMs > PAUSE_MAX)
        long.push(`${what}: ${measured.status} after a pause of ${Math.round(measured.pauseMs)} ms`);
      return measured;
    };
    await SCENES[name]?.(server, measure, isQuick);
    expect(long).toEqual([]);
  });
}
