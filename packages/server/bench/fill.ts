/** Many open holds, put into the store in large commits: the road there is not what is measured. */

import { exactListId } from "../src/kernel/gating/gating.ts";
import type { Hold } from "../src/kernel/hold/hold.ts";
import type { Server } from "../src/server.ts";

const PER_COMMIT = 2_000;

export async function fill(server: Server, count: number): Promise<void> {
  await put(server, count, () => undefined);
}

/** Holds that expire within a while from some seconds on, evenly. */
export async function fillTimers(server: Server, count: number, spreadMs: number): Promise<void> {
  const from = server.engine.clock.now() + 15_000;
  await put(server, count, (i) => from + Math.floor((i / count) * spreadMs));
}

const TOOLS = ["refund", "deploy", "send_mail", "delete_rows", "pay_invoice"];

/** Holds as an inbox has them: of several agents and tools, with amounts, some of which never end. */
export async function fillInbox(server: Server, count: number): Promise<void> {
  const from = server.engine.clock.now() + 3_600_000;
  const at = (i: number) => (i % 7 === 0 ? undefined : from + i * 1_000);
  await put(server, count, at, (i) => {
    const tool = TOOLS[i % TOOLS.length] ?? "";
    return {
      createdBy: `agent-${i % 12}`,
      createdAt: server.engine.clock.now(),
      ask: {
        type: "approval",
        prompt: `Allow ${tool} for order ${i}?`,
        context: { tool, args: { order: i, amount: 10 + (i % 500), currency: "EUR" } },
      },
    };
  });
}

async function put(
  server: Server,
  count: number,
  expiresAt: (i: number) => number | undefined,
  more: (i: number) => Partial<Hold> = () => ({}),
): Promise<void> {
  const { engine, ids } = server;
  for (let start = 0; start < count; start += PER_COMMIT) {
    const batch = await engine.store.begin();
    const holds = Array.from({ length: Math.min(PER_COMMIT, count - start) }, (_, i) => ({
      ...hold(ids.next(engine.clock.now()), expiresAt(start + i)),
      ...more(start + i),
    }));
    await batch.commit({
      puts: holds.map((body) => ({
        key: { workspace: "default", kind: "hold", id: body.id },
        expected: 0,
        version: 1,
        seq: 0,
        head: "",
        body: body as unknown as Record<string, unknown>,
      })),
      events: [],
      timers: holds.map((body) => ({
        key: { workspace: "default", kind: "hold", id: body.id },
        dueAt: body.expiresAt ?? null,
      })),
      outbox: [],
    });
  }
  await server.timers.start();
}

function hold(id: string, expiresAt: number | undefined): Hold {
  return {
    id: `hold_${id}`,
    ask: {
      type: "approval",
      prompt: "Refund 40 EUR to a customer?",
      context: { order: id, amount: 40, currency: "EUR" },
    },
    digest: "sha256:0",
    salt: "0",
    status: "open",
    createdBy: "filler",
    creatorKey: "none",
    createdAt: 0,
    rungs: [],
    attempt: 1,
    links: "server",
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** The tool whose checks are answered by a grant. */
export const GRANTED_TOOL = "pay";

/** Grants for the tool that is measured, each for arguments of its own that no measured call has. */
export async function fillGrants(server: Server, count: number): Promise<void> {
  const { engine } = server;
  for (let start = 0; start < count; start += PER_COMMIT) {
    const batch = await engine.store.begin();
    const puts = Array.from({ length: Math.min(PER_COMMIT, count - start) }, (_, i) => {
      const id = `grant_${start + i}`;
      const argsDigest = `sha256:${start + i}`;
      const args = { order: { equal: start + i } };
      const until = Number.MAX_SAFE_INTEGER;
      return [
        row("grant", id, { id, agent: "dev", tool: GRANTED_TOOL, args, argsDigest, uses: 1, used: 0, until }),
        row("grant_list", exactListId("dev", GRANTED_TOOL, argsDigest), { grants: [{ id, args, until }] }),
      ];
    });
    await batch.commit({ puts: puts.flat(), events: [], timers: [], outbox: [] });
  }
}

function row(kind: string, id: string, body: Record<string, unknown>) {
  return { key: { workspace: "default", kind, id }, expected: 0, version: 1, seq: 0, head: "", body };
}
